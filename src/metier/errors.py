"""Every error that metier raises, in one tree.

    MetierError                 .message  .hint  .code (M000)
    ├── SetupError              the configuration, a missing extra, a model that is not set      exit 2
    │   └── ModelMissing        no model is set
    ├── SkillError              a skill is missing, broken or named twice                        exit 3
    │   ├── SkillMissing        no skill has that name
    │   └── SkillInvalid        the skill cannot be used as it stands
    ├── TaskError               a task cannot be given or found                                  exit 4
    │   ├── InputInvalid        the input does not fit what the skill takes
    │   ├── TaskMissing         no task has that id
    │   ├── TaskOver            the task has ended, or its proposal is answered
    │   ├── TaskTaken           another process works on the task
    │   └── ModelFailed         a model did not answer; raised by clients, and told on the receipt
    ├── GateError               something was done that only the gate may do                     exit 5
    │   └── NotAllowed          a door that the app's policies keep closed
    ├── ActionError             an action is declared wrongly                                    exit 6
    │   └── EffectUndeclared    an action did what it does not declare
    └── RecordError             the record cannot be opened, written or trusted                  exit 7
        ├── RecordBusy          another program holds the record
        ├── RecordBroken        the record does not verify
        └── LeaseLost           another process works on the task now

A task that fails is not an error: how it ended is a value on its receipt. Catch `MetierError` around a call to metier to
catch all that it raises on purpose:

    try:
        receipt = app.run("expense-report", files=["expenses.csv"])
    except MetierError as error:
        print(error.message, error.hint)
"""

__all__ = [
    "ActionError",
    "EffectUndeclared",
    "GateError",
    "InputInvalid",
    "LeaseLost",
    "MetierError",
    "ModelFailed",
    "ModelMissing",
    "NotAllowed",
    "RecordBroken",
    "RecordBusy",
    "RecordError",
    "SetupError",
    "SkillError",
    "SkillInvalid",
    "SkillMissing",
    "TaskError",
    "TaskMissing",
    "TaskOver",
    "TaskTaken",
]


class MetierError(Exception):
    """Something that metier was asked for cannot be done. The message says what; the hint says what to do."""

    code = "M000"
    exit_code = 1

    def __init__(self, message: str | None = None, *, hint: str = "") -> None:
        self.message = message or (type(self).__doc__ or "").split("\n")[0]
        self.hint = hint
        super().__init__(self.message)

    def __str__(self) -> str:
        return f"{self.message} {self.hint}" if self.hint else self.message


class SetupError(MetierError):
    """The configuration cannot be used. Mend the setting that the message names."""

    code = "M100"
    exit_code = 2


class ModelMissing(SetupError):
    """No model is set. Name one in metier.toml, in METIER_MODEL or with --model."""

    code = "M101"


class SkillError(MetierError):
    """A skill cannot be used. Run `metier show` with its path to see its problems."""

    code = "M200"
    exit_code = 3


class SkillMissing(SkillError):
    """No skill has that name. Run `metier list` to see the skills that were found."""

    code = "M201"


class SkillInvalid(SkillError):
    """The skill cannot be used as it stands. Mend the lines that its problems name."""

    code = "M202"


class TaskError(MetierError):
    """A task cannot be given or found. The message names the part that is wrong."""

    code = "M300"
    exit_code = 4


class InputInvalid(TaskError):
    """The input does not fit what the skill takes. Run `metier show` with the skill's name to see its schema."""

    code = "M301"


class TaskMissing(TaskError):
    """No task has that id. Run `metier tasks` to see the tasks of this record."""

    code = "M302"


class TaskOver(TaskError):
    """The task has ended, or its proposal is answered. Run `metier show` with its id to see how."""

    code = "M304"


class TaskTaken(TaskError):
    """Another process works on the task. Wait for it, or stop the task with `metier stop`."""

    code = "M305"


class ModelFailed(TaskError):
    """A model did not answer. The message says how it failed; the task's receipt tells of it."""

    code = "M303"

    def __init__(
        self,
        message: str | None = None,
        *,
        hint: str = "",
        again: bool = False,
        after: float | None = None,
        may_cost: bool = False,
    ) -> None:
        super().__init__(message, hint=hint)
        self.again = again
        """Whether the same request may well be answered when it is sent again."""
        self.after = after
        """How many seconds to wait first, where the provider says so."""
        self.may_cost = may_cost
        """Whether the provider may charge for it: an answer had begun."""


class GateError(MetierError):
    """A call was to be carried out without a permit of the gate. Take the call to the gate first."""

    code = "M400"
    exit_code = 5


class NotAllowed(GateError):
    """The app's policies do not let somebody through, or nobody is signed in. The message names the question (O70, O71)."""

    code = "M401"


class ActionError(MetierError):
    """An action is declared wrongly. Mend the function that the message names."""

    code = "M500"
    exit_code = 6


class EffectUndeclared(ActionError):
    """An action did what it does not declare. Declare the effect with @action, or leave it out of the function."""

    code = "M501"


class RecordError(MetierError):
    """The record cannot be opened, read or written. The message names the file and the cause."""

    code = "M600"
    exit_code = 7


class RecordBusy(RecordError):
    """Another program holds the record. Wait for it to end, or stop it, and try again."""

    code = "M601"


class RecordBroken(RecordError):
    """The record does not verify: an entry or a content was changed or lost. Restore it from a copy."""

    code = "M602"


class LeaseLost(RecordError):
    """Another process works on the task now. What this one still learns of it is kept on the record as late."""

    code = "M603"
