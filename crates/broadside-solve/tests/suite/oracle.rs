//! Best play by definition: every cell, every answer, nothing cut off, nothing but equal positions told to be equal.

use std::collections::HashMap;

use broadside_odds::{Budget, oracle::each_layout};
use broadside_rules::{Answer, Call, Fleet, Grid, Layout, Length, Rules, ShotLog, Touch};
use broadside_solve::Solver;
use proptest::prelude::*;

struct Oracle {
    call: Call,
    layouts: Vec<Layout>,
    cells: Vec<broadside_rules::Cell>,
    /// By the cells fired at and the layouts left: the shots over all layouts, and on the worst.
    memo: HashMap<(u32, Vec<usize>), (u64, usize)>,
}

impl Oracle {
    fn new(rules: &Rules) -> Self {
        let mut layouts = Vec::new();
        each_layout(rules, Budget::default(), &mut |layout| layouts.push(layout.clone())).unwrap();
        Self { call: rules.call(), layouts, cells: rules.grid().cells().collect(), memo: HashMap::new() }
    }

    fn answer(&self, layout: usize, cell: usize, fired: u32) -> Answer {
        let hit = |at: &broadside_rules::Cell| {
            *at == self.cells[cell] || self.cells.iter().position(|other| other == at).is_some_and(|at| fired >> at & 1 == 1)
        };
        let Some(ship) = self.layouts[layout].ship_at(self.cells[cell]) else { return Answer::Miss };
        Answer::for_hit(self.call, ship.length(), ship.cells().all(|at| hit(&at)))
    }

    fn is_over(&self, layout: usize, fired: u32) -> bool {
        (0..self.cells.len()).all(|cell| fired >> cell & 1 == 1 || self.layouts[layout].ship_at(self.cells[cell]).is_none())
    }

    /// All layouts left have as many cells hit, so the game is over for all of them or for none.
    fn shots(&mut self, fired: u32, left: Vec<usize>) -> (u64, usize) {
        if self.is_over(left[0], fired) {
            return (0, 0);
        }
        if let Some(&known) = self.memo.get(&(fired, left.clone())) {
            return known;
        }
        let mut best = (u64::MAX, usize::MAX);
        for cell in (0..self.cells.len()).filter(|cell| fired >> cell & 1 == 0) {
            let mut parts: Vec<(Answer, Vec<usize>)> = Vec::new();
            for &layout in &left {
                let answer = self.answer(layout, cell, fired);
                match parts.iter_mut().find(|part| part.0 == answer) {
                    Some(part) => part.1.push(layout),
                    None => parts.push((answer, vec![layout])),
                }
            }
            let (mut sum, mut worst) = (left.len() as u64, 0);
            for (_, part) in parts {
                let (shots, most) = self.shots(fired | 1 << cell, part);
                sum += shots;
                worst = worst.max(1 + most);
            }
            best = (best.0.min(sum), best.1.min(worst));
        }
        self.memo.insert((fired, left), best);
        best
    }
}

pub(crate) fn tiny_rules(most: usize) -> impl Strategy<Value = Rules> {
    let board = (1usize..=4, 1usize..=9, proptest::collection::vec(1usize..=4, 1..=4));
    let kind = (proptest::sample::select(Touch::ALL), proptest::sample::select(Call::ALL));
    (board, kind).prop_filter_map("a small board", move |((rows, cols, lengths), (touch, call))| {
        let fleet = Fleet::new(lengths.into_iter().filter_map(Length::new)).ok()?;
        let rules = Rules::new(Grid::new(rows, cols).ok()?, fleet, touch, call).ok()?;
        (rules.grid().len() <= most).then_some(rules)
    })
}

fn check(rules: &Rules) {
    let mut oracle = Oracle::new(rules);
    let all: Vec<usize> = (0..oracle.layouts.len()).collect();
    let (shots, worst) = oracle.shots(0, all);
    let mut solver = Solver::new(&ShotLog::new(rules), Budget::default()).unwrap();
    let solution = solver.solve(&mut |_| {}).unwrap();
    assert_eq!((solution.layouts, solution.shots), (oracle.layouts.len() as u64, shots), "{rules}");
    assert_eq!(solver.worst_case(&mut |_| {}).unwrap(), worst, "{rules}");
    let first = |cell: &usize| {
        let mut parts: HashMap<Answer, Vec<usize>> = HashMap::new();
        (0..oracle.layouts.len()).for_each(|layout| parts.entry(oracle.answer(layout, *cell, 0)).or_default().push(layout));
        parts.into_values().collect::<Vec<_>>()
    };
    let firsts: Vec<(usize, Vec<Vec<usize>>)> = (0..oracle.cells.len()).map(|cell| (cell, first(&cell))).collect();
    let best = firsts.into_iter().filter(|(cell, parts)| {
        let after: u64 = parts.iter().map(|part| oracle.shots(1 << cell, part.clone()).0).sum();
        after + solution.layouts == shots
    });
    let best: Vec<usize> = best.map(|(cell, _)| cell).collect();
    let first: Vec<usize> = solution.best_shots.iter().map(|&cell| rules.grid().index(cell)).collect();
    assert_eq!(first, best, "{rules}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn the_search_finds_what_trying_everything_finds(rules in tiny_rules(8)) {
        check(&rules);
    }
}

/// On these the order in which certain cells are hit decides what is called; see `Position::free_shot`.
#[test]
fn boards_of_one_row_on_which_the_order_of_certain_hits_matters() {
    for text in [
        "1x5 2,2 allowed ship",
        "1x6 2,2 allowed ship",
        "1x8 2,2 allowed bare",
        "1x8 3,2 allowed ship",
        "1x8 2,2,2 allowed every",
    ] {
        check(&text.parse().unwrap());
    }
}

#[test]
fn among_rocks_best_play_is_that_of_the_definition() {
    for rules in ["3x3 2 allowed ship rocks=B2", "3x4 3,2 allowed ship rocks=A1,C3", "2x5 2,2 never bare rocks=A3"] {
        check(&rules.parse().unwrap());
    }
}
