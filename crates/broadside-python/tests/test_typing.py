"""The stubs say what is there, and the package goes by its own types."""

import subprocess
import sys
from pathlib import Path

CRATE = Path(__file__).resolve().parents[1]
CACHE = CRATE.parents[1] / "target/mypy"


def run(*arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, cwd=CRATE, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stubs_are_those_of_the_module(tmp_path: Path) -> None:
    # Names and arguments are compared, which needs no types of numpy: reading them takes longer than all the rest.
    (tmp_path / "mypy.ini").write_text("[mypy]\nfollow_imports = skip\n")
    run("mypy.stubtest", "broadside._broadside", "--mypy-config-file", str(tmp_path / "mypy.ini"))


def test_the_package_goes_by_its_types() -> None:
    run("mypy", "--config-file", "pyproject.toml", "--cache-dir", str(CACHE), "python/broadside")
