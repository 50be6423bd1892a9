"""Campaigns on a cluster, by Dask.

A campaign is a set of games, and a range of games is a task that depends on nothing else: a worker that is lost costs its ranges and
nothing more, and results are byte for byte those of one process. With `out`, finished ranges are kept in a checkpoint as they come, so
the process that drives the work may be killed too: the same call goes on where it stopped, as does `broadside simulate --resume`.

Works with any `distributed.Client`: of a local cluster, dask-jobqueue, dask-kubernetes.

>>> from distributed import Client
>>> with Client(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as client:
...     results = simulate(client, "sploosh", ["density"], games=1000, seed=1, range_games=250)
>>> import broadside
>>> results == broadside.simulate("sploosh", ["density"], games=1000, seed=1)
True
"""

from __future__ import annotations

import shutil
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from distributed import Client, as_completed
from distributed.scheduler import KilledWorker
from numpy.typing import NDArray

from . import CampaignFolder, Results, Rules
from . import merge as merge_parts
from . import odds_many as local_odds_many
from . import play_range

if sys.platform != "win32":
    from . import Tournament, TournamentPart, merge_tournament

__all__ = ["missing_ranges", "odds_many", "simulate", "tournament"]

SAVE_EVERY = 1.0
"""Seconds between two checkpoints, at least."""

IN_FLIGHT = 8
"""Tasks for each thread of the cluster that are submitted at a time: enough to keep it busy, few enough for the scheduler."""


def missing_ranges(results: Results | TournamentPart | None, games: int, range_games: int) -> Iterator[tuple[int, int]]:
    """The games that are still to be played, in ranges of at most `range_games`.

    >>> list(missing_ranges(None, 250, 100))
    [(0, 100), (100, 200), (200, 250)]
    """
    for first, last in [(0, games)] if results is None else results.missing:
        for start in range(first, last, range_games):
            yield start, min(start + range_games, last)


def simulate(
    client: Client,
    rules: Rules | str,
    captains: str | Sequence[str],
    games: int,
    seed: int = 1,
    *,
    out: str | PathLike[str] | None = None,
    range_games: int | None = None,
    layouts: str | Sequence[str] = "uniform",
    progress: Callable[[int], object] | None = None,
    retries: int = 10,
) -> Results:
    """Lets captains play many games on the workers of a cluster: the same results as `broadside.simulate`.

    `out` is the folder for the checkpoint and, at the end, the results. `range_games` is the size of a task; without it, one that
    gives each thread about twenty. `progress` is called with the number of games played. `retries` is how often a range may be lost
    with its worker before that is an error.
    """
    if games < 1:
        raise ValueError("a campaign has at least one game")
    rules = Rules(rules) if isinstance(rules, str) else rules
    names = [captains] if isinstance(captains, str) else list(captains)
    size = range_games or max(1, min(100_000, games // (20 * _threads(client)) + 1))
    campaign = (str(rules), names, seed, games, layouts)
    if out is None:
        return _play_missing(client, campaign, None, size, None, progress, retries)
    with CampaignFolder(out) as folder:
        start = folder.resume(rules, names, games, seed, layouts=layouts)
        results = _play_missing(client, campaign, start, size, folder, progress, retries)
        folder.save(results)
        folder.keep(results)
        return results


_Campaign = tuple[str, list[str], int, int, str | Sequence[str]]


def _threads(client: Client) -> int:
    return max(1, int(sum(client.nthreads().values())))


def _play(campaign: _Campaign, first: int, last: int) -> str:
    """The task: a range of games, as the text of a checkpoint."""
    rules, names, seed, games, layouts = campaign
    return play_range(rules, names, seed, first, last, games=games, layouts=layouts, threads=1).to_text()


def _play_missing(
    client: Client,
    campaign: _Campaign,
    start: Results | None,
    size: int,
    folder: CampaignFolder | None,
    progress: Callable[[int], object] | None,
    retries: int,
) -> Results:
    ranges = missing_ranges(start, campaign[3], size)
    merged, saved = start, time.monotonic()
    for text in _completed(client, ((_play, campaign, first, last) for first, last in ranges), retries):
        part = Results.from_text(text)
        merged = part if merged is None else merge_parts([merged, part])
        if folder is not None and time.monotonic() - saved >= SAVE_EVERY:
            folder.save(merged)
            saved = time.monotonic()
        if progress is not None:
            progress(merged.games)
    assert merged is not None and not merged.missing
    return merged


def _completed(client: Client, tasks: Iterable[tuple[Any, ...]], retries: int) -> Iterator[Any]:
    """What tasks return, as they come, with a bounded number of them submitted at a time."""
    work, run = iter(tasks), uuid.uuid4().hex
    submitted: dict[str, tuple[tuple[Any, ...], int]] = {}
    counter = 0

    def submit(task: tuple[Any, ...], times: int) -> Any:
        nonlocal counter
        counter += 1
        future = client.submit(*task, key=f"broadside-{run}-{counter}", pure=False)
        submitted[str(future.key)] = (task, times)
        return future

    running = as_completed([submit(task, 0) for task in islice(work, IN_FLIGHT * _threads(client))])
    for future in running:
        task, times = submitted.pop(str(future.key))
        try:
            result = future.result()
        except KilledWorker:
            # Its workers died, perhaps for reasons of their own: it is tried again, elsewhere.
            if times >= retries:
                raise
            running.add(submit(task, times + 1))
            continue
        future.release()
        for task in islice(work, 1):
            running.add(submit(task, 0))
        yield result


def odds_many(
    client: Client, rules: Rules | str, logs: Sequence[str], *, logs_per_task: int = 256, retries: int = 10
) -> NDArray[np.float64]:
    """The chances of all cells for each of many logs, on the workers of a cluster: the same as `broadside.odds_many`."""
    text = str(Rules(rules) if isinstance(rules, str) else rules)
    starts = range(0, len(logs), logs_per_task)
    tasks = ((_odds, text, start, list(logs[start : start + logs_per_task])) for start in starts)
    parts = dict(_completed(client, tasks, retries))
    if not parts:
        return local_odds_many(text, [])
    return np.concatenate([parts[start] for start in starts])


def _odds(rules: str, start: int, logs: list[str]) -> tuple[int, NDArray[np.float64]]:
    return start, local_odds_many(rules, logs, threads=1)


def tournament(
    client: Client,
    rules: Rules | str,
    captains: Sequence[str],
    games: int = 100,
    seed: int = 1,
    *,
    out: str | PathLike[str] | None = None,
    range_games: int | None = None,
    progress: Callable[[int], object] | None = None,
    retries: int = 10,
    **options: Any,
) -> TournamentPart:
    """Lets captains meet on the workers of a cluster: the same games as those of `broadside.Tournament`, which has the `options`.

    `out` becomes the folder that `broadside tournament --out` makes. Until then finished ranges are kept as files in its folder
    `parts`, and a call that was interrupted goes on from them.
    """
    arguments = (str(rules), list(captains), games, seed, options)
    whole = Tournament(*arguments[:4], **options)
    size = range_games or max(1, min(10_000, whole.games // (20 * _threads(client)) + 1))
    parts = [whole.play(0, 0), *([] if out is None else _kept_parts(Path(out)))]
    ranges = missing_ranges(merge_tournament(parts), whole.games, size)
    done = sum(part.games for part in parts)
    for first, last, text in _completed(client, ((_meet, arguments, first, last) for first, last in ranges), retries):
        parts.append(TournamentPart.from_text(text))
        if out is not None:
            _keep_part(Path(out), first, last, text)
        done += last - first
        if progress is not None:
            progress(done)
    played = merge_tournament(parts)
    assert not played.missing
    if out is not None:
        played.write(out)
        shutil.rmtree(Path(out) / PARTS, ignore_errors=True)
    return played


PARTS = "parts"
"""The folder for the parts of a tournament that is not finished."""


def _meet(arguments: tuple[str, list[str], int, int, dict[str, Any]], first: int, last: int) -> tuple[int, int, str]:
    """The task: a range of games, as the text of a part."""
    return first, last, Tournament(*arguments[:4], **arguments[4]).play(first, last, threads=1).to_text()


def _kept_parts(out: Path) -> Iterator[TournamentPart]:
    if (out / "results.json").exists():
        yield TournamentPart.read(out)
    else:
        yield from (TournamentPart.read(path) for path in sorted((out / PARTS).glob("games-*")))


def _keep_part(out: Path, first: int, last: int, text: str) -> None:
    """Writes a part whole or not at all."""
    folder = out / PARTS
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f"writing-{first}-{last}"
    unfinished.write_text(text)
    unfinished.replace(folder / f"games-{first}-{last}")
