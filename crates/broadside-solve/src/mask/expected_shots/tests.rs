//! The formulas against plays worked out cell by cell.

use std::collections::{BTreeSet, HashMap};

use broadside_rules::{Grid, Length, cells};

use super::packing_bound::split_misses;
use super::sink::neighbour_shots;
use super::*;
use crate::mask::hitting::Effort;

fn board(rows: usize, cols: usize, length: usize) -> OneShipBoard {
    OneShipBoard::new(Grid::new(rows, cols).unwrap(), length).unwrap()
}

fn small_boards(cells: usize) -> impl Iterator<Item = OneShipBoard> {
    let sides = (1..=cells).flat_map(move |rows| (1..=cells / rows).map(move |cols| (rows, cols)));
    sides.flat_map(|(rows, cols)| (1..=5).filter_map(move |length| OneShipBoard::new(Grid::new(rows, cols).ok()?, length).ok()))
}

fn optimum(board: OneShipBoard, goal: Goal) -> Optimum {
    least_expected(board, goal, &mut Effort::nodes(1_000_000))
}

/// The fewest shots, summed over the placements, of any play that reacts to every answer: every
/// cell tried in every situation.
struct Expectimax {
    goal: Goal,
    cells: u32,
    ships: Vec<u32>,
    known: HashMap<(u64, u32), usize>,
}

impl Expectimax {
    fn new(board: OneShipBoard, goal: Goal) -> Self {
        let bit = |cell: Cell| 1 << board.grid().index(cell);
        let ships = board.placements().iter().map(|ship| ship.cells().map(bit).sum()).collect();
        Self { goal, cells: u32::try_from(board.grid().len()).unwrap(), ships, known: HashMap::new() }
    }

    fn expected(mut self) -> Expected {
        let all = self.ships.len();
        Expected::new(whole(self.total((1 << all) - 1, 0)), whole(all))
    }

    fn total(&mut self, possible: u64, shot: u32) -> usize {
        if possible == 0 {
            return 0;
        }
        if let Some(&known) = self.known.get(&(possible, shot)) {
            return known;
        }
        let aims = (0..self.cells).map(|cell| 1 << cell).filter(|aim| shot & aim == 0);
        let total = possible.count_ones() as usize + aims.map(|aim| self.after(possible, shot, aim)).min().unwrap();
        self.known.insert((possible, shot), total);
        total
    }

    fn after(&mut self, possible: u64, shot: u32, aim: u32) -> usize {
        let such = |wanted: &dyn Fn(u32) -> bool| {
            (0..self.ships.len()).filter(|&i| possible >> i & 1 == 1 && wanted(self.ships[i])).map(|i| 1 << i).sum()
        };
        let missed: u64 = such(&|ship| ship & aim == 0);
        let hit_afloat: u64 = such(&|ship| ship & aim != 0 && ship & !(shot | aim) != 0);
        let more = if self.goal == Goal::Find { 0 } else { self.total(hit_afloat, shot | aim) };
        more + self.total(missed, shot | aim)
    }
}

#[test]
fn no_play_that_reacts_to_every_answer_beats_the_optimum() {
    for board in small_boards(12).filter(|board| board.size() > 1) {
        for goal in [Goal::Find, Goal::Sink] {
            assert_eq!(optimum(board, goal), Optimum::Exact(Expectimax::new(board, goal).expected()), "{board:?} {goal:?}");
        }
    }
}

#[test]
fn no_play_beats_the_optimum_on_four_by_four_either() {
    for (length, goal) in [(3, Goal::Find), (3, Goal::Sink), (4, Goal::Find), (4, Goal::Sink)] {
        let board = board(4, 4, length);
        assert_eq!(optimum(board, goal), Optimum::Exact(Expectimax::new(board, goal).expected()), "{board:?} {goal:?}");
    }
}

/// The fewest misses from every set of cells already shot, from the full board backwards: no
/// bounds, no symmetry, no cuts.
fn misses_by_subsets(board: OneShipBoard, goal: Goal) -> usize {
    let cells = board.grid().len();
    let ships = board.placements();
    let masks: Vec<u32> = ships.iter().map(|ship| ship.cells().map(|cell| 1 << board.grid().index(cell)).sum()).collect();
    let mut sinking_cost = SinkingCost::new(board.length(), sink::SinkStrategy::Best);
    let mut fewest = vec![0u16; 1 << cells];
    for shot in (0..1u32 << cells).rev() {
        let unmet: Vec<usize> = (0..ships.len()).filter(|&i| masks[i] & shot == 0).collect();
        let mut after = |aim: usize| {
            let mut through = PlacementsThrough::empty();
            unmet
                .iter()
                .filter(|&&i| masks[i] >> aim & 1 == 1)
                .for_each(|&i| through.insert(ships[i], board.grid().cell(aim).unwrap()));
            let sinking = if goal == Goal::Sink { sinking_cost.misses(through) } else { 0 };
            unmet.len() - through.len() + sinking + usize::from(fewest[(shot | 1 << aim) as usize])
        };
        let best = (0..cells).filter(|aim| shot >> aim & 1 == 0).map(&mut after).min().unwrap_or(0);
        fewest[shot as usize] = u16::try_from(if unmet.is_empty() { 0 } else { best }).unwrap();
    }
    usize::from(fewest[0])
}

#[test]
fn the_optimum_agrees_with_every_set_of_shots_on_four_by_four() {
    for (length, goal) in [(2, Goal::Find), (2, Goal::Sink), (3, Goal::Find), (3, Goal::Sink), (4, Goal::Sink)] {
        let board = board(4, 4, length);
        let hits = if goal == Goal::Find { 1 } else { length };
        let expected = per_placement(board, misses_by_subsets(board, goal)) + whole(hits);
        assert_eq!(optimum(board, goal), Optimum::Exact(expected), "{board:?} {goal:?}");
    }
}

#[test]
fn in_the_middle_of_a_large_board_the_best_sinking_takes_half_a_shot_more_than_the_length() {
    for length in 2..=9 {
        let through = PlacementsThrough::all(board(2 * length, 2 * length, length), Cell::new(length, length).unwrap());
        assert_eq!(through.len(), 2 * length);
        let misses = SinkingCost::new(Length::new(length).unwrap(), sink::SinkStrategy::Best).misses(through);
        assert_eq!(
            Expected::new(whole(misses), whole(through.len())) + whole(length - 1),
            Expected::from(whole(length)) + Expected::new(1, 2)
        );
    }
}

#[test]
fn a_ship_of_one_cell_takes_half_the_board_and_half_a_shot() {
    for (rows, cols) in [(1, 1), (1, 6), (2, 3), (3, 3)] {
        let board = board(rows, cols, 1);
        let half = Expected::new(whole(rows * cols + 1), 2);
        assert_eq!(random_find(board, &best_diagonal_mask(board)), Some(half));
        assert_eq!(neighbour_sink(board), half);
        assert_eq!(optimum(board, Goal::Find), Optimum::Exact(half));
        assert_eq!(optimum(board, Goal::Sink), Optimum::Exact(half));
    }
}

fn permutations(cells: &[Cell]) -> Vec<Vec<Cell>> {
    if cells.is_empty() {
        return vec![vec![]];
    }
    let starting_with = |first: usize| {
        let mut rest = cells.to_vec();
        let first = rest.remove(first);
        permutations(&rest).into_iter().map(move |mut order| {
            order.push(first);
            order
        })
    };
    (0..cells.len()).flat_map(starting_with).collect()
}

/// The average of a count over every order of the mask and every placement.
fn average(board: OneShipBoard, mask: &CellSet, count: impl Fn(&[Cell], Placement) -> Expected) -> Expected {
    let orders = permutations(&mask.iter().collect::<Vec<_>>());
    let ships = board.placements();
    let total: Expected = orders.iter().flat_map(|order| ships.iter().map(|&ship| count(order, ship))).sum();
    total / whole(orders.len() * ships.len())
}

fn found_after(order: &[Cell], ship: Placement) -> usize {
    1 + order.iter().position(|&cell| ship.cells().any(|under| under == cell)).unwrap()
}

#[test]
fn random_order_on_a_mask_costs_the_average_over_all_orders() {
    let full = |board: OneShipBoard| CellSet::full(board.grid());
    let masks = [
        (board(3, 3, 2), diagonal_mask(board(3, 3, 2), 0)),
        (board(4, 4, 3), diagonal_mask(board(4, 4, 3), 2)),
        (board(2, 3, 2), full(board(2, 3, 2))),
        (board(1, 7, 3), full(board(1, 7, 3))),
        (board(3, 4, 3), cells!(". . X ." "X X . ." ". . X .")),
    ];
    for (board, mask) in masks {
        let expected =
            mask_covers(board, &mask).then(|| average(board, &mask, |order, ship| whole(found_after(order, ship)).into()));
        assert_eq!(random_find(board, &mask), expected, "{board:?}{mask:?}");
    }
}

fn mask_covers(board: OneShipBoard, mask: &CellSet) -> bool {
    board.placements().iter().all(|ship| ship.cells().any(|cell| mask.contains(cell)))
}

/// Sinking by the neighbours, played on the board: the neighbours of the first hit, then the ends of
/// the run, all at random, never twice at a cell.
fn sink_by_neighbours(board: OneShipBoard, ship: &BTreeSet<Cell>, shot: &BTreeSet<Cell>) -> Expected {
    let hits: Vec<Cell> = ship.intersection(shot).copied().collect();
    if hits.len() == ship.len() {
        return Expected::from(0);
    }
    let (first, last) = (hits[0], hits[hits.len() - 1]);
    let one = hits.len() == 1;
    let ends = |rows: isize, cols: isize| {
        [(first, -rows, -cols), (last, rows, cols)].map(|(end, rows, cols)| board.grid().step(end, rows, cols))
    };
    let along = if one || first.row() == last.row() { ends(0, 1).to_vec() } else { Vec::new() };
    let down = if one || first.col() == last.col() { ends(1, 0).to_vec() } else { Vec::new() };
    let aims: Vec<Cell> = along.into_iter().chain(down).flatten().filter(|cell| !shot.contains(cell)).collect();
    let after = |&aim: &Cell| sink_by_neighbours(board, ship, &shot.iter().copied().chain([aim]).collect());
    Expected::from(1) + aims.iter().map(after).sum::<Expected>() / whole(aims.len())
}

#[test]
fn the_neighbour_play_takes_the_average_over_all_its_choices() {
    for board in [
        board(3, 3, 2),
        board(3, 4, 2),
        board(4, 4, 3),
        board(3, 5, 3),
        board(4, 4, 4),
        board(5, 5, 5),
        board(1, 9, 4),
        board(2, 6, 4),
    ] {
        let mask = best_diagonal_mask(board);
        let played = average(board, &mask, |order, ship| {
            let found = found_after(order, ship);
            let shot = order[..found].iter().copied().collect();
            sink_by_neighbours(board, &ship.cells().collect(), &shot) + whole(found)
        });
        assert_eq!(neighbour_sink(board), played, "{board:?}");
    }
}

#[test]
fn the_neighbour_play_is_followed_from_every_cell_of_every_ship() {
    for board in [board(5, 6, 2), board(5, 6, 3), board(6, 5, 4), board(6, 6, 5), board(1, 8, 3)] {
        for ship in board.placements() {
            for cell in ship.cells() {
                let played = sink_by_neighbours(board, &ship.cells().collect(), &BTreeSet::from([cell]));
                assert_eq!(neighbour_shots(board, ship, cell), played, "{ship:?} {cell:?}");
            }
        }
    }
}

#[test]
fn long_ships_do_not_overflow_the_fractions() {
    let shots = neighbour_sink(board(64, 64, 64));
    assert!(shots > Expected::from(64) && shots < Expected::from(64 + 65));
    assert!(neighbour_sink(board(64, 64, 17)) > Expected::from(17));
}

#[test]
fn the_checkerboard_formula_finds_right_on_even_boards_and_a_quarter_off_on_odd_ones() {
    for side in 2..=12 {
        let board = board(side, side, 2);
        let difference = checkerboard_formula(side).0 - random_find(board, &best_diagonal_mask(board)).unwrap();
        let larger = checkerboard_formula(side).0 - random_find(board, &diagonal_mask(board, 0)).unwrap();
        let quarter = Expected::new(whole(side % 2), 4);
        assert_eq!((difference, larger), (quarter, -quarter), "{side}");
    }
}

#[test]
fn the_formulas_two_and_a_half_shots_are_too_many_on_every_board_and_right_in_the_limit() {
    let mut last = Expected::from(0);
    for side in (2..=64).step_by(2) {
        let sinking = neighbour_sink(board(side, side, 2)) - checkerboard_formula(side).0;
        assert!(last < sinking && sinking < Expected::new(5, 2), "{side}");
        last = sinking;
    }
    assert!(last > Expected::new(247, 100));
    let classic = neighbour_sink(board(10, 10, 2)) - checkerboard_formula(10).0;
    assert_eq!(classic, Expected::new(32 * 10 + 16 * 6 + 2 * 3, 180), "32 inner cells, 16 on the edge, 2 in a corner");
}

#[test]
fn no_other_order_of_the_mask_finds_sooner() {
    for (board, offset) in
        [(board(3, 3, 2), 0), (board(4, 4, 3), 2), (board(3, 4, 2), 1), (board(5, 5, 4), 3), (board(3, 6, 3), 1)]
    {
        let mask = diagonal_mask(board, offset);
        let orders = permutations(&mask.iter().collect::<Vec<_>>());
        let soonest = orders.iter().map(|order| ShotOrder::new(board, order).unwrap().expected_find()).min();
        assert_eq!(Some(ShotOrder::diagonal(board, offset).expected_find()), soonest, "{board:?}");
    }
}

#[test]
fn a_sweep_that_lets_a_placement_escape_is_none() {
    assert_eq!(ShotOrder::new(board(2, 2, 2), &["A1".parse().unwrap()]), None);
    assert_eq!(random_find(board(2, 2, 2), &cells!("X ." ". .")), None);
}

/// Greedy by counting again after every shot.
fn greedy_by_recounting(board: OneShipBoard) -> Expected {
    let (all, mut left) = (board.placements().len(), board.placements());
    let (mut total, mut shots) = (0, 0);
    while !left.is_empty() {
        let cells: Vec<Cell> = board.grid().cells().collect();
        let count = |cell: &Cell| left.iter().filter(|ship| ship.cells().any(|under| under == *cell)).count();
        let most = cells.iter().map(count).max().unwrap();
        let aim = *cells.iter().find(|cell| count(cell) == most).unwrap();
        shots += 1;
        left.retain(|ship| ship.cells().all(|under| under != aim));
        total += shots * most;
    }
    Expected::new(whole(total), whole(all))
}

#[test]
fn greedy_fires_where_a_recount_says() {
    for board in small_boards(30) {
        assert_eq!(ShotOrder::greedy(board).expected_find(), greedy_by_recounting(board), "{board:?}");
    }
}

#[test]
fn greedy_is_not_always_best_and_never_better_than_best() {
    let three = board(3, 3, 2);
    assert_eq!(ShotOrder::greedy(three).expected_find(), Expected::new(8, 3));
    assert_eq!(optimum(three, Goal::Find), Optimum::Exact(Expected::new(5, 2)));
    for board in small_boards(25) {
        let Optimum::Exact(best) = optimum(board, Goal::Sink) else { panic!("{board:?} is small") };
        let greedy = ShotOrder::greedy(board).expected_sink(&mut SinkingCost::new(board.length(), sink::SinkStrategy::Greedy));
        assert!(best <= greedy, "{board:?}");
    }
}

#[test]
fn the_least_misses_to_tell_placements_apart_is_a_true_bound() {
    for length in 2..=5 {
        let mut sinking_cost = SinkingCost::new(Length::new(length).unwrap(), sink::SinkStrategy::Best);
        let middle = Cell::new(length - 1, length - 1).unwrap();
        let ships: Vec<Placement> = PlacementsThrough::all(board(2 * length, 2 * length, length), middle)
            .placements(Length::new(length).unwrap(), middle)
            .collect();
        for chosen in 0u32..1 << ships.len() {
            let mut through = PlacementsThrough::empty();
            (0..ships.len()).filter(|i| chosen >> i & 1 == 1).for_each(|i| through.insert(ships[i], middle));
            assert!(split_misses(length, through.len()) <= sinking_cost.misses(through), "{length} {through:?}");
        }
    }
}

#[test]
fn a_search_cut_short_bounds_the_optimum_from_both_sides() {
    for goal in [Goal::Find, Goal::Sink] {
        let Optimum::Exact(exact) = optimum(board(5, 5, 2), goal) else { panic!("5x5 is small") };
        let cut = least_expected(board(5, 5, 2), goal, &mut Effort::nodes(3));
        let Optimum::Between { least, most } = cut else { panic!("three nodes are not enough") };
        assert!(least <= exact && exact <= most && least < most);
    }
}

#[test]
fn the_mask_in_its_best_order_is_optimal_for_two_cells_on_even_boards() {
    for side in [2, 4, 6, 8, 10, 12] {
        let board = board(side, side, 2);
        assert_eq!(optimum(board, Goal::Find), Optimum::Exact(ShotOrder::diagonal(board, 1).expected_find()), "{side}");
    }
}

#[test]
fn the_soonest_diagonal_need_not_be_the_smallest() {
    let five = board(5, 5, 2);
    let (soonest, smallest) = (ShotOrder::soonest_diagonal(five), ShotOrder::diagonal(five, 1));
    assert_eq!((soonest.shots().len(), smallest.shots().len()), (13, 12));
    assert!(soonest.expected_find() < smallest.expected_find());
}
