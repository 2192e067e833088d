"""While an interview is open, what would help on its katas is for later."""

from __future__ import annotations

from pathlib import Path

from grader.errors import UsageError

#: What there is in an interview instead of a command.
_INSTEAD = {"run": "run", "watch": "run", "hint": "hint"}


def refuse(command: str, kata: str | None, here: Path) -> None:
    """Raise `UsageError` if an open interview here is about that kata; about any, for None.

    Reads nothing where there never was an interview.
    """
    root = next((f for f in (here, *here.parents) if (f / ".kata" / "interviews").is_dir()), None)
    if root is None:
        return
    from grader.interview import clock, room
    from grader.workspace import Workspace

    found = room.opened(Workspace(root), clock.system())
    if found is None:
        return
    session = found.ledger.read().session
    name = Path(kata).stem if kata and kata.endswith(".py") else kata
    if name is not None and name not in session.plan.katas:
        return
    about = f"{name} is part of it" if name else f"it is about {', '.join(session.plan.katas)}"
    instead = "`kata interview` shows what there is"
    if session.left_s(found.clock.now()) <= 0:
        instead = "its time is up, and `kata interview` ends it"
    elif command in _INSTEAD:
        instead = f"`kata interview {_INSTEAD[command]}` stands in for it"
    raise UsageError(
        f"There is no `kata {command}` while an interview is open, and {about}; {instead}."
    )
