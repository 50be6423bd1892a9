//! The chance of a ship on each cell where answers may be false, fast and nearly right.
//!
//! The exact odds take milliseconds a shot, since no answer rules anything out. Here the places of each ship are weighed by their answers,
//! and by the chance that no other ship is in the way, as if ships were drawn independently otherwise; a few rounds make that agree with
//! itself (the mean-field approximation).

use broadside_odds::Problem;
use broadside_rules::{Answer, Grid, Placement, Rules, Shot, ShotLog};

/// Rounds of weighing places by the chances of the round before.
const ROUNDS: usize = 4;

/// What a called sinking weighs: a ship is there for sure.
const SURE: f64 = 1e9;

/// The chances of a log.
pub(crate) struct Beliefs {
    /// For each cell in reading order, the chance of a ship there.
    pub(crate) chances: Vec<f64>,
    /// The chance that each ship lies on cells that were fired at.
    pub(crate) all_fired: f64,
}

/// The ships of one length with their places.
struct Class {
    count: f64,
    places: Vec<Place>,
    /// For each cell, the chance that one ship of the class covers it.
    chances: Vec<f64>,
}

struct Place {
    cells: Vec<usize>,
    /// The cells where no other ship can be.
    blocked: Vec<usize>,
    weight: f64,
    is_fired: bool,
}

impl Beliefs {
    pub(crate) fn new(log: &ShotLog) -> Self {
        let grid = log.rules().grid();
        let mut classes = classes(log);
        let mut all = vec![0.0; grid.len()];
        for _ in 0..ROUNDS {
            for class in &mut classes {
                let others: Vec<f64> =
                    all.iter().zip(&class.chances).map(|(all, own)| (1.0 - (all - own)).clamp(1e-6, 1.0)).collect();
                class.weigh(&others);
            }
            for (cell, all) in all.iter_mut().enumerate() {
                *all = classes.iter().map(|class| class.count * class.chances[cell]).sum::<f64>().min(1.0);
            }
        }
        let all_fired = classes.iter().map(|class| class.fired_share().powf(class.count)).product();
        Self { chances: all, all_fired }
    }
}

impl Class {
    /// Chances of the cells, with the chance that no other ship is on each.
    fn weigh(&mut self, others: &[f64]) {
        self.chances.fill(0.0);
        let mut total = 0.0;
        for place in &mut self.places {
            let free: f64 = place.blocked.iter().map(|&cell| others[cell]).product();
            let weight = place.weight * free;
            total += weight;
            place.cells.iter().for_each(|&cell| self.chances[cell] += weight);
        }
        if total > 0.0 {
            self.chances.iter_mut().for_each(|chance| *chance /= total);
        }
    }

    /// The share of the places' weight that lies wholly on cells fired at.
    fn fired_share(&self) -> f64 {
        let sum =
            |fired: bool| self.places.iter().filter(|place| place.is_fired || !fired).map(|place| place.weight).sum::<f64>();
        if sum(false) > 0.0 { sum(true) / sum(false) } else { 1.0 }
    }
}

/// The places that sinkings allow, with the weight that the answers give them.
fn classes(log: &ShotLog) -> Vec<Class> {
    let (rules, problem) = (log.rules(), Problem::from_log(log));
    let grid = rules.grid();
    let class = |class: &broadside_odds::ShipClass| {
        let factors = factors(log, class.length());
        let place = |ship: Placement| place(rules, grid, log, &factors, ship);
        Class { count: class.count() as f64, places: class.placements().map(place).collect(), chances: vec![0.0; grid.len()] }
    };
    problem.classes().iter().map(class).collect()
}

fn place(rules: &Rules, grid: Grid, log: &ShotLog, factors: &[f64], ship: Placement) -> Place {
    let cells: Vec<usize> = ship.cells().map(|cell| grid.index(cell)).collect();
    let blocked = if rules.touch() == broadside_rules::Touch::Allowed {
        cells.clone()
    } else {
        ship.blocked_cells(grid, rules.touch()).iter().map(|cell| grid.index(cell)).collect()
    };
    let weight = cells.iter().map(|&cell| factors[cell]).product();
    Place { blocked, weight, is_fired: ship.cells().all(|cell| log.fired().contains(cell)), cells }
}

/// For each cell, how likely its answers are with a ship of this length there, over how likely they are on water. Within
/// bounds, so that products stay in range.
fn factors(log: &ShotLog, length: broadside_rules::Length) -> Vec<f64> {
    let wrong = log.rules().noise().chance();
    let ratio = |shot: &Shot| match shot.answer {
        Answer::Untold => 1.0,
        Answer::Miss => wrong / (1.0 - wrong),
        Answer::Hit(called) if called.is_none_or(|called| called == length) => (1.0 - wrong) / wrong,
        Answer::Hit(_) => 0.0,
        Answer::Sunk(_) => SURE,
    };
    let mut factors = vec![1.0; log.rules().grid().len()];
    for shot in log.shots() {
        let factor: &mut f64 = &mut factors[log.rules().grid().index(shot.cell)];
        *factor = (*factor * ratio(shot)).clamp(1.0 / SURE, SURE);
    }
    factors
}
