"""`kata gradescope build`: the zip Gradescope takes, with a wheel made from this checkout."""

from __future__ import annotations

import importlib.util
import io
import shlex
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from grader import catalog, grading, marks
from grader.desk import check_writable
from grader.errors import GraderFault, UsageError
from grader.workspace import write_atomically

TEMPLATES = Path(__file__).with_name("templates") / "gradescope"
SOURCE = "$base/source"  # where Gradescope unpacks the zip
_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Build:
    """What the autograder will do with each submission."""

    output: Path
    katas: tuple[str, ...] = ()
    weights: Path | None = None
    extra_tests: Path | None = None
    require_isolation: str | None = None
    time_budget: str = "8m"


def build(request: Build) -> Path:
    """Write the zip; the same checkout and options give the same files."""
    check_writable(request.output)
    katas = grading.katas_of(request.katas)
    grading.seconds(request.time_budget)
    files: dict[str, tuple[bytes, int]] = {}
    options = ["--katas", ",".join(katas), "--time-budget", request.time_budget]
    if request.require_isolation:
        options += ["--require-isolation", request.require_isolation]
    words = [shlex.quote(word) for word in options]
    if request.weights:
        marks.load(request.weights, katas)
        files["weights.toml"] = (request.weights.read_bytes(), 0o644)
        words += ["--weights", f'"{SOURCE}/weights.toml"']
    if request.extra_tests:
        for _, name, text in grading.extra_tests(request.extra_tests, katas):
            files[f"extra/{name}.py"] = (text.encode(), 0o644)
        words += ["--extra-tests", f'"{SOURCE}/extra"']
    for name in ("setup.sh", "run_autograder"):
        text = (TEMPLATES / name).read_text(encoding="utf-8")
        files[name] = (text.replace("@OPTIONS@", " ".join(words)).encode(), 0o755)
    with tempfile.TemporaryDirectory() as folder:
        wheel = _wheel(Path(folder))
        files[wheel.name] = (wheel.read_bytes(), 0o644)
    write_atomically(request.output, _zip(files))
    return request.output


def _wheel(folder: Path) -> Path:
    """A wheel of the checkout this runs from."""
    checkout = catalog.places().checkout
    if checkout is None or not (checkout / "pyproject.toml").is_file():
        raise UsageError(
            "`kata gradescope build` packs the checkout it runs from, and this is an "
            "installation; run it where `pip install -e .` was run in a checkout."
        )
    if importlib.util.find_spec("hatchling"):
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    else:
        command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", str(folder), "."]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    built = list(folder.glob("*.whl"))
    if done.returncode != 0 or len(built) != 1:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise GraderFault(f"The wheel could not be built ({said[-1] if said else 'no output'}).")
    return built[0]


def _zip(files: dict[str, tuple[bytes, int]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            content, mode = files[name]
            info = zipfile.ZipInfo(name, _DATE)
            info.external_attr = (0o100000 | mode) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return out.getvalue()
