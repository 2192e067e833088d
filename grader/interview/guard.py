"""While an interview is open, what would help on its katas is for later."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import UsageError

if TYPE_CHECKING:
    from grader.interview.room import Room

#: What there is in an interview instead of a command.
_INSTEAD = {"run": "run", "watch": "run", "hint": "hint"}


def refuse(command: str, kata: str | None, here: Path) -> None:
    """Raise `UsageError` if an open interview here is about that kata; about any, for None."""
    found = _opened(here)
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


def asked(here: Path) -> tuple[str, ...]:
    """The katas of the interview that is open here; none without one."""
    found = _opened(here)
    return found.ledger.read().session.plan.katas if found else ()


def _opened(here: Path) -> Room | None:
    """The interview that is open here. Reads nothing where there never was one."""
    root = next((f for f in (here, *here.parents) if (f / ".kata" / "interviews").is_dir()), None)
    if root is None:
        return None
    from grader.interview import clock, room
    from grader.workspace import Workspace

    return room.opened(Workspace(root), clock.system())
