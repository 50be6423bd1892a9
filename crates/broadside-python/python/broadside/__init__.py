"""The game of Battleship: exact odds, captains, campaigns, and environments for learning agents.

>>> import broadside
>>> rules = broadside.Rules("classic")
>>> broadside.count(rules)
15046987768
>>> broadside.odds(rules, "E5- C3+ C4+ C5#3").best
['D6']

`broadside.gymnasium`, `broadside.pettingzoo` and `broadside.dask` need the packages that they are named after, and are imported
on their own.
"""

import sys

from ._broadside import (
    Answer,
    Boards,
    BroadsideError,
    CampaignError,
    CampaignFolder,
    Captain,
    CaptainError,
    CaptainResult,
    CheckpointError,
    DealError,
    FireError,
    LayoutError,
    LogError,
    Odds,
    OddsError,
    Placing,
    Referee,
    Report,
    Results,
    Rules,
    RulesError,
    Violation,
    __version__,
    captains,
    count,
    deal,
    merge,
    odds,
    odds_many,
    play_range,
    simulate,
    validate,
)

__all__ = [
    "Answer",
    "Boards",
    "BroadsideError",
    "CampaignError",
    "CampaignFolder",
    "Captain",
    "CaptainError",
    "CaptainResult",
    "CheckpointError",
    "DealError",
    "FireError",
    "LayoutError",
    "LogError",
    "Odds",
    "OddsError",
    "Placing",
    "Referee",
    "Report",
    "Results",
    "Rules",
    "RulesError",
    "Violation",
    "__version__",
    "captains",
    "count",
    "deal",
    "merge",
    "odds",
    "odds_many",
    "play_range",
    "simulate",
    "validate",
]

# A tournament may start bots, which needs Unix.
if sys.platform != "win32":
    from ._broadside import Tournament, TournamentPart, merge_tournament

    __all__ += ["Tournament", "TournamentPart", "merge_tournament"]
