//! The cells of a position compared on layouts: all of them, or some that are drawn.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use broadside_rules::{Cell, Placement, ShotLog, Stop, Stopped};
use num_rational::Ratio;
use rand::SeedableRng;

use super::boards::Boards;
use super::candidates::Chances;
use super::playout::{Player, answers};
use super::report::{CellReport, Method, Report};
use super::source::Source;
use super::sums::{Mean, Sums};
use super::{Settings, Work, finished};
use crate::GameRng;
use crate::bits::Bits;
use crate::registry::admiral;

/// A comparison of cells that can be refined.
pub(super) trait Compare: Send {
    fn refine(&mut self, most_playouts: u64, stop: &Stop) -> Result<bool, Stopped>;
    fn playouts(&self) -> u64;
    fn look(&self) -> Option<Report>;
    fn leader(&self) -> Option<Cell>;
    fn work(&self) -> Work;
}

/// A comparison that is done.
pub(super) struct Done(pub(super) Report);

impl Compare for Done {
    fn refine(&mut self, _most_playouts: u64, _stop: &Stop) -> Result<bool, Stopped> {
        Ok(false)
    }

    fn playouts(&self) -> u64 {
        self.0.playouts
    }

    fn look(&self) -> Option<Report> {
        Some(self.0.clone())
    }

    fn leader(&self) -> Option<Cell> {
        self.0.best.first().copied()
    }

    fn work(&self) -> Work {
        Work::default()
    }
}

/// What a cell's answer tells, from some layouts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tells {
    pub(super) sinks: f64,
    pub(super) layouts_left: f64,
}

impl Tells {
    pub(super) fn new<B: Bits>(boards: &Boards<B>, log: &ShotLog, cell: Cell) -> Self {
        let all = boards.len() as f64;
        let mut tells = Self::default();
        for (answer, count) in answers(boards, log, cell) {
            let share = count as f64 / all;
            tells.layouts_left += share * share;
            tells.sinks += if answer.is_sunk() { share } else { 0.0 };
        }
        tells
    }
}

/// The position, the cells to compare and who plays on.
pub(super) struct Comparison<B> {
    log: ShotLog,
    cells: Vec<Cell>,
    chances: Chances,
    tells: Vec<Tells>,
    players: Vec<Player>,
    boards: Boards<B>,
    games: u64,
}

impl<B: Bits> Comparison<B> {
    pub(super) fn new(log: &ShotLog, settings: &Settings, cells: Vec<Cell>, chances: Chances) -> Self {
        let player = |_| Player::new(log, admiral(log.rules()));
        Self {
            log: log.clone(),
            cells,
            chances,
            tells: Vec::new(),
            players: (0..settings.threads.max(1)).map(player).collect(),
            boards: Boards::new(log.rules()),
            games: 0,
        }
    }

    fn work(&self) -> Work {
        Work { games: self.games, thoughts: self.players.iter().map(Player::thoughts).sum() }
    }

    /// The comparison on all layouts.
    pub(super) fn listed(mut self, layouts: &[Vec<Placement>]) -> Listed<B> {
        self.boards.extend(layouts);
        self.find_out_what_answers_tell();
        Listed { comparison: self, totals: None }
    }

    /// The comparison on layouts that are drawn.
    pub(super) fn sampled(self, source: Source, settings: &Settings) -> Sampled<B> {
        let cells = self.cells.len();
        let watched = settings.watched.and_then(|watched| self.cells.iter().position(|&cell| cell == watched));
        Sampled {
            comparison: self,
            source,
            rng: GameRng::seed_from_u64(settings.seed),
            choosing: Sums::new(cells),
            measuring: Sums::new(cells),
            running: (0..cells).collect(),
            leaders: Vec::new(),
            rounds: 0,
            watched,
            playouts: 0,
        }
    }

    fn find_out_what_answers_tell(&mut self) {
        self.tells = self.cells.iter().map(|&cell| Tells::new(&self.boards, &self.log, cell)).collect();
    }

    /// The shots to go of some of the cells, each on each layout.
    fn play(&mut self, cells: &[usize], stop: &Stop) -> Result<Vec<Vec<u16>>, Stopped> {
        let tasks = tasks(cells.len(), self.boards.len(), self.players.len());
        let first: Vec<Cell> = cells.iter().map(|&number| self.cells[number]).collect();
        let (next, boards) = (AtomicUsize::new(0), &self.boards);
        let work = |player: &mut Player| {
            let mut done = Vec::new();
            while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                let shots = player.play(boards, task.boards.clone(), &first[task.places.clone()], stop)?;
                done.push((task.clone(), shots));
            }
            Ok(done)
        };
        let mut all = vec![vec![0; self.boards.len()]; cells.len()];
        for done in on_all(&mut self.players, work) {
            for (task, shots) in done? {
                for (place, shots) in task.places.zip(shots) {
                    all[place][task.boards.clone()].copy_from_slice(&shots);
                }
            }
        }
        self.games += (cells.len() * self.boards.len()) as u64;
        Ok(all)
    }

    /// What doesn't depend on playouts.
    fn cell_report(&self, number: usize) -> CellReport {
        let (cell, tells) = (self.cells[number], self.tells.get(number).copied().unwrap_or_default());
        CellReport::new(cell, self.chances.of_cell[self.log.rules().grid().index(cell)], tells)
    }
}

/// Some cells on some of the layouts.
#[derive(Clone, Debug)]
struct Task {
    /// The places of the cells among those that play.
    places: Range<usize>,
    boards: Range<usize>,
}

/// Tasks for each thread: a few, so that none waits long for the last one.
const TASKS_PER_THREAD: usize = 4;

/// Splits the work. Cells that are played on the same layouts by one thread share what their games have in common, and so do
/// layouts: so either the cells are split or the layouts.
fn tasks(cells: usize, boards: usize, threads: usize) -> Vec<Task> {
    let most = if threads == 1 { 1 } else { TASKS_PER_THREAD * threads };
    let (cell_groups, pieces) = if cells >= most { (most, 1) } else { (1, most) };
    let (of_cells, of_boards) = (cells.div_ceil(cell_groups).max(1), boards.div_ceil(pieces).max(1));
    let ranges = |places: Range<usize>| {
        (0..boards)
            .step_by(of_boards)
            .map(move |from| Task { places: places.clone(), boards: from..boards.min(from + of_boards) })
    };
    (0..cells).step_by(of_cells).map(|from| from..cells.min(from + of_cells)).flat_map(ranges).collect()
}

/// Does some work with every player, each on a thread of its own.
fn on_all<T: Send>(players: &mut [Player], work: impl Fn(&mut Player) -> T + Sync) -> Vec<T> {
    if let [player] = players {
        return vec![work(player)];
    }
    std::thread::scope(|scope| {
        let threads: Vec<_> = players.iter_mut().map(|player| scope.spawn(|| work(player))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}

/// All layouts, played on once: exact.
pub(super) struct Listed<B> {
    comparison: Comparison<B>,
    /// For each cell, the shots summed over all layouts.
    totals: Option<Vec<u64>>,
}

impl<B: Bits> Compare for Listed<B> {
    fn refine(&mut self, _most_playouts: u64, stop: &Stop) -> Result<bool, Stopped> {
        if self.totals.is_none() {
            let cells: Vec<usize> = (0..self.comparison.cells.len()).collect();
            let shots = self.comparison.play(&cells, stop)?;
            self.totals = Some(shots.iter().map(|shots| shots.iter().copied().map(u64::from).sum()).collect());
        }
        Ok(false)
    }

    fn playouts(&self) -> u64 {
        if self.totals.is_some() { self.comparison.boards.len() as u64 } else { 0 }
    }

    fn look(&self) -> Option<Report> {
        let (totals, layouts) = (self.totals.as_ref()?, self.comparison.boards.len() as u64);
        let cells = totals.iter().enumerate();
        let cells = cells.map(|(number, &total)| self.comparison.cell_report(number).with_exact(Ratio::new(total, layouts)));
        Some(finished(cells.collect(), Method::Listed, layouts, self.comparison.chances.exact))
    }

    fn leader(&self) -> Option<Cell> {
        self.look()?.best.first().copied()
    }

    fn work(&self) -> Work {
        self.comparison.work()
    }
}

/// Games in a round: few enough for a look several times a second, enough that they share their beginnings.
const ROUND_GAMES: usize = 16_384;

/// The layouts of the first round, for a quick look.
const FIRST_ROUND: usize = 64;

/// The most layouts of a round.
const MAX_ROUND: usize = 8192;

/// From so many layouts on, only so many of the leading cells play in most rounds. The others rest: with all of them playing, the differences
/// between the leaders would be known half as well in the same time.
const LEADERS: [(u64, usize); 3] = [(4096, 2), (2048, 4), (1024, 8)];

/// In one round of so many all cells play that are not dropped, so that a cell which rests by bad luck comes back.
const ALL_PLAY: u64 = 8;

/// While a look is to be had soon, every other layout chooses. From so many layouts on, one in [`CHOOSING_LATER`] does: the leaders are found by
/// then, and what takes long is to measure the difference between them.
const CHOOSING_HALF: u64 = 4096;

/// See [`CHOOSING_HALF`].
const CHOOSING_LATER: u64 = 4;

/// Whether the layout with this number chooses; otherwise it measures.
fn chooses(number: u64) -> bool {
    number.is_multiple_of(if number < CHOOSING_HALF { 2 } else { CHOOSING_LATER })
}

/// A cell is dropped when the leader is better by so many standard errors.
const DROP: f64 = 3.5;

/// So many layouts must have been played on before a standard error is trusted.
const ENOUGH: u64 = 64;

/// Layouts that are drawn: an estimate.
pub(super) struct Sampled<B> {
    comparison: Comparison<B>,
    source: Source,
    rng: GameRng,
    /// The sums of the layouts that choose, and of those that measure.
    choosing: Sums,
    measuring: Sums,
    /// The cells not dropped.
    running: Vec<usize>,
    /// The cells that played when not all did.
    leaders: Vec<usize>,
    rounds: u64,
    watched: Option<usize>,
    playouts: u64,
}

impl<B: Bits> Sampled<B> {
    /// How many layouts the next round has, with so many cells.
    fn round(&self, cells: usize, most_playouts: u64) -> usize {
        let size = (ROUND_GAMES / cells).clamp(FIRST_ROUND, MAX_ROUND);
        let size = if self.playouts == 0 { FIRST_ROUND } else { size };
        size.min(usize::try_from(most_playouts.max(4).saturating_sub(self.playouts)).unwrap_or(size))
    }

    /// The cells that play in the next round: all, or those that lead by the layouts that choose, and the one to be watched. A cell takes
    /// the place of one that led before only if it is better by a standard error of its own: otherwise chance would change the leaders from round to round, and few layouts would be
    /// played by both.
    fn players(&self) -> Vec<usize> {
        let most = LEADERS.iter().find(|(playouts, _)| self.playouts >= *playouts).map_or(usize::MAX, |&(_, cells)| cells);
        if self.running.len() <= most || self.rounds.is_multiple_of(ALL_PLAY) {
            return self.running.clone();
        }
        let best = self.best_by(&self.choosing);
        let rank = |cell: usize| {
            let loss = self.choosing.difference(cell, best);
            let doubt = if self.leaders.contains(&cell) { 0.0 } else { loss.std_err };
            if cell == best { f64::NEG_INFINITY } else { loss.mean + doubt }
        };
        let mut ranked = self.running.clone();
        ranked.sort_by(|&a, &b| rank(a).total_cmp(&rank(b)));
        let (leaders, others) = ranked.split_at(most);
        let watched = others.iter().copied().filter(|&cell| Some(cell) == self.watched);
        let mut players: Vec<usize> = leaders.iter().copied().chain(watched).collect();
        players.sort_unstable();
        players
    }

    fn draw(&mut self, layouts: usize) {
        self.comparison.boards.clear();
        for _ in 0..layouts {
            self.comparison.boards.push(self.source.draw_ships(&mut self.rng));
        }
    }

    fn add(&mut self, players: &[usize], shots: &[Vec<u16>]) {
        let layouts = self.comparison.boards.len();
        for (number, board) in (self.playouts..).zip(0..layouts) {
            let sums = if chooses(number) { &mut self.choosing } else { &mut self.measuring };
            sums.add(players, |place| shots[place][board]);
        }
        self.playouts += layouts as u64;
        self.rounds += 1;
        if players.len() < self.running.len() {
            self.leaders = players.iter().copied().filter(|&cell| Some(cell) != self.watched).collect();
        }
    }

    /// Drops the cells that are certainly worse, by the layouts that choose.
    fn drop_the_worse(&mut self) {
        let best = self.best_by(&self.choosing);
        if self.choosing.played(best) < ENOUGH {
            return;
        }
        let (sums, watched) = (&self.choosing, self.watched);
        self.running.retain(|&cell| {
            let loss = sums.difference(cell, best);
            Some(cell) == watched || loss.mean <= DROP * loss.std_err
        });
    }

    /// The cell with the fewest shots by these sums, the first of equals, of those that played at least half as often as any.
    fn best_by(&self, sums: &Sums) -> usize {
        let most = self.running.iter().map(|&cell| sums.played(cell)).max().unwrap_or(0);
        let often = || self.running.iter().copied().filter(|&cell| 2 * sums.played(cell) >= most);
        let reference = often().find(|&cell| sums.played(cell) == most).expect("at least one cell runs");
        let loss = |cell| if cell == reference { 0.0 } else { sums.difference(cell, reference).mean };
        often().min_by(|&a, &b| loss(a).total_cmp(&loss(b))).unwrap_or(reference)
    }

    /// The numbers of a cell, given the best one.
    fn measured(&self, number: usize, best: usize) -> CellReport {
        let (value, base) = (self.measuring.mean(number), self.measuring.mean(best));
        let loss = if number == best { Mean { mean: 0.0, std_err: 0.0 } } else { self.measuring.difference(number, best) };
        CellReport {
            shots_to_go: base.mean + loss.mean,
            // Of a cell that was dropped, the mean alone is the worse estimate.
            std_err: value.std_err.min(base.std_err.hypot(loss.std_err)),
            loss: loss.mean,
            loss_std_err: loss.std_err,
            dropped: !self.running.contains(&number),
            ..self.comparison.cell_report(number)
        }
    }
}

impl<B: Bits> Compare for Sampled<B> {
    fn refine(&mut self, most_playouts: u64, stop: &Stop) -> Result<bool, Stopped> {
        let before = self.rng.clone();
        let players = self.players();
        let layouts = self.round(players.len(), most_playouts);
        self.draw(layouts);
        if self.playouts == 0 {
            self.comparison.find_out_what_answers_tell();
        }
        match self.comparison.play(&players, stop) {
            Ok(shots) => self.add(&players, &shots),
            Err(stopped) => {
                self.rng = before;
                return Err(stopped);
            }
        }
        self.drop_the_worse();
        Ok(true)
    }

    fn playouts(&self) -> u64 {
        self.playouts
    }

    fn look(&self) -> Option<Report> {
        (self.playouts > 0).then_some(())?;
        let best = self.best_by(&self.choosing);
        let value = self.measuring.mean(best);
        let mut cells: Vec<CellReport> = (0..self.comparison.cells.len()).map(|number| self.measured(number, best)).collect();
        let first = self.comparison.cells[best];
        let enough = self.measuring.played(best) >= ENOUGH;
        let same = |report: &CellReport| enough && report.loss == 0.0 && report.loss_std_err == 0.0;
        let alike = |report: &CellReport| report.cell == first || same(report);
        cells.sort_by(|a, b| alike(b).cmp(&alike(a)).then(a.loss.total_cmp(&b.loss)).then(a.cell.cmp(&b.cell)));
        Some(Report {
            shots_to_go: value.mean,
            std_err: value.std_err,
            exact: None,
            best: cells.iter().filter(|report| alike(report)).map(|report| report.cell).collect(),
            settled: enough && cells.iter().all(|cell| cell.dropped || cell.is_settled()),
            method: Method::Sampled,
            playouts: self.playouts,
            exact_chances: self.comparison.chances.exact,
            cells,
        })
    }

    fn leader(&self) -> Option<Cell> {
        (self.playouts > 0).then(|| self.comparison.cells[self.best_by(&self.choosing.with(&self.measuring))])
    }

    fn work(&self) -> Work {
        self.comparison.work()
    }
}
