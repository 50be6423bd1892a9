//! Captains on the same layouts, any number of games, in as many sittings as it takes.

use std::iter::repeat_n;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use broadside_captains::{Captain, GameRng, Registry};
use broadside_odds::Dealer;
use broadside_rules::{Layout, Referee, Rules};

use crate::{Campaign, CampaignError, Histogram, Layouts, generator};

/// Games that a thread takes at a time: many enough that taking them costs nothing, few enough that nobody waits long
/// for the last of them when a slow captain is told to pause.
const BATCH: u64 = 32;

/// Captains who play the same games.
///
/// The generator of game `i` deals the layout, and every captain draws its lots from a copy of it as it is after dealing:
/// each plays as it would alone.
///
/// ```
/// use broadside_lab::{Campaign, Contest, Layouts};
/// let campaign = Campaign { rules: "5x5 3,2 allowed ship".parse()?, games: 100, seed: 1 };
/// let contest = Contest::new(campaign, ["random", "density"], Layouts::Uniform)?;
/// let mut standing = contest.start();
/// // Pauses again and again: nothing in the result tells.
/// while standing.played() < 100 {
///     contest.play(&mut standing, |_| true)?;
/// }
/// assert!(standing.shots()[0].mean() > standing.shots()[1].mean());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Contest {
    campaign: Campaign,
    captains: Vec<String>,
    layouts: Layouts,
    registry: Registry,
    /// Crews that have played and may do so again: captains remember much that would be lost with each new one.
    spare: Mutex<Vec<Crew>>,
}

impl Contest {
    /// A contest between these captains.
    ///
    /// # Errors
    /// When there is no such captain or no captain at all, when one is named twice, or when the list of layouts is empty.
    pub fn new(
        campaign: Campaign,
        captains: impl IntoIterator<Item = impl Into<String>>,
        layouts: Layouts,
    ) -> Result<Self, CampaignError> {
        Self::with_registry(&Registry::new(), campaign, captains, layouts)
    }

    /// A contest between captains of this registry.
    ///
    /// # Errors
    /// As for [`Contest::new`].
    pub fn with_registry(
        registry: &Registry,
        campaign: Campaign,
        captains: impl IntoIterator<Item = impl Into<String>>,
        layouts: Layouts,
    ) -> Result<Self, CampaignError> {
        let captains: Vec<String> = captains.into_iter().map(Into::into).collect();
        let twice = captains.iter().enumerate().find(|(i, name)| captains[..*i].contains(name));
        if let Some((_, name)) = twice {
            return Err(CampaignError::Twice(name.clone()));
        }
        if captains.is_empty() {
            return Err(CampaignError::Nobody);
        }
        if matches!(&layouts, Layouts::Listed(layouts) if layouts.is_empty()) {
            return Err(CampaignError::NoLayouts);
        }
        let contest = Self { campaign, captains, layouts, registry: registry.clone(), spare: Mutex::new(Vec::new()) };
        let crew = contest.crew()?;
        contest.spare().push(crew);
        Ok(contest)
    }

    /// The rules, the number of games and the seed.
    pub fn campaign(&self) -> &Campaign {
        &self.campaign
    }

    /// Who plays.
    pub fn captains(&self) -> &[String] {
        &self.captains
    }

    /// Where the layouts come from.
    pub fn layouts(&self) -> &Layouts {
        &self.layouts
    }

    /// The standing before the first game.
    pub fn start(&self) -> Standing {
        let (cells, captains) = (self.campaign.rules.grid().len().cast_signed() as i64, self.captains.len());
        Standing {
            played: 0,
            shots: vec![Histogram::new(0, cells); captains],
            differences: vec![Histogram::new(-cells, cells); captains * (captains - 1) / 2],
        }
    }

    /// Plays on from a standing until all games are played, or until `pause`, which is told the number of games whenever
    /// some are done, says so. The first games are always played first, so a standing after `n` games is the same
    /// whenever, in however many sittings and on however many threads they were played.
    ///
    /// Runs on all threads of the current rayon pool.
    ///
    /// # Errors
    /// When the board is too tight to deal from. The standing is then as it was.
    pub fn play(&self, standing: &mut Standing, pause: impl Fn(u64) -> bool + Sync) -> Result<(), CampaignError> {
        let (next, paused) = (AtomicU64::new(standing.played), AtomicBool::new(false));
        let parts = rayon::broadcast(|_| -> Result<Standing, CampaignError> {
            let (mut part, mut crew) = (self.start(), self.crew()?);
            // Whoever takes games plays them, so what has been played never has a gap.
            while let Some(batch) = self.take(&next) {
                let games = batch.end - batch.start;
                for game in batch {
                    part.add(crew.play(self, game)?);
                }
                if pause(games) {
                    paused.store(true, Ordering::Relaxed);
                }
                if paused.load(Ordering::Relaxed) {
                    break;
                }
            }
            self.spare().push(crew);
            Ok(part)
        });
        let parts = parts.into_iter().collect::<Result<Vec<_>, _>>()?;
        for part in &parts {
            standing.merge(part);
        }
        Ok(())
    }

    fn take(&self, next: &AtomicU64) -> Option<std::ops::Range<u64>> {
        let (start, games) = (next.fetch_add(BATCH, Ordering::Relaxed), self.campaign.games);
        (start < games).then(|| start..(start + BATCH).min(games))
    }

    fn spare(&self) -> MutexGuard<'_, Vec<Crew>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A crew that is free, or a new one.
    fn crew(&self) -> Result<Crew, CampaignError> {
        if let Some(crew) = self.spare().pop() {
            return Ok(crew);
        }
        let rules = &self.campaign.rules;
        let captains = self.captains.iter().map(|name| self.registry.captain(name, rules)).collect::<Result<Vec<_>, _>>()?;
        Ok(Crew { dealer: Dealer::new(rules), shots: vec![0; captains.len()], captains, referee: None })
    }
}

/// What a thread keeps from game to game.
struct Crew {
    dealer: Dealer,
    captains: Vec<Box<dyn Captain>>,
    referee: Option<Referee>,
    shots: Vec<i64>,
}

impl Crew {
    /// How many shots each captain takes for a game.
    fn play(&mut self, contest: &Contest, game: u64) -> Result<&[i64], CampaignError> {
        let Campaign { rules, seed, .. } = &contest.campaign;
        let mut rng = generator(*seed, game);
        let layout = contest.layouts.of_game(game, &mut self.dealer, &mut rng)?;
        let layouts = repeat_n(layout, self.captains.len());
        for ((captain, shots), layout) in self.captains.iter_mut().zip(&mut self.shots).zip(layouts) {
            *shots = play(captain.as_mut(), seat(&mut self.referee, rules, layout), &mut rng.clone());
        }
        Ok(&self.shots)
    }
}

/// The referee of a new game, who keeps the memory of the last.
fn seat<'a>(referee: &'a mut Option<Referee>, rules: &Rules, layout: Layout) -> &'a mut Referee {
    match referee {
        Some(referee) => {
            referee.restart(layout);
            referee
        }
        None => referee.insert(Referee::new(rules, layout)),
    }
}

pub(crate) fn play(captain: &mut dyn Captain, referee: &mut Referee, rng: &mut GameRng) -> i64 {
    while !referee.is_over() {
        let cell = captain.aim(referee.log(), rng);
        referee.fire(cell).expect("a captain's shots are legal");
    }
    referee.log().len().cast_signed() as i64
}

/// What the games so far have shown: the same amount however many they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    played: u64,
    shots: Vec<Histogram>,
    differences: Vec<Histogram>,
}

impl Standing {
    /// A standing read from somewhere; the caller has checked that its parts belong together.
    pub(crate) fn of_parts(played: u64, shots: Vec<Histogram>, differences: Vec<Histogram>) -> Self {
        Self { played, shots, differences }
    }

    /// How many games have been played.
    pub fn played(&self) -> u64 {
        self.played
    }

    /// How many games took each number of shots, for each captain.
    pub fn shots(&self) -> &[Histogram] {
        &self.shots
    }

    /// How many more shots one captain took than another, game by game, for each of the [`pairs`].
    pub fn differences(&self) -> &[Histogram] {
        &self.differences
    }

    fn add(&mut self, shots: &[i64]) {
        self.played += 1;
        self.shots.iter_mut().zip(shots).for_each(|(histogram, &shots)| histogram.add(shots));
        self.differences.iter_mut().zip(pairs(shots.len())).for_each(|(histogram, (a, b))| histogram.add(shots[a] - shots[b]));
    }

    fn merge(&mut self, other: &Self) {
        self.played += other.played;
        self.shots.iter_mut().zip(&other.shots).for_each(|(mine, theirs)| mine.merge(theirs));
        self.differences.iter_mut().zip(&other.differences).for_each(|(mine, theirs)| mine.merge(theirs));
    }
}

/// The pairs of so many captains by their numbers: each with all that come after it.
pub fn pairs(captains: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..captains).flat_map(move |a| (a + 1..captains).map(move |b| (a, b)))
}

#[cfg(test)]
mod tests {
    use broadside_rules::Draft;

    use super::*;

    const NAMES: [&str; 3] = ["random", "hunt-target", "density"];

    fn contest(games: u64, layouts: Layouts) -> Contest {
        let campaign = Campaign { rules: "6x6 3,2,2 allowed ship".parse().unwrap(), games, seed: 4 };
        Contest::new(campaign, NAMES, layouts).unwrap()
    }

    fn whole(contest: &Contest) -> Standing {
        let mut standing = contest.start();
        contest.play(&mut standing, |_| false).unwrap();
        standing
    }

    #[test]
    fn pauses_and_threads_leave_no_trace() {
        let contest = contest(500, Layouts::Uniform);
        let expected = whole(&contest);
        assert_eq!(expected.played(), 500);
        for threads in 1..4 {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (mut standing, mut sittings) = (contest.start(), 0);
            while standing.played() < 500 {
                pool.install(|| contest.play(&mut standing, |_| true)).unwrap();
                sittings += 1;
                let prefix = super::Contest::new(
                    Campaign { games: standing.played(), ..contest.campaign().clone() },
                    NAMES,
                    Layouts::Uniform,
                );
                assert_eq!(standing, whole(&prefix.unwrap()), "the first games come first");
            }
            assert!(sittings > 5);
            assert_eq!(standing, expected);
        }
    }

    #[test]
    fn each_captain_plays_as_it_would_alone() {
        for layouts in [Layouts::Uniform, Layouts::Sequential] {
            let together = whole(&contest(200, layouts.clone()));
            for (name, shots) in NAMES.iter().zip(together.shots()) {
                let alone = Contest::new(contest(200, Layouts::Uniform).campaign, [*name], layouts.clone()).unwrap();
                assert_eq!(whole(&alone).shots()[0], *shots);
            }
        }
    }

    #[test]
    fn listed_layouts_come_one_after_the_other_and_start_over() {
        let rules: Rules = "1x4 1 allowed ship".parse().unwrap();
        let layouts = ["A1", "A3"].map(|text| text.parse::<Draft>().unwrap().check(&rules).into_layout().unwrap());
        let campaign = Campaign { rules, games: 5, seed: 1 };
        // Where nothing is known density takes the first cell: one shot for A1, three at most for A3.
        let contest = Contest::new(campaign, ["density"], Layouts::Listed(layouts.into())).unwrap();
        let mut crew = contest.crew().unwrap();
        let shots: Vec<i64> = (0..5).map(|game| crew.play(&contest, game).unwrap()[0]).collect();
        assert_eq!([shots[0], shots[2], shots[4]], [1; 3]);
        assert!(shots[1] > 1 && shots[3] > 1, "{shots:?}");
    }

    #[test]
    fn a_contest_needs_captains_each_once_and_layouts() {
        let campaign = || Campaign { rules: "6x6 3 allowed ship".parse().unwrap(), games: 1, seed: 1 };
        let refused = |names: &[&str], layouts| Contest::new(campaign(), names.iter().copied(), layouts).err();
        assert!(matches!(refused(&["nobody"], Layouts::Uniform), Some(CampaignError::Captain(_))));
        assert_eq!(refused(&[], Layouts::Uniform), Some(CampaignError::Nobody));
        assert_eq!(refused(&["density", "density"], Layouts::Uniform), Some(CampaignError::Twice("density".to_owned())));
        assert_eq!(refused(&["density"], Layouts::Listed([].into())), Some(CampaignError::NoLayouts));
    }
}
