"""Tournaments from Python are the program's, in parts, and on a cluster."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import CASES, options, random_rules
from distributed import Client

import broadside
import broadside.dask

Program = Callable[..., str]
FILES = ["games.jsonl", "pairs.csv", "players.csv", "results.json"]
CAPTAINS = ["random", "hunt-target", "density"]


def same_files(one: Path, other: Path) -> bool:
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in FILES)


def test_tournaments_are_the_programs_to_the_byte(program: Program, tmp_path: Path) -> None:
    for case in range(max(3, CASES // 5)):
        dice = random.Random(5000 + case)
        rules, seed, games = random_rules(dice), dice.getrandbits(40), 2 * dice.randint(1, 4)
        mode, pairing = dice.choice(["duel", "solo"]), dice.choice(["round-robin", "gauntlet", "pairs"])
        turns, layouts = dice.choice(["alternate", "hit-again"]), dice.choice([None, "own", "uniform", "sequential"])
        captains = CAPTAINS[: 2 if pairing == "pairs" else 3]
        chosen = ["--mode", mode, "--pairing", pairing, "--turns", turns, *(["--layouts", layouts] if layouts else [])]
        theirs, ours = tmp_path / f"theirs-{case}", tmp_path / f"ours-{case}"
        arguments = ["--captain", *captains, "--games", str(games), "--seed", str(seed), *chosen, *options(rules)]
        printed = program("tournament", *arguments, "--quiet", "--format", "json", "--out", str(theirs))
        tournament = broadside.Tournament(rules, captains, games, seed, mode=mode, pairing=pairing, turns=turns, layouts=layouts)
        cut = dice.randint(0, tournament.games)
        parts = [tournament.play(cut, threads=1), tournament.play(0, cut)]
        whole = broadside.merge_tournament(parts)
        assert whole == tournament.play() and whole.to_json() == printed, arguments
        whole.write(ours)
        assert same_files(ours, theirs), arguments


def test_parts_tell_what_is_missing_and_what_does_not_go_together() -> None:
    tournament = broadside.Tournament("sploosh", ["random", "density"], games=10, seed=1)
    part = tournament.play(3, 5)
    assert (part.games, part.missing) == (2, [(0, 3), (5, 10)])
    assert broadside.merge_tournament([part, tournament.play(4, 8), part]).missing == [(0, 3), (8, 10)]
    other = broadside.Tournament("sploosh", ["random", "density"], games=10, seed=2).play(5, 6)
    with pytest.raises(broadside.CheckpointError, match="seed"):
        broadside.merge_tournament([part, other])
    with pytest.raises(broadside.CheckpointError):
        broadside.TournamentPart.from_text(part.to_text().replace("A1", "A2"))
    with pytest.raises(broadside.CaptainError, match="nobody"):
        broadside.Tournament("sploosh", ["random", "nobody"])
    with pytest.raises(broadside.CampaignError, match="even"):
        broadside.Tournament("sploosh", ["random", "density"], games=5)
    with pytest.raises(ValueError, match="mode is 'solo' or 'duel', not 'dual'"):
        broadside.Tournament("sploosh", ["random", "density"], mode="dual")


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with Client(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as client:
        yield client


def test_a_cluster_plays_the_same_tournament_and_goes_on_where_it_stopped(client: Client, tmp_path: Path) -> None:
    arguments = ("sploosh", CAPTAINS, 40, 7)
    whole = broadside.Tournament(*arguments).play()
    whole.write(tmp_path / "whole")
    out = tmp_path / "out"

    def stop(done: int) -> None:
        if done >= 50:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        broadside.dask.tournament(client, *arguments, out=out, range_games=10, progress=stop)
    kept = len(list((out / "parts").iterdir()))
    assert kept >= 5 and not (out / "results.json").exists()
    told: list[int] = []
    found = broadside.dask.tournament(client, *arguments, out=out, range_games=10, progress=told.append)
    assert found == whole and same_files(out, tmp_path / "whole") and not (out / "parts").exists()
    assert told == list(range(10 * kept + 10, 121, 10)), "what is kept is not played again"
    assert broadside.dask.tournament(client, *arguments, out=out, progress=lambda _: pytest.fail("nothing is left")) == whole


def test_parts_that_are_damaged_or_of_another_tournament_are_told(client: Client, tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    part = broadside.Tournament("sploosh", CAPTAINS, 40, 8).play(0, 10)
    (tmp_path / "parts" / "games-0-10").write_text(part.to_text())
    with pytest.raises(broadside.CheckpointError, match="seed"):
        broadside.dask.tournament(client, "sploosh", CAPTAINS, 40, 7, out=tmp_path)
    (tmp_path / "parts" / "games-0-10").write_text(part.to_text()[:-5])
    with pytest.raises(broadside.CheckpointError, match="games-0-10"):
        broadside.dask.tournament(client, "sploosh", CAPTAINS, 40, 8, out=tmp_path)
