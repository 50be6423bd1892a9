"""The environments: Gymnasium's and PettingZoo's own checks, seeds, rewards, teachers."""

import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, parallel_api_test, seed_test

import broadside
from broadside import bench
from broadside.gymnasium import REWARDS, ShooterVectorEnv
from broadside.pettingzoo import battleship_v0

ALL_RULES = ["classic", "russian", "sploosh", "5x7 3,2 never silent", "6x6 3,2,2 corners every", "4x4 2 allowed bare", "13x11 4,3 allowed ship"]


@pytest.mark.parametrize("rules", ALL_RULES)
def test_gymnasium_has_nothing_to_say(rules: str) -> None:
    env = gymnasium.make("broadside/Shooter-v0", rules=rules, render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


def test_episodes_are_the_games_of_the_campaign() -> None:
    env = gymnasium.make("broadside/Shooter-v0", rules="sploosh")
    for name in ("random", "density", "admiral"):
        shots = []
        for game in range(10):
            _, info = env.reset(seed=7 if game == 0 else None)
            assert info["game"] == game
            total, over = 0.0, False
            while not over:
                _, reward, over, truncated, _ = env.step(env.unwrapped.teacher_action(name))
                total += float(reward)
                assert not truncated
            shots.append(int(-total))
        expected = broadside.simulate("sploosh", name, games=10, seed=7).captains[0].histogram
        assert np.bincount(shots, minlength=65).tolist() == expected.tolist()


def test_an_observation_tells_what_the_log_tells() -> None:
    env: Any = gymnasium.make("broadside/Shooter-v0", rules="6x6 3,2 allowed every").unwrapped
    env.reset(seed=3)
    over = False
    while not over:
        observation, _, over, _, info = env.step(env.teacher_action("density"))
        shots = {shot[:2]: shot[2:] for shot in env.log.split()}
        for index, code in enumerate(observation.ravel()):
            answer = shots.get(env.rules.cell(index), "")
            kind = {"": 0, "-": 1, "+": 2, "#": 3}[answer[:1]]
            assert (code % 4, code // 4) == (kind, int(answer[1:] or 0))
            assert info["action_mask"][index] == (kind == 0) == env.action_masks()[index]


def test_a_repeated_shot_costs_reward_and_never_raises() -> None:
    env = gymnasium.make("broadside/Shooter-v0", rules="sploosh", rewards={"repeated": -7}, max_steps=5)
    env.reset(seed=1)
    first = env.step(np.int64(0))
    for step in range(4):
        observation, reward, terminated, truncated, info = env.step(np.int64(0))
        assert reward == -7 and not terminated and truncated == (step == 3)
        assert (observation == first[0]).all() and info["action_mask"].sum() == 63


def test_rewards_are_those_of_the_scheme() -> None:
    rules = "2x2 2 allowed ship"
    for scheme, worth in REWARDS.items():
        env: Any = gymnasium.make("broadside/Shooter-v0", rules=rules, rewards=scheme).unwrapped
        env.reset(seed=1)
        over = False
        while not over:
            action = env.teacher_action("density")
            observation, reward, over, _, _ = env.step(action)
            kind = observation.ravel()[action] % 4
            expected = worth["miss"] if kind == 1 else worth["hit"] + (worth["sunk"] if kind == 3 else 0) + (worth["won"] if over else 0)
            assert reward == pytest.approx(expected)
    with pytest.raises(ValueError, match="no reward scheme"):
        gymnasium.make("broadside/Shooter-v0", rewards="gold")
    with pytest.raises(ValueError, match="not for luck"):
        gymnasium.make("broadside/Shooter-v0", rewards={"luck": 1})


def test_the_teachers_odds_are_those_of_the_log() -> None:
    env: Any = gymnasium.make("broadside/Shooter-v0").unwrapped
    env.reset(seed=2)
    for action in (44, 45, 12, 78):
        env.step(action)
    assert env.odds().layouts == broadside.odds("classic", env.log).layouts


@pytest.mark.parametrize("copy", [True, False])
def test_many_boards_are_many_single_ones(copy: bool) -> None:
    boards, rules, dice = 7, "5x5 3,2 corners ship", np.random.default_rng(1)
    vector: Any = gymnasium.make_vec("broadside/Shooter-v0", num_envs=boards, rules=rules, copy=copy)
    assert vector.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    observations, infos = vector.reset(seed=5)
    assert observations.shape == (boards, 5, 5) and vector.observation_space.contains(observations.copy())
    singles: list[Any] = [gymnasium.make("broadside/Shooter-v0", rules=rules).unwrapped for _ in range(boards)]
    for number, env in enumerate(singles):
        env.reset(seed=5)
        for _ in range(number):
            env.reset()
    ended = np.zeros(boards, dtype=bool)
    for _ in range(150):
        actions = dice.integers(25, size=boards)
        observations, rewards, terminated, truncated, infos = vector.step(actions)
        for number, env in enumerate(singles):
            if ended[number]:
                for _ in range(boards):
                    observation, info = env.reset()
                expected = (observation, 0.0, False, False, info)
            else:
                expected = env.step(actions[number])
            assert (observations[number] == expected[0]).all()
            assert (rewards[number], terminated[number], truncated[number]) == expected[1:4]
            assert (infos["action_mask"][number] == expected[4]["action_mask"]).all()
            assert vector.unwrapped.games[number] == expected[4]["game"]
        ended = terminated | truncated
    assert vector.unwrapped.games.max() > 2 * boards


def test_arrays_are_fresh_or_written_in_place() -> None:
    for copy in (True, False):
        env = ShooterVectorEnv(3, "sploosh", copy=copy)
        env.reset(seed=1)
        first = env.step(np.array([0, 1, 2]))[0]
        before = first.copy()
        second = env.step(np.array([3, 4, 5]))[0]
        assert np.shares_memory(first, second) != copy
        assert (first == before).all() == copy


def test_boards_refuse_what_they_can_not_do() -> None:
    env = ShooterVectorEnv(3, "sploosh")
    env.reset(seed=1)
    for actions in ([0, 1], [0, 1, 64], [0, -1, 2]):
        with pytest.raises(ValueError, match="action"):
            env.step(np.array(actions))
    with pytest.raises(ValueError, match="one seed"):
        env.reset(seed=[1, 2, 3])
    with pytest.raises(ValueError, match="at least one board"):
        ShooterVectorEnv(0)


def test_teachers_of_many_boards_play_the_games_of_the_campaign() -> None:
    env = ShooterVectorEnv(10, "sploosh")
    env.reset(seed=4)
    shots = np.zeros(10, dtype=int)
    running = np.ones(10, dtype=bool)
    while running.any():
        terminated = env.step(env.teacher_actions("hunt-target"))[2]
        shots += running
        running &= ~terminated
    expected = broadside.simulate("sploosh", "hunt-target", games=10, seed=4).captains[0].histogram
    # Boards that ended early go on with other games, so only the first of each counts.
    assert np.bincount(shots, minlength=65).tolist() == expected.tolist()


def test_boards_are_drawn_as_text_and_as_images() -> None:
    text = gymnasium.make("broadside/Shooter-v0", rules="2x2 1 allowed ship", render_mode="ansi")
    text.reset(seed=1)
    text.step(np.int64(0))
    drawn: Any = text.unwrapped.render()
    assert drawn.splitlines()[0] == "   1 2" and len(drawn.splitlines()) == 3
    image: Any = gymnasium.make("broadside/Shooter-v0", rules="2x2 1 allowed ship", render_mode="rgb_array").unwrapped
    image.reset(seed=1)
    before = image.render()
    image.step(3)
    assert before.shape == (48, 48, 3) and before.dtype == np.uint8
    changed = np.argwhere((image.render() != before).any(axis=2))
    assert changed.min() >= 24


# PettingZoo says of every dict, which its own convention for masks asks for, that it is no array, but for the environments that it
# ships; and of whoever has placed no ship and fired no shot that it sees nothing, which is true.
@pytest.mark.filterwarnings("ignore:Observation")
@pytest.mark.parametrize("rules", ["classic", "5x5 3,2 never bare", "4x3 2,1 allowed every"])
@pytest.mark.parametrize("placing", ["agents", "dealt"])
def test_pettingzoo_has_nothing_to_say(rules: str, placing: str) -> None:
    make: Callable[..., Any] = battleship_v0.env
    api_test(make(rules=rules, placing=placing), num_cycles=300)
    seed_test(lambda: make(rules=rules, placing=placing), num_cycles=60)
    parallel_api_test(battleship_v0.parallel_env(rules=rules, placing=placing), num_cycles=300)


def play(env: Any, dice: np.random.Generator) -> dict[str, float]:
    """A game of random legal actions; what it was worth to each side."""
    worth = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        worth[agent] += reward
        env.step(None if terminated or truncated else int(dice.choice(np.flatnonzero(observation["action_mask"]))))
    return worth


def test_the_winner_gets_one_and_the_loser_loses_one() -> None:
    env, dice = battleship_v0.env(rules="5x5 3,2 never ship"), np.random.default_rng(1)
    for game in range(10):
        env.reset(seed=1 if game == 0 else None)
        assert sorted(play(env, dice).values()) == [-1.0, 1.0]


def test_whoever_is_stuck_while_placing_starts_anew_and_gets_a_layout_in_the_end() -> None:
    rules = broadside.Rules(board="3x3", fleet=[2, 2, 1], touch="corners")
    env = battleship_v0.raw_env(rules=rules)
    dice = np.random.default_rng(2)
    for game in range(20):
        env.reset(seed=game)
        assert sorted(play(env, dice).values()) == [-1.0, 1.0]


def test_sides_see_their_own_board_and_never_the_other() -> None:
    env: Any = battleship_v0.raw_env(rules="sploosh", placing="dealt")
    env.reset(seed=3)
    for agent in env.agents:
        shots, board = env.observe(agent)["observation"]
        assert not shots.any() and board.sum() == 9
    env.step(10)
    assert env.observe("player_1")["observation"][1].ravel()[10] & 2
    assert env.observe("player_0")["observation"][0].ravel()[10] % 4 in (1, 2)
    env.step(11)
    assert env.log("player_0").split()[0].startswith("B3")
    # Firing there again costs the turn.
    env.step(10)
    assert env.rewards["player_0"] == pytest.approx(-0.1) and env.agent_selection == "player_1"


def test_a_captain_as_an_opponent_beats_random_play() -> None:
    env: Any = battleship_v0.raw_env(rules="sploosh")
    captain, dice, won = battleship_v0.CaptainAgent("density", "sploosh"), np.random.default_rng(3), 0
    for game in range(20):
        env.reset(seed=game)
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            if terminated or truncated:
                won += agent == "player_1" and reward == 1.0
                env.step(None)
            elif agent == "player_1":
                env.step(captain.act(observation, env.teacher(agent)))
            else:
                env.step(int(dice.choice(np.flatnonzero(observation["action_mask"]))))
    assert won > 15


def test_the_benchmark_fires_at_no_cell_twice() -> None:
    actions = bench.recorded(20, 250)
    env = ShooterVectorEnv(20, rewards={"repeated": -100})
    env.reset(seed=1)
    rewards = np.array([env.step(row)[1] for row in actions])
    assert set(np.unique(rewards)) == {-1.0, 0.0} and env.games.max() >= 20


def test_the_benchmark_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["bench", "--seconds", "0.01", "--logs", "5", "--steps", "3"])
    bench.main()
    assert capsys.readouterr().out.count("/s ") >= 10
