"""While an interview is open, what would help on its katas is for later."""

from __future__ import annotations

from pathlib import Path

from grader.errors import UsageError


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
    other = {"run": "run", "watch": "run", "hint": "hint"}.get(command)
    instead = f"kata interview {other}" if other else "kata interview"
    shows = "stands in for it" if other else "shows what there is"
    raise UsageError(
        f"There is no `kata {command}` while an interview is open, and {about}; "
        f"`{instead}` {shows}."
    )
