"""The package by itself: rules, odds, dealing, checking, captains, campaigns, exceptions."""

import doctest
import importlib
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import broadside


def test_rules_are_read_compared_and_copied() -> None:
    classic = broadside.Rules("classic")
    assert str(classic) == "10x10 5,4,3,3,2 allowed ship" == str(broadside.Rules())
    assert classic == broadside.Rules(board=(10, 10), fleet=[3, 5, 4, 3, 2]) and classic != "classic"
    assert len({classic, broadside.Rules("10x10 5,4,3,3,2 allowed ship")}) == 1
    assert pickle.loads(pickle.dumps(classic)) == classic
    assert (classic.rows, classic.cols, classic.fleet, classic.touch, classic.call) == (10, 10, [5, 4, 3, 3, 2], "allowed", "ship")
    assert [classic.cell(99), classic.cell((0, 9)), classic.cell("j10")] == ["J10", "A10", "J10"]


@pytest.mark.parametrize(
    "make",
    [
        lambda: broadside.Rules("chess"),
        lambda: broadside.Rules(board="0x5"),
        lambda: broadside.Rules(board="2x2", fleet=[3]),
        lambda: broadside.Rules(touch="maybe"),
        lambda: broadside.Rules(fleet=[]),
    ],
)
def test_wrong_rules_are_refused(make: object) -> None:
    with pytest.raises(broadside.RulesError):
        make()  # type: ignore[operator]


def test_nothing_lies_on_rocks() -> None:
    rules = broadside.Rules("1x6 2 allowed ship", rocks=["A3"])
    assert str(rules) == "1x6 2 allowed ship rocks=A3" and rules.rocks == ["A3"]
    assert broadside.Rules(str(rules), rocks=[]).rocks == []
    odds = broadside.odds(rules, "")
    assert odds.layouts == 3 and odds.counts == [[1, 1, 0, 1, 2, 1]]
    with pytest.raises(broadside.LogError):
        broadside.odds(rules, "A3-")


def test_answers_of_a_salvo_come_after_the_turn() -> None:
    rules = broadside.Rules("1x5 2 allowed ship", salvo=2)
    assert str(rules) == "1x5 2 allowed ship salvo=2" and rules.salvo == "2"
    assert broadside.Rules(str(rules), salvo=1).salvo == "1" and broadside.Rules(salvo="ships:each").salvo == "ships:each"
    referee = broadside.Referee(rules, "A2-A3")
    assert [str(referee.fire(cell)) for cell in ("A1", "A5", "A3")] == ["?", "-", "?"]
    assert referee.log == "A1- A5- A3?" and referee.shots_left_in_turn == 1
    # The ship lies at A2-A3 or at A3-A4.
    assert referee.odds().counts == [[0, 1, 2, 1, 0]]
    results = broadside.simulate(rules, ["volley"], games=10)
    assert results.captains[0].turns[0] <= results.captains[0].mean
    with pytest.raises(ValueError):
        broadside.Boards(rules, 1)
    with pytest.raises(broadside.RulesError):
        broadside.Rules(salvo="0")


def test_false_answers_weigh_and_do_not_count() -> None:
    rules = broadside.Rules("1x3 2 allowed ship", noise=0.1)
    assert str(rules) == "1x3 2 allowed ship noise=0.1" and rules.noise == 0.1
    assert broadside.Rules(str(rules), noise=0).noise == 0 and broadside.Rules(noise="0.05").noise == 0.05
    odds = broadside.odds(rules, "A1+")
    assert odds.layouts is None and odds.counts is None and odds.exact
    assert abs(odds.chances[0][0] - 0.9) < 1e-12
    referee = broadside.Referee(rules, "A2-A3", seed=3)
    assert len({str(referee.fire("A1")) for _ in range(9)} | {"-"}) <= 2
    with pytest.raises(broadside.FireError):
        referee.fire("A1")
    results = broadside.simulate(broadside.Rules("4x4 2 allowed silent", noise=0.2), ["doubter", "density"], games=20)
    assert results.captains[0].mean >= 2
    with pytest.raises(ValueError):
        broadside.Boards(rules, 1)
    with pytest.raises(broadside.RulesError):
        broadside.Rules(noise=0.5)


def test_every_exception_has_one_base() -> None:
    names = [name for name in broadside.__all__ if name.endswith("Error")]
    assert len(names) == 10
    assert all(issubclass(getattr(broadside, name), broadside.BroadsideError) for name in names)


def test_errors_say_what_is_wrong() -> None:
    with pytest.raises(broadside.OddsError, match="no layout is left after shot 3, C4#3"):
        broadside.odds("classic", "E5- C3+ C4#3")
    with pytest.raises(broadside.OddsError, match="log 1 of those given, counted from 0: no layout is left"):
        broadside.odds_many("classic", ["", "E5- C3+ C4#3"])
    with pytest.raises(broadside.LayoutError, match="wrong number of ships"):
        broadside.Referee("classic", "A1-A5")
    with pytest.raises(broadside.CaptainError, match="did you mean density"):
        broadside.Captain("dense", "classic")
    with pytest.raises(broadside.CampaignError, match="named twice"):
        broadside.simulate("classic", ["density", "density"])
    with pytest.raises(broadside.CheckpointError, match="not a checkpoint"):
        broadside.Results.from_text("hello")
    referee = broadside.Referee("classic", seed=1)
    referee.fire("E5")
    with pytest.raises(broadside.FireError, match="E5 was fired at already"):
        referee.fire((4, 4))
    with pytest.raises(ValueError, match="no such cell"):
        referee.fire(100)
    with pytest.raises(ValueError, match="at least one game"):
        broadside.simulate("classic", "density", games=0)


def test_an_estimate_never_looks_exact() -> None:
    rough = broadside.odds("classic", "E5-", budget="1KB", samples=500)
    exact = broadside.odds("classic", "E5-")
    assert not rough.exact and rough.counts is None and isinstance(rough.layouts, float)
    assert rough.std_err is not None and rough.layouts_std_err is not None and rough.layouts_std_err > 0
    assert exact.exact and isinstance(exact.layouts, int) and exact.std_err is None and exact.layouts_std_err is None
    assert np.abs(rough.chances - exact.chances).max() < 0.1
    with pytest.raises(broadside.OddsError):
        broadside.odds_many("classic", ["E5-"], budget="1KB")


def test_many_odds_are_those_of_each() -> None:
    logs = ["", "E5-", "E5+ E6+", "A1- B2- C3+"]
    many = broadside.odds_many("classic", logs)
    assert many.dtype == np.float64 and many.shape == (4, 10, 10)
    for log, chances in zip(logs, many, strict=True):
        assert (chances == broadside.odds("classic", log).chances).all()
    assert broadside.odds_many("classic", []).shape == (0, 10, 10)
    told: list[int] = []
    assert broadside.odds_many("sploosh", [""] * 2000, progress=told.append).shape == (2000, 8, 8)
    assert told[-1] == 2000 and told == sorted(told)
    assert (broadside.odds_many("classic", [log.split() for log in logs], threads=1) == many).all()


def test_parts_are_told_apart() -> None:
    part = broadside.play_range("sploosh", "density", 1, 0, 20, games=100)
    assert part.ranges == [(0, 20)] and part.missing == [(20, 100)] and part.games == 20
    assert pickle.loads(pickle.dumps(part)) == part
    other = broadside.play_range("sploosh", "density", 2, 20, 40, games=100)
    with pytest.raises(broadside.CheckpointError, match="its seed: 2; asked for: 1"):
        broadside.merge([part, other])
    with pytest.raises(broadside.CheckpointError, match=r"both have the games 10\.\.20 and are not the same"):
        broadside.merge([part, broadside.play_range("sploosh", "density", 1, 10, 40)])
    with pytest.raises(broadside.CheckpointError, match="its checksum is wrong"):
        broadside.Results.from_text(part.to_text().replace('"seed":1', '"seed":3'))
    with pytest.raises(broadside.CheckpointError, match="there are no parts"):
        broadside.merge([])
    with pytest.raises(ValueError, match="first < last"):
        broadside.play_range("sploosh", "density", 1, 5, 5)


def test_histograms_and_tables_agree() -> None:
    results = broadside.simulate("sploosh", ["random", "density"], games=200)
    pandas = pytest.importorskip("pandas")
    frame = results.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == ["random", "density"]
    assert (frame["density"].to_numpy() == results.histograms[1]).all() and frame.index.name == "shots"
    density = results.captains[1]
    assert density.mean == pytest.approx((frame["density"] * frame.index).sum() / 200)
    assert results.to_dict()["captains"][1]["histogram"] == density.histogram.tolist()
    assert results.to_csv().splitlines()[2].startswith("density,200,")


def test_listed_layouts_are_played() -> None:
    rules = broadside.Rules(board="1x4", fleet=[1])
    results = broadside.simulate(rules, "density", games=5, layouts=["A1"])
    assert results.captains[0].histogram.tolist() == [0, 5, 0, 0, 0]
    assert results.layouts.startswith("1 listed")


def test_progress_is_told_and_may_stop_the_work() -> None:
    told: list[int] = []
    broadside.simulate("sploosh", "density", games=500, progress=told.append)
    assert told[-1] == 500 and told == sorted(told)

    def enough(games: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        broadside.simulate("classic", "exact", games=10**9, progress=enough)


@pytest.mark.parametrize(
    "work",
    [
        "broadside.simulate('classic', 'exact', games=10**9)",
        "broadside.count(broadside.Rules(board='12x12', fleet=[5,4,4,3,3,3,2,2]), budget='8GB')",
        "broadside.deal('russian', 10**8)",
        "broadside.odds_many('classic', [''] * 100_000)",
    ],
)
def test_ctrl_c_ends_long_work(work: str) -> None:
    # A shell that starts the tests in the background has told them to ignore Ctrl-C.
    heed = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)"
    script = f"{heed}\nimport broadside\nprint('ready', flush=True)\n{work}"
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode != 0 and "KeyboardInterrupt" in errors


@pytest.mark.parametrize(
    "name", ["broadside", "broadside._broadside", "broadside._render", "broadside.gymnasium", "broadside.pettingzoo.battleship_v0"]
)
def test_the_examples_in_the_documentation_run(name: str) -> None:
    module = importlib.import_module(name)
    finder = doctest.DocTestFinder(exclude_empty=True)
    names = {**vars(broadside), **vars(module), "np": np}
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    tests = [test for test in finder.find(module, module.__name__, globs=names) if test.examples]
    if name == "broadside._broadside":
        # Docstrings of what is written in Rust are found by hand: doctest looks only at what is written in Python.
        parser = doctest.DocTestParser()
        things = [getattr(module, thing) for thing in dir(module)]
        things += [member for thing in things if isinstance(thing, type) for member in vars(thing).values()]
        documented = [thing for thing in things if ">>>" in (getattr(thing, "__doc__", None) or "")]
        tests = [parser.get_doctest(thing.__doc__, dict(names), thing.__name__, None, None) for thing in documented]
        assert len(tests) >= 15
    assert tests
    for test in tests:
        assert runner.run(test).failed == 0, test.name
