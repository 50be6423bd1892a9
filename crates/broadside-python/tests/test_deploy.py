"""The job files for clusters, run as the schedulers would run them."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import yaml
from conftest import ROOT

OPTIONS = {"CAPTAINS": "random density", "GAMES": "250", "GAMES_PER_TASK": "100", "SEED": "3"}


def run(arguments: list[str], folder: Path, number: str, index: int) -> None:
    """One task of a job, with the program on its path."""
    program = Path(os.environ.get("BROADSIDE", ROOT / "target/debug/broadside"))
    path = f"{program.parent}:{os.environ['PATH']}"
    environment = {**OPTIONS, "PATH": path, "PARTS": str(folder / "parts"), number: str(index)}
    subprocess.run(arguments, env=environment, cwd=folder, check=True, timeout=120, capture_output=True)


def check(program: Callable[..., str], folder: Path) -> None:
    """The parts are the campaign."""
    parts = sorted(str(part) for part in (folder / "parts").iterdir())
    assert len(parts) == 3
    whole = program("simulate", "--captain", "random", "density", "--games", "250", "--seed", "3", "--quiet")
    assert program("merge", *parts, "--out", str(folder / "merged")) == whole


def test_a_slurm_array_plays_a_campaign(program: Callable[..., str], tmp_path: Path) -> None:
    # The last index of the array has no games left, and one task runs twice, as one that is requeued does.
    for index in (2, 0, 1, 1, 3):
        run(["sh", str(ROOT / "deploy/campaign.slurm")], tmp_path, "SLURM_ARRAY_TASK_ID", index)
    check(program, tmp_path)


def test_an_indexed_kubernetes_job_plays_a_campaign(program: Callable[..., str], tmp_path: Path) -> None:
    documents = list(yaml.safe_load_all((ROOT / "deploy/campaign-job.yaml").read_text()))
    job = next(document for document in documents if document["kind"] == "Job")
    assert job["spec"]["completionMode"] == "Indexed"
    container = job["spec"]["template"]["spec"]["containers"][0]
    given = {entry["name"]: int(entry["value"]) for entry in container["env"] if entry["name"].startswith("GAMES")}
    assert given["GAMES_PER_TASK"] * job["spec"]["completions"] == given["GAMES"]
    for index in range(3):
        run([*container["command"], *container["args"]], tmp_path, "JOB_COMPLETION_INDEX", index)
    check(program, tmp_path)
