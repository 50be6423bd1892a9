"""Campaigns on a cluster whose parts are killed, one after the other."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from distributed import Client

import broadside
import broadside.dask

GAMES, RANGE = 4000, 50
RULES, CAPTAINS, SEED = "classic", ["density", "hunt-target"], 5
FILES = ["checkpoint", "histogram.csv", "results.json", "summary.csv"]


class Cluster:
    """A scheduler and workers as processes of their own, which can be killed."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.file = folder / "scheduler.json"
        self.file.unlink(missing_ok=True)
        self.folder = folder
        self.scheduler = self._start("scheduler", "--scheduler-file", str(self.file), "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.workers = [self.add_worker() for _ in range(workers)]

    def add_worker(self) -> "subprocess.Popen[bytes]":
        arguments = ["--scheduler-file", str(self.file), "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
        return self._start("worker", *arguments, "--local-directory", str(self.folder))

    def _start(self, *arguments: str) -> "subprocess.Popen[bytes]":
        # Whatever a killed scheduler leaves behind is of no interest; the tests look at results.
        quiet = subprocess.DEVNULL
        return subprocess.Popen([sys.executable, "-m", "dask", *arguments], stdout=quiet, stderr=quiet)

    def stop(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[Cluster]:
    running = Cluster(folder, workers)
    try:
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same campaign by one process."""
    folder = tmp_path_factory.mktemp("whole")
    results = broadside.simulate(RULES, CAPTAINS, games=GAMES, seed=SEED)
    with broadside.CampaignFolder(folder) as kept:
        kept.save(results)
        kept.keep(results)
    return folder


def same_files(one: Path, other: Path) -> bool:
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in FILES)


def played(folder: Path) -> int:
    """How many games the checkpoint has."""
    try:
        return broadside.Results.from_text((folder / "checkpoint").read_text()).games
    except FileNotFoundError:
        return 0


DRIVER = f"""
import sys, broadside.dask
from distributed import Client
broadside.dask.SAVE_EVERY = 0.05
with Client(scheduler_file=sys.argv[1], timeout=30) as client:
    broadside.dask.simulate(client, {RULES!r}, {CAPTAINS!r}, {GAMES}, {SEED}, out=sys.argv[2], range_games={RANGE})
"""


def drive(running: Cluster, out: Path) -> "subprocess.Popen[bytes]":
    """The process that submits the work."""
    arguments = [sys.executable, "-c", DRIVER, str(running.file), str(out)]
    return subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait_for_games(out: Path, driver: "subprocess.Popen[bytes]") -> int:
    """Waits until some games are kept and the driver still works."""
    for _ in range(6000):
        games = played(out)
        if games:
            assert games < GAMES, "the campaign lasts until something is killed"
            return games
        assert driver.poll() is None
        time.sleep(0.01)
    raise AssertionError("there is progress")


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with Client(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as client:
        yield client


@pytest.mark.parametrize("victim", ["worker", "scheduler", "driver"])
def test_what_is_killed_changes_no_byte(victim: str, client: Client, whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with cluster(tmp_path, workers=2 if victim == "worker" else 1) as running:
        driver = drive(running, out)
        try:
            wait_for_games(out, driver)
            if victim == "worker":
                os.kill(running.workers[0].pid, signal.SIGKILL)
            else:
                os.kill((driver if victim == "driver" else running.scheduler).pid, signal.SIGKILL)
                if victim == "scheduler":
                    # The driver would wait for the scheduler to come back: it is sent away.
                    driver.terminate()
                driver.wait(timeout=120)
            status = driver.wait(timeout=300)
        finally:
            driver.kill()
    assert (status == 0) == (victim == "worker")
    if victim != "worker":
        before = played(out)
        assert 0 < before < GAMES and not (out / "results.json").exists()
        # Another cluster goes on where this one ended.
        broadside.dask.simulate(client, RULES, CAPTAINS, GAMES, SEED, out=out, range_games=RANGE)
    assert same_files(out, whole)


def test_a_cluster_gives_what_one_process_gives(client: Client, whole: Path, tmp_path: Path) -> None:
    told: list[int] = []
    out = tmp_path / "out"
    results = broadside.dask.simulate(client, RULES, CAPTAINS, GAMES, SEED, out=out, range_games=333, progress=told.append)
    assert same_files(out, whole) and results.to_json() == (whole / "results.json").read_text()
    assert told[-1] == GAMES and told == sorted(told) and len(told) == 13
    again = broadside.dask.simulate(client, RULES, CAPTAINS, GAMES, SEED, out=out)
    assert again == results, "what is finished is not played again"


def test_a_checkpoint_with_gaps_is_filled(client: Client, whole: Path, tmp_path: Path) -> None:
    parts = [broadside.play_range(RULES, CAPTAINS, SEED, first, last, games=GAMES) for first, last in ((100, 300), (3000, 3001))]
    with broadside.CampaignFolder(tmp_path) as folder:
        folder.save(broadside.merge(parts))
    broadside.dask.simulate(client, RULES, CAPTAINS, GAMES, SEED, out=tmp_path, range_games=500)
    assert same_files(tmp_path, whole)


def test_other_campaigns_and_damaged_checkpoints_are_told(client: Client, whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(whole, out)
    with pytest.raises(broadside.CheckpointError, match="its seed: 5; asked for: 6"):
        broadside.dask.simulate(client, RULES, CAPTAINS, GAMES, 6, out=out)
    with pytest.raises(broadside.CheckpointError, match="its number of games: 4000; asked for: 5000"):
        broadside.dask.simulate(client, RULES, CAPTAINS, 5000, SEED, out=out)
    text = (out / "checkpoint").read_text()
    (out / "checkpoint").write_text(text.replace("[[0,4000]]", "[[0,3000]]"))
    with pytest.raises(broadside.CheckpointError, match="its checksum is wrong"):
        broadside.dask.simulate(client, RULES, CAPTAINS, GAMES, SEED, out=out)
    with broadside.CampaignFolder(tmp_path / "used"), pytest.raises(OSError, match="another program"):
        broadside.dask.simulate(client, RULES, CAPTAINS, GAMES, SEED, out=tmp_path / "used")


def test_errors_of_tasks_reach_the_driver(client: Client) -> None:
    with pytest.raises(broadside.CaptainError, match="nobody"):
        broadside.dask.simulate(client, RULES, "nobody", 100)
    with pytest.raises(ValueError, match="at least one game"):
        broadside.dask.simulate(client, RULES, CAPTAINS, 0)


def test_changes_to_the_admiral_are_tried_as_captains(client: Client) -> None:
    variants = ["admiral", "admiral?pattern=0", "admiral?2s.few=3:beside=0"]
    found = broadside.dask.simulate(client, RULES, variants, 400, SEED, range_games=77)
    assert found.to_json() == broadside.simulate(RULES, variants, games=400, seed=SEED).to_json()
    assert len({captain.mean for captain in found.captains}) == 3, "every change plays differently"
    with pytest.raises(broadside.CaptainError, match="‘patern=0’ changes no number of the admiral"):
        broadside.dask.simulate(client, RULES, "admiral?patern=0", 100)


def test_odds_of_many_logs_are_those_of_one_process(client: Client) -> None:
    logs = ["", "E5-", "E5- F6+", "A1-", "B2+"]
    found = broadside.dask.odds_many(client, "classic", logs, logs_per_task=2)
    assert (found == broadside.odds_many("classic", logs)).all()
    assert broadside.dask.odds_many(client, "classic", []).shape == (0, 10, 10)
    assert found.dtype == np.float64
