"""A first job: a skill, a file, a checked result and a receipt. Offline: the model of metier.toml is a script."""

from metier import Metier


def approve(proposal):
    """Answer what is asked; here every question gets a yes, and is printed."""
    print("asked whether", proposal.words)
    return True


with Metier() as app:
    receipt = app.run("expense-report", files=["examples/expenses.csv"], approver=approve)

print(receipt.state, receipt.result["total"], receipt.result["wrong"], "wrong rows")
print(receipt.model_calls, "model calls,", receipt.calls.sent_back, "result sent back, scripted:", receipt.scripted)
