"""A first job: a skill, a file, a checked result and a receipt. Offline: the model of metier.toml is a script."""

from metier import Metier


def approve(proposal):
    """Look at `proposal.words` and `proposal.arguments`, then say yes or no."""
    return proposal.effects == ("runs",)


with Metier() as app:
    receipt = app.run("expense-report", files=["examples/expenses.csv"], approver=approve)

print(receipt.state, receipt.result["total"], "and", receipt.result["wrong"], "wrong rows")
#> Done 3622.31 and 15 wrong rows
print(receipt.model_calls, "model calls,", receipt.calls.sent_back, "result sent back by the check")
#> 6 model calls, 1 result sent back by the check
