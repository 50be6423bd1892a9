//! `volley` and `volley-greedy`: choose the shots of a turn as a set, where they are answered after it.
//!
//! The k likeliest cells have the highest expected number of hits, whatever the answers may be: expected values add up. But shots
//! that fall close together tell the same thing several times. So a set is worth its expected hits and, for each bit that
//! its answers tell together, some more: bits are what is still to be found out, hits what is still to be done, and together they
//! are about as many shots as are left to go.
//!
//! `volley-greedy` adds one cell after the other, each the one that makes the set worth most: what a cell tells is the mean over all
//! answers that those before it may get. `volley` goes on from there and replaces cells of the set as long as that makes
//! it worth more.
//!
//! Where only the number of hits is called, a set tells less: how many of its cells were hit. Its bits are then those of that number.
//!
//! All is measured on layouts drawn from those that fit the log, always the same ones for the same log. A shot that
//! is answered at once is chosen as a set of one.

use broadside_odds::{Budget, Transfer};
use broadside_rules::{Cell, Rules, SalvoCall, Shot, ShotLog, Stop, Touch};
use rand::SeedableRng;

use crate::bits::Bits;
use crate::choice::{Choice, Remembered, first_open};
use crate::density::Density;
use crate::{Captain, GameRng, Mode, Reason};

/// What drawing layouts may take.
const BUDGET: Budget = Budget { bytes: 64 << 20, steps: 0 };

/// Layouts drawn for a turn, in words of 64.
const WORDS: usize = 8;

/// Hits that a bit is worth. Mean turns and shots of `volley` over 5,000 games by `10x10 5,4,3,3,2 allowed ship salvo=ships`, seed 7
/// (standard errors 0.03 and 0.13): 0.5: 10.43 and 49.5 (2,000 games); 1: 10.36 and 49.1 (2,000 games); 1.5: 10.36 and 49.1; 2: 10.33 and
/// 49.1; 3: 10.33 and 49.4.
const BIT: f64 = 2.0;

/// The set is gone through so often to replace cells of it.
const ROUNDS: usize = 4;

/// Sets of turns that begin after so few shots are remembered: games of this captain begin alike.
const OPENING: usize = 10;

/// So many of them at most: some megabytes.
const OPENINGS: usize = 1 << 14;

/// Cases of turns of which only the number of hits is known that are followed where nearly all draws clash: where ships may touch, and where they may not, since a case
/// takes the profile sweep far longer there.
const CASES: (usize, usize) = (128, 8);

/// The largest board, in cells, on which they are.
const CASES_UP_TO: usize = 128;

/// Some of the layouts drawn, a bit for each.
type Drawn = [u64; WORDS];

/// A captain that chooses sets.
pub(crate) struct Volley<B> {
    name: &'static str,
    rules: Rules,
    /// Whether cells of the set are replaced once it is chosen.
    replaces: bool,
    transfer: Transfer,
    stop: Stop,
    budget: Budget,
    /// Who aims where layouts can't be drawn.
    density: Density<B>,
    /// The set of the turn at hand.
    turn: Option<(Choice, Vec<Cell>)>,
    openings: Remembered,
}

impl<B: Bits> Volley<B> {
    /// A captain that adds one cell after the other.
    pub(crate) fn greedy(rules: &Rules) -> Self {
        Self { name: "volley-greedy", replaces: false, ..Self::new(rules) }
    }

    /// A captain that looks at the whole set.
    pub(crate) fn new(rules: &Rules) -> Self {
        Self {
            name: "volley",
            rules: rules.clone(),
            replaces: true,
            transfer: Transfer::new(BUDGET),
            stop: Stop::never(),
            budget: BUDGET,
            density: Density::new(rules),
            turn: None,
            openings: Remembered::new(OPENING, OPENINGS),
        }
    }

    /// The next cell of the turn's set; `None` where layouts can't be drawn.
    fn next(&mut self, log: &ShotLog) -> Option<Cell> {
        assert_eq!(log.rules(), &self.rules, "the log of a game by other rules");
        let choice = Choice::next(log);
        if let Some(cell) = self.turn.as_ref().filter(|(last, _)| *last == choice).and_then(|(_, cells)| first_open(cells, log)) {
            return Some(cell);
        }
        let cells = self.set(log, &choice)?;
        let cell = first_open(&cells, log);
        self.turn = Some((choice, cells));
        cell
    }

    /// The set of the turn at hand, the likeliest cell first.
    fn set(&mut self, log: &ShotLog, choice: &Choice) -> Option<Vec<Cell>> {
        if let Some(cells) = self.openings.get(choice) {
            return Some(cells.to_vec());
        }
        let drawn = Layouts::draw::<B>(&mut self.transfer, log, choice)?;
        let mut set = Set::new(&drawn, choice.shots(), self.rules.salvo().call() == SalvoCall::Count);
        set.fill();
        if self.replaces {
            set.replace();
        }
        let cells = set.into_cells(log);
        if !self.stop.is_stopped() {
            self.openings.insert(choice.clone(), cells.clone());
        }
        Some(cells)
    }
}

/// Layouts drawn from those that fit a log.
struct Layouts {
    /// For each cell in reading order, the layouts that have a ship there; nothing for cells whose answer is told.
    covering: Vec<Option<Drawn>>,
}

impl Layouts {
    fn draw<B: Bits>(transfer: &mut Transfer, log: &ShotLog, choice: &Choice) -> Option<Self> {
        let grid = log.rules().grid();
        if !log.called_turns().is_empty() && grid.len() > CASES_UP_TO {
            return None;
        }
        let cases = if log.rules().touch() == Touch::Allowed { CASES.0 } else { CASES.1 };
        let mut sampler = transfer.likely_sampler(log, cases).ok()??;
        let mut rng = GameRng::seed_from_u64(seed(log, choice));
        let is_open = |cell: Cell| !log.rules().is_rock(cell) && !choice.told().iter().any(|shot| shot.cell == cell);
        let mut covering: Vec<Option<Drawn>> = grid.cells().map(|cell| is_open(cell).then_some([0; WORDS])).collect();
        for layout in 0..64 * WORDS {
            let cells = B::from_words(sampler.draw_cells(&mut rng).words());
            for cell in cells.iter() {
                if let Some(covered) = &mut covering[cell] {
                    covered[layout / 64] |= 1 << (layout % 64);
                }
            }
        }
        Some(Self { covering })
    }

    /// The cells that may be fired at, by number, with the layouts that have a ship there.
    fn open(&self) -> impl Iterator<Item = (usize, &Drawn)> {
        self.covering.iter().enumerate().filter_map(|(cell, drawn)| Some((cell, drawn.as_ref()?)))
    }
}

/// A number for what was told so far, from which layouts are drawn.
fn seed(log: &ShotLog, choice: &Choice) -> u64 {
    let shot = |shot: &Shot| log.rules().grid().index(shot.cell) as u64 * 2 + u64::from(shot.answer.is_hit());
    let calls = log.called_turns().iter().map(|turn| turn.call().hits() as u64);
    let add = |hash: u64, number: u64| (hash ^ number).wrapping_mul(0x0100_0000_01b3);
    choice.told().iter().map(shot).chain(calls).fold(0xcbf2_9ce4_8422_2325, add)
}

fn count(drawn: &Drawn) -> u32 {
    drawn.iter().map(|word| word.count_ones()).sum()
}

fn both(a: &Drawn, b: &Drawn) -> Drawn {
    std::array::from_fn(|i| a[i] & b[i])
}

/// A set of shots in the making.
struct Set<'a> {
    layouts: &'a Layouts,
    size: usize,
    /// Whether only the number of hits is called.
    counts: bool,
    cells: Vec<usize>,
}

impl<'a> Set<'a> {
    fn new(layouts: &'a Layouts, size: usize, counts: bool) -> Self {
        Self { layouts, size, counts, cells: Vec::new() }
    }

    /// Adds the best cell until the set has its size or no cell is left.
    fn fill(&mut self) {
        let mut groups = vec![[u64::MAX; WORDS]];
        while self.cells.len() < self.size {
            let Some((cell, _)) = self.best(&groups) else { return };
            groups = self.split(groups, cell);
            self.cells.push(cell);
        }
    }

    /// Replaces each cell by a better one, if there is one, until there is none for any of them.
    fn replace(&mut self) {
        for _ in 0..ROUNDS {
            let before = self.cells.clone();
            for place in 0..self.cells.len() {
                let old = self.cells.swap_remove(place);
                let groups = self.cells.iter().fold(vec![[u64::MAX; WORDS]], |groups, &cell| self.split(groups, cell));
                let worth = self.layouts.covering[old].as_ref().map_or(0.0, |drawn| self.worth(&groups, drawn));
                // The old cell stays where another is only as good.
                let better = self.best(&groups).filter(|&(_, other)| other > worth + 1e-9);
                self.cells.push(better.map_or(old, |(cell, _)| cell));
                let last = self.cells.len() - 1;
                self.cells.swap(place, last);
            }
            if self.cells == before {
                return;
            }
        }
    }

    /// The cell that makes the set worth most, the first of equals, and what it adds. The groups are the layouts that the
    /// answers to the cells of the set can't tell apart.
    fn best(&self, groups: &[Drawn]) -> Option<(usize, f64)> {
        let open = self.layouts.open().filter(|(cell, _)| !self.cells.contains(cell));
        open.map(|(cell, drawn)| (cell, self.worth(groups, drawn))).fold(None, |best: Option<(usize, f64)>, next| match best {
            Some(best) if best.1 >= next.1 => Some(best),
            _ => Some(next),
        })
    }

    /// What a cell adds to the set.
    fn worth(&self, groups: &[Drawn], drawn: &Drawn) -> f64 {
        if self.counts { worth_counted(groups, drawn) } else { worth(groups, drawn) }
    }

    fn split(&self, groups: Vec<Drawn>, cell: usize) -> Vec<Drawn> {
        let Some(drawn) = &self.layouts.covering[cell] else { return groups };
        if self.counts {
            return by_hits(&groups, drawn);
        }
        let water = drawn.map(|word| !word);
        let parts = groups.iter().flat_map(|group| [both(group, drawn), both(group, &water)]);
        parts.filter(|part| count(part) > 0).collect()
    }

    fn into_cells(self, log: &ShotLog) -> Vec<Cell> {
        let mut cells = self.cells;
        cells.sort_by_key(|&cell| (std::cmp::Reverse(self.layouts.covering[cell].as_ref().map(count)), cell));
        cells.into_iter().filter_map(|cell| log.rules().grid().cell(cell)).collect()
    }
}

/// What a cell with ships in these layouts adds to a set: the hits to expect, and what its answer tells beyond those before.
fn worth(groups: &[Drawn], drawn: &Drawn) -> f64 {
    let all = f64::from(64 * WORDS as u32);
    let bits = |group: &Drawn| {
        let (size, hit) = (f64::from(count(group)), f64::from(count(&both(group, drawn))));
        size * entropy(hit / size)
    };
    f64::from(count(drawn)) / all + BIT * groups.iter().map(bits).sum::<f64>() / all
}

/// The layouts by the number of hits among the cells of a set, once this cell is one of them; before it they were in these groups.
fn by_hits(groups: &[Drawn], drawn: &Drawn) -> Vec<Drawn> {
    let group = |hits: usize| groups.get(hits).copied().unwrap_or([0; WORDS]);
    let hits = |hits: usize| {
        let (same, fewer) = (group(hits), if hits > 0 { group(hits - 1) } else { [0; WORDS] });
        std::array::from_fn(|i| same[i] & !drawn[i] | fewer[i] & drawn[i])
    };
    (0..=groups.len()).map(hits).collect()
}

/// The same where only the number of hits is called: what that number tells with the cell among the set.
fn worth_counted(groups: &[Drawn], drawn: &Drawn) -> f64 {
    let all = f64::from(64 * WORDS as u32);
    let part = |group: &Drawn| f64::from(count(group)) / all;
    let bits: f64 = by_hits(groups, drawn).iter().map(part).filter(|&share| share > 0.0).map(|share| -share * share.log2()).sum();
    part(drawn) + BIT * bits
}

/// The bits that an event of this chance tells.
fn entropy(chance: f64) -> f64 {
    let part = |p: f64| if p > 0.0 { -p * p.log2() } else { 0.0 };
    part(chance) + part(1.0 - chance)
}

impl<B: Bits> Captain for Volley<B> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn aim(&mut self, log: &ShotLog, rng: &mut GameRng) -> Cell {
        self.next(log).unwrap_or_else(|| self.density.aim(log, rng))
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        let density = self.density.explain(log, rng);
        let Some(cell) = self.next(log) else {
            return Reason { words: format!("no layouts can be drawn, so by density: {}", density.words), ..density };
        };
        let set = self.turn.as_ref().map_or(&[][..], |(_, cells)| cells);
        let grid = self.rules.grid();
        let scores = grid.cells().map(|other| (!log.fired().contains(other)).then(|| f64::from(u8::from(set.contains(&other)))));
        let names = set.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let words = format!("one of the set {names}, which is worth most by its hits and by what it tells");
        Reason { cell, mode: if log.hits().is_empty() { Mode::Hunt } else { density.mode }, scores: scores.collect(), words }
    }

    fn set_stop(&mut self, stop: &Stop) {
        self.transfer = Transfer::new(self.budget.until(stop));
        self.stop = stop.clone();
    }

    fn set_budget(&mut self, budget: Budget) -> bool {
        self.budget = budget;
        self.transfer = Transfer::new(budget.until(&self.stop));
        self.openings.clear();
        true
    }
}
