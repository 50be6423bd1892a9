"""The whole game for two agents, who place their ships and then fire.

`env()` is the AEC form, in which the sides take turns; `parallel_env()` the one in which both act at the same time, so that both may
win at once. Both take:

- `rules`: a preset, a text or `broadside.Rules`;
- `placing`: 'agents', who place ship by ship, the longest first; or 'dealt', uniformly;
- `repeated`: the reward for a shot at a cell fired at before, or a ship where it can't lie. It costs the turn and never raises;
- `max_rounds`: turns of each side after which a game is truncated; four times the number of cells unless told.

An action from 0 to cells - 1 fires at a cell, or places the next ship across from its left end; from cells on, it places it down from
its upper end. Whoever is stuck, with no place left for the next ship, starts to place anew, and after some attempts gets a layout that
is dealt. The winner gets 1 and the loser -1; when both win at once, both get 0.

An observation is a dict: `action_mask`, and `observation` of (2, rows, columns): the agent's own shots, as in
`broadside.gymnasium`, and its own board, 1 for a ship plus 2 for a cell that the opponent has fired at.

>>> game = env(rules="sploosh")
>>> game.reset(seed=1)
>>> for agent in game.agent_iter():
...     observation, reward, terminated, truncated, info = game.last()
...     mask = observation["action_mask"]
...     game.step(None if terminated or truncated else int(mask.argmax()))
>>> game.agents
[]
"""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from .. import Captain, Placing, Referee, Rules, _render, deal

__all__ = ["CaptainAgent", "env", "parallel_env", "raw_env"]

AGENTS = ["player_0", "player_1"]
PLACING_ATTEMPTS = 20
"""How often an agent that got stuck may start to place anew."""

Observation = dict[str, NDArray[Any]]


class _Side:
    """One side: its ships, and what it knows of the other's."""

    def __init__(self, rules: Rules, dealt: str | None) -> None:
        self.rules = rules
        self.placing = Placing(rules)
        self.attempts = 0
        self.layout = dealt
        self.board = np.zeros(rules.shape, dtype=np.int16)
        self.shots = np.zeros(rules.shape, dtype=np.int16)
        for rock in rules.rocks:
            self.shots.flat[rules.index(rock)] = 1
        self.referee: Referee | None = None
        """Answers this side's shots: it knows the other side's layout."""
        if dealt is not None:
            self.board[:] = Referee(rules, dealt).board()

    def place(self, action: int, spare: str) -> bool:
        """Places the next ship; says whether that was allowed. Whoever is stuck starts anew, and gets `spare` in the end."""
        allowed = self.placing.place(action)
        if self.placing.done:
            self.layout = self.placing.layout
        elif not self.placing.mask().any():
            self.attempts += 1
            self.placing.clear()
            if self.attempts >= PLACING_ATTEMPTS:
                self.layout = spare
        self.board[:] = self.placing.board() if self.layout is None else Referee(self.rules, self.layout).board()
        return allowed

    def fire(self, action: int, other: _Side) -> bool:
        """Fires; says whether that was allowed."""
        cells = self.rules.rows * self.rules.cols
        if action >= cells or self.shots.flat[action]:
            return False
        assert self.referee is not None
        answer = self.referee.fire(action)
        self.shots.flat[action] = answer.code
        other.board.flat[action] |= 2
        return True

    @property
    def has_won(self) -> bool:
        return self.referee is not None and self.referee.over

    def mask(self) -> NDArray[np.int8]:
        if self.layout is None:
            return self.placing.mask()
        fire = (self.shots.ravel() == 0).astype(np.int8)
        return np.concatenate([fire, np.zeros_like(fire)])

    def observation(self) -> Observation:
        return {"observation": np.stack([self.shots, self.board]), "action_mask": self.mask()}


class _Battle:
    """The game that both forms play: sides, spaces, rewards."""

    def __init__(self, rules: Rules | str, placing: str, repeated: float, max_rounds: int | None) -> None:
        if placing not in ("agents", "dealt"):
            raise ValueError(f"placing is 'agents' or 'dealt', not {placing!r}")
        self.rules = Rules(rules) if isinstance(rules, str) else rules
        if self.rules.salvo != "1":
            raise ValueError("environments play one shot a turn: leave out the salvo")
        if self.rules.noise:
            raise ValueError("environments give true answers: leave out the noise")
        self.dealt = placing == "dealt"
        self.repeated = float(repeated)
        cells = self.rules.rows * self.rules.cols
        self.max_rounds = 4 * cells if max_rounds is None else max_rounds
        self.action_space = gym.spaces.Discrete(2 * cells)
        self.observation_space = gym.spaces.Dict(
            {
                "observation": gym.spaces.Box(0, 3 + 4 * max(self.rules.fleet), shape=(2, *self.rules.shape), dtype=np.int16),
                "action_mask": gym.spaces.Box(0, 1, shape=(2 * cells,), dtype=np.int8),
            }
        )
        self.seed: int | None = None
        self.game = -1
        self.sides: list[_Side] = []

    def start(self, seed: int | None) -> None:
        """Starts a game: with a seed the first one of its sequence, without one the next."""
        if seed is not None or self.seed is None:
            self.seed = int(np.random.default_rng().integers(2**63)) if seed is None else seed
            self.game = -1
        self.game += 1
        self.rounds = 0
        _, self.spare = deal(self.rules, 2, self.seed, first=2 * self.game)
        self.sides = [_Side(self.rules, layout if self.dealt else None) for layout in self.spare]
        self._arm()

    def _arm(self) -> None:
        """Gives each side the referee over the other's ships, once these are placed."""
        for side, other in zip(self.sides, reversed(self.sides), strict=True):
            if other.layout is not None and side.referee is None:
                side.referee = Referee(self.rules, other.layout)

    def act(self, number: int, action: int) -> float:
        """One side places or fires; its reward for that."""
        side, other = self.sides[number], self.sides[1 - number]
        if side.layout is None:
            allowed = side.place(action, self.spare[number])
            self._arm()
        elif side.referee is None:
            # The other side still places ships: nothing can be fired at, and nothing is lost.
            return 0.0
        else:
            allowed = side.fire(action, other)
        return 0.0 if allowed else self.repeated

    def outcome(self) -> list[float] | None:
        """What the game is worth to each side, when it is over."""
        first, second = (side.has_won for side in self.sides)
        if not (first or second):
            return None
        return [float(first) - float(second), float(second) - float(first)]

    def render(self, mode: str | None) -> Any:
        if mode == "ansi":
            return "\n\n".join(f"{agent} has fired\n{_render.text(side.shots)}" for agent, side in zip(AGENTS, self.sides, strict=True))
        if mode == "rgb_array":
            gap = np.full((self.rules.rows * _render.CELL, _render.CELL, 3), 255, dtype=np.uint8)
            first, second = (_render.image(side.shots) for side in self.sides)
            return np.concatenate([first, gap, second], axis=1)
        return None


class _Form:
    """What both forms share: the options, the spaces, the pictures."""

    def __init__(
        self,
        rules: Rules | str = "classic",
        *,
        placing: str = "agents",
        repeated: float = -0.1,
        max_rounds: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._battle = _Battle(rules, placing, repeated, max_rounds)
        self.rules = self._battle.rules
        self.render_mode = render_mode
        self.possible_agents = AGENTS[:]
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> gym.spaces.Space[Any]:
        return self._battle.observation_space

    def action_space(self, agent: str) -> gym.spaces.Space[Any]:
        return self._battle.action_space

    def render(self) -> Any:
        return self._battle.render(self.render_mode)

    def close(self) -> None:
        """Nothing is left open."""

    def log(self, agent: str) -> str:
        """The shots of an agent so far with their answers."""
        referee = self.teacher(agent)
        return "" if referee is None else referee.log

    def teacher(self, agent: str) -> Referee | None:
        """The referee of an agent's shots, for captains and odds; None while the opponent places."""
        return self._battle.sides[AGENTS.index(agent)].referee


class raw_env(_Form, AECEnv[str, Observation, int | None]):  # noqa: N801 (PettingZoo's own name)
    """The AEC form without wrappers."""

    metadata = {"name": "broadside_battleship_v0", "render_modes": ["ansi", "rgb_array"], "is_parallelizable": False, "render_fps": 4}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._battle.start(seed)
        self.agents = AGENTS[:]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[0]

    def observe(self, agent: str) -> Observation:
        return self._battle.sides[AGENTS.index(agent)].observation()

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        number = AGENTS.index(agent)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self.rewards[agent] = self._battle.act(number, int(action))
        self._end_if_over(number)
        self.agent_selection = AGENTS[1 - number]
        self._accumulate_rewards()

    def _end_if_over(self, number: int) -> None:
        outcome = self._battle.outcome()
        if outcome is not None:
            self.terminations = dict.fromkeys(AGENTS, True)
            for agent, worth in zip(AGENTS, outcome, strict=True):
                self.rewards[agent] += worth
        self._battle.rounds += number
        if outcome is None and self._battle.rounds >= self._battle.max_rounds:
            self.truncations = dict.fromkeys(AGENTS, True)


def env(**options: Any) -> AECEnv[str, Observation, int | None]:
    """The AEC form, with PettingZoo's checks of the order of calls and of actions."""
    checked: Any = wrappers.AssertOutOfBoundsWrapper(raw_env(**options))
    return wrappers.OrderEnforcingWrapper(checked)


class parallel_env(_Form, ParallelEnv[str, Observation, int]):  # noqa: N801 (PettingZoo's own name)
    """The form in which both sides act at the same time."""

    metadata = {"name": "broadside_battleship_v0", "render_modes": ["ansi", "rgb_array"], "render_fps": 4}

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        self._battle.start(seed)
        self.agents = AGENTS[:]
        return self._observations(), {agent: {} for agent in AGENTS}

    def _observations(self) -> dict[str, Observation]:
        return {agent: side.observation() for agent, side in zip(AGENTS, self._battle.sides, strict=True)}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        rewards = [self._battle.act(number, int(actions[agent])) for number, agent in enumerate(AGENTS)]
        outcome = self._battle.outcome()
        self._battle.rounds += 1
        truncated = outcome is None and self._battle.rounds >= self._battle.max_rounds
        if outcome is not None:
            rewards = [reward + worth for reward, worth in zip(rewards, outcome, strict=True)]
        if outcome is not None or truncated:
            self.agents = []
        return (
            self._observations(),
            dict(zip(AGENTS, rewards, strict=True)),
            dict.fromkeys(AGENTS, outcome is not None),
            dict.fromkeys(AGENTS, truncated),
            {agent: {} for agent in AGENTS},
        )


class CaptainAgent:
    """A captain as an opponent: places at random and fires by its strategy.

    >>> game = raw_env(rules="sploosh", placing="dealt")
    >>> game.reset(seed=3)
    >>> players = {agent: CaptainAgent("density", game.rules) for agent in game.agents}
    >>> for agent in game.agent_iter():
    ...     observation, reward, terminated, truncated, info = game.last()
    ...     game.step(None if terminated or truncated else players[agent].act(observation, game.teacher(agent)))
    >>> all(not referee or referee.shots > 8 for referee in map(game.teacher, game.possible_agents))
    True
    """

    def __init__(self, name: str, rules: Rules | str, *, seed: int = 1) -> None:
        self.captain = Captain(name, rules, seed=seed)
        self.rules = self.captain.rules
        self._random = np.random.default_rng(seed)

    def act(self, observation: Observation, referee: Referee | None) -> int:
        """Its action: where it fires, or while ships are placed any place that is allowed."""
        mask = observation["action_mask"]
        placing = referee is None or not (observation["observation"][1] & 1).sum() == sum(self.rules.fleet)
        if placing:
            return int(self._random.choice(np.flatnonzero(mask))) if mask.any() else 0
        assert referee is not None
        return self.rules.index(self.captain.aim(referee))
