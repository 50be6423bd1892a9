//! Every mutation of a legal board that breaks a rule is reported, with the right kind and the right cells, and with
//! nothing else. What should be reported is worked out here from plain coordinates.

use std::collections::BTreeSet;

use broadside_rules::{Draft, Length, Picture, Placement, Report, Rules, Touch, ViolationKind};
use proptest::prelude::*;

use crate::naive::{self, Ship, Square};

type Fault = (ViolationKind, BTreeSet<Square>);

fn length(n: usize) -> Length {
    Length::new(n).unwrap()
}

fn faults(report: &Report) -> Vec<Fault> {
    let fault = |fault: &broadside_rules::Violation| {
        let cells: BTreeSet<Square> = fault.cells().iter().map(|&cell| naive::square(cell)).collect();
        assert_eq!(cells.len(), fault.cells().len(), "a cell is named twice");
        (fault.kind(), cells)
    };
    report.violations().iter().map(fault).collect()
}

/// The faults in an order that doesn't depend on who found them.
fn sorted(faults: &[Fault]) -> Vec<String> {
    let mut lines: Vec<String> = faults.iter().map(|fault| format!("{fault:?}")).collect();
    lines.sort();
    lines
}

fn wrong_lengths(ships: &[Ship], rules: &Rules) -> Vec<Fault> {
    let lengths = naive::lengths(rules.fleet());
    let longest = *lengths.iter().max().unwrap();
    let too_long = ships.iter().filter(|ship| ship.len() > longest);
    let mut faults: Vec<Fault> =
        too_long.map(|ship| (ViolationKind::TooLong { longest: length(longest) }, ship.iter().copied().collect())).collect();
    for n in 1..=longest {
        let found: Vec<&Ship> = ships.iter().filter(|ship| ship.len() == n).collect();
        let expected = lengths.iter().filter(|&&l| l == n).count();
        if found.len() != expected {
            let kind = ViolationKind::WrongNumber { length: length(n), found: found.len(), expected };
            faults.push((kind, found.into_iter().flatten().copied().collect()));
        }
    }
    faults
}

fn near(a: &[Square], b: &[Square], touch: Touch) -> BTreeSet<Square> {
    let close = |one: &[Square], other: &[Square]| -> Vec<Square> {
        one.iter().copied().filter(|&p| other.iter().any(|&q| naive::too_close(p, q, touch))).collect()
    };
    close(a, b).into_iter().chain(close(b, a)).collect()
}

/// All that is wrong with a list of ships.
fn faults_of_ships(ships: &[Ship], rules: &Rules) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (i, ship) in ships.iter().enumerate() {
        let off = |&&(row, col): &&Square| row >= rules.grid().rows() || col >= rules.grid().cols();
        let off: BTreeSet<Square> = ship.iter().filter(off).copied().collect();
        if !off.is_empty() {
            faults.push((ViolationKind::OffGrid, off));
        }
        for other in &ships[i + 1..] {
            let shared = near(ship, other, Touch::Allowed);
            let close = near(ship, other, rules.touch());
            if !shared.is_empty() {
                faults.push((ViolationKind::Overlap, shared));
            } else if !close.is_empty() {
                faults.push((ViolationKind::Touching, close));
            }
        }
    }
    faults.extend(wrong_lengths(ships, rules));
    faults
}

/// The groups of squares joined by their sides, each in reading order.
fn groups(squares: &BTreeSet<Square>) -> Vec<Ship> {
    let mut groups: Vec<Ship> = squares.iter().map(|&square| vec![square]).collect();
    while let Some((i, j)) = (0..groups.len())
        .flat_map(|i| (0..i).map(move |j| (j, i)))
        .find(|&(i, j)| naive::clash(&groups[i], &groups[j], Touch::Corners))
    {
        let other = groups.remove(j);
        groups[i].extend(other);
        groups[i].sort_unstable();
    }
    groups
}

/// All that is wrong with a picture when ships lie apart.
fn faults_of_picture(squares: &BTreeSet<Square>, rules: &Rules) -> Vec<Fault> {
    let groups = groups(squares);
    let straight = |group: &&Ship| {
        let (rows, cols): (BTreeSet<usize>, BTreeSet<usize>) = group.iter().copied().unzip();
        rows.len() == 1 || cols.len() == 1
    };
    let (ships, bent): (Vec<&Ship>, Vec<&Ship>) = groups.iter().partition(straight);
    let mut faults: Vec<Fault> = bent.iter().map(|group| (ViolationKind::Bent, group.iter().copied().collect())).collect();
    for (i, a) in groups.iter().enumerate() {
        let meetings = groups[i + 1..].iter().map(|b| near(a, b, rules.touch())).filter(|cells| !cells.is_empty());
        faults.extend(meetings.map(|cells| (ViolationKind::Touching, cells)));
    }
    faults.extend(wrong_lengths(&ships.into_iter().cloned().collect::<Vec<_>>(), rules));
    faults
}

fn check_ships(ships: &[Ship], rules: &Rules) -> Vec<Fault> {
    let placements: Vec<Placement> = ships.iter().map(|ship| naive::placement(ship)).collect();
    let report = Draft::Ships(placements).check(rules);
    let (found, expected) = (faults(&report), faults_of_ships(ships, rules));
    assert_eq!(sorted(&found), sorted(&expected), "{rules}: {ships:?}");
    assert_eq!(report.is_valid(), naive::is_legal(ships, rules));
    found
}

fn check_picture(squares: &BTreeSet<Square>, rules: &Rules) -> Vec<Fault> {
    let picture = Picture::new(naive::cell_set(rules.grid(), squares.iter().copied()));
    let report = Draft::Picture(picture.clone()).check(rules);
    let (found, expected) = (faults(&report), faults_of_picture(squares, rules));
    assert_eq!(sorted(&found), sorted(&expected), "{rules}\n{picture}");
    found
}

fn has(faults: &[Fault], is: impl Fn(ViolationKind) -> bool) -> bool {
    faults.iter().any(|fault| is(fault.0))
}

fn shifted(ship: &[Square], rows: usize, cols: usize) -> Ship {
    ship.iter().map(|&(row, col)| (row + rows, col + cols)).collect()
}

/// The rules, a legal list of ships and the number of one of them.
fn a_ship() -> impl Strategy<Value = (Rules, Vec<Ship>, usize)> {
    (naive::dealt(12), any::<prop::sample::Index>()).prop_map(|((rules, layout), which)| {
        let ships = naive::ships(&layout);
        let which = which.index(ships.len());
        (rules, ships, which)
    })
}

/// The same where ships must lie apart.
fn a_ship_apart() -> impl Strategy<Value = (Rules, Vec<Ship>, usize)> {
    a_ship().prop_filter("ships apart", |(rules, ..)| rules.touch() != Touch::Allowed)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_legal_board_has_no_fault((rules, ships, _) in a_ship()) {
        prop_assert_eq!(check_ships(&ships, &rules), []);
    }

    #[test]
    fn a_ship_shifted_over_the_edge_is_off_the_grid((rules, mut ships, which) in a_ship(), down in any::<bool>(), by in 1usize..4) {
        let (last_row, last_col) = *ships[which].last().unwrap();
        let over = if down { (rules.grid().rows() - 1 - last_row + by, 0) } else { (0, rules.grid().cols() - 1 - last_col + by) };
        ships[which] = shifted(&ships[which], over.0, over.1);
        let faults = check_ships(&ships, &rules);
        prop_assert!(has(&faults, |kind| kind == ViolationKind::OffGrid));
    }

    #[test]
    fn a_ship_moved_onto_another_overlaps_it((rules, mut ships, which) in a_ship(), onto in any::<prop::sample::Index>()) {
        let onto = onto.index(ships.len());
        prop_assume!(onto != which);
        let bow = ships[onto][0];
        let (row, col) = ships[which][0];
        ships[which] = ships[which].iter().map(|square| (square.0 - row + bow.0, square.1 - col + bow.1)).collect();
        let faults = check_ships(&ships, &rules);
        prop_assert!(faults.iter().any(|(kind, cells)| *kind == ViolationKind::Overlap && cells.contains(&bow)));
    }

    #[test]
    fn a_ship_beside_another_touches_it_unless_that_is_allowed((rules, ships, which) in a_ship(), corner in any::<bool>()) {
        let (row, col) = *ships[which].last().unwrap();
        let beside = if corner { (row + 1, col + 1) } else if ships[which][0].0 == row { (row + 1, col) } else { (row, col + 1) };
        prop_assume!(beside.0 < rules.grid().rows() && beside.1 < rules.grid().cols());
        prop_assume!(!ships.iter().flatten().any(|&square| square == beside));
        let more: Vec<Ship> = ships.iter().cloned().chain([vec![beside]]).collect();
        let faults = check_ships(&more, &rules);
        let forbidden = rules.touch() == Touch::Never || (rules.touch() == Touch::Corners && !corner);
        let names_both = |(kind, cells): &Fault| {
            *kind == ViolationKind::Touching && cells.contains(&beside) && cells.contains(&(row, col))
        };
        prop_assert_eq!(faults.iter().any(names_both), forbidden);
    }

    #[test]
    fn a_missing_or_an_additional_ship_is_counted((rules, mut ships, which) in a_ship(), add in any::<bool>()) {
        let ship = ships[which].clone();
        let expected = rules.fleet().count(length(ship.len()));
        if add { ships.push(ship.clone()) } else { drop(ships.remove(which)) }
        let found = if add { expected + 1 } else { expected - 1 };
        let faults = check_ships(&ships, &rules);
        let kind = ViolationKind::WrongNumber { length: length(ship.len()), found, expected };
        prop_assert!(has(&faults, |other| other == kind));
    }

    #[test]
    fn a_lengthened_ship_is_too_long_or_one_of_too_many((rules, mut ships, which) in a_ship()) {
        let ship = &mut ships[which];
        let (old, last) = (ship.len(), *ship.last().unwrap());
        let vertical = old > 1 && ship[0].1 == last.1;
        ship.push(if vertical { (last.0 + 1, last.1) } else { (last.0, last.1 + 1) });
        let longest = rules.fleet().longest();
        let faults = check_ships(&ships, &rules);
        let missing = |kind| matches!(kind, ViolationKind::WrongNumber { length: l, found, expected } if l.get() == old && found + 1 == expected);
        let too_much = |kind| match kind {
            ViolationKind::TooLong { longest: l } => l == longest && old == longest.get(),
            ViolationKind::WrongNumber { length: l, found, expected } => l.get() == old + 1 && found == expected + 1,
            _ => false,
        };
        prop_assert!(has(&faults, missing) && has(&faults, too_much));
    }

    #[test]
    fn a_cell_put_beside_the_end_of_a_ship_bends_the_picture((rules, ships, which) in a_ship_apart()) {
        prop_assume!(ships[which].len() > 1);
        let (row, col) = *ships[which].last().unwrap();
        let vertical = ships[which][0].1 == col;
        let bend = if vertical { (row, col + 1) } else { (row + 1, col) };
        prop_assume!(bend.0 < rules.grid().rows() && bend.1 < rules.grid().cols());
        let squares: BTreeSet<Square> = ships.iter().flatten().copied().chain([bend]).collect();
        let faults = check_picture(&squares, &rules);
        prop_assert!(faults.iter().any(|(kind, cells)| *kind == ViolationKind::Bent && cells.contains(&bend)));
    }

    #[test]
    fn a_run_longer_than_any_ship_is_too_long((rules, ships, which) in a_ship_apart()) {
        let (row, col) = *ships[which].last().unwrap();
        prop_assume!(ships[which].len() == rules.fleet().longest().get() && ships[which].len() > 1);
        let vertical = ships[which][0].1 == col;
        let more = if vertical { (row + 1, col) } else { (row, col + 1) };
        prop_assume!(more.0 < rules.grid().rows() && more.1 < rules.grid().cols());
        let squares: BTreeSet<Square> = ships.iter().flatten().copied().chain([more]).collect();
        let faults = check_picture(&squares, &rules);
        // The longer run may have met another ship; then it is bent and no run.
        let kind = |kind| matches!(kind, ViolationKind::TooLong { .. } | ViolationKind::Bent);
        prop_assert!(faults.iter().any(|fault| kind(fault.0) && fault.1.contains(&more)));
    }

    #[test]
    fn any_change_of_a_picture_is_reported_as_a_naive_look_finds_it(
        (rules, ships, _) in a_ship_apart(),
        flips in proptest::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..6),
    ) {
        let mut squares: BTreeSet<Square> = ships.iter().flatten().copied().collect();
        for (row, col) in flips {
            let square = (row.index(rules.grid().rows()), col.index(rules.grid().cols()));
            if !squares.remove(&square) {
                squares.insert(square);
            }
        }
        check_picture(&squares, &rules);
    }

    #[test]
    fn any_list_of_ships_is_reported_as_a_naive_look_finds_it(
        rules in naive::rules(6, 5, 4),
        ships in proptest::collection::vec((0usize..8, 0usize..8, 1usize..6, any::<bool>()), 1..8),
    ) {
        let ship = |&(row, col, n, horizontal): &(usize, usize, usize, bool)| -> Ship {
            (0..n).map(|i| if horizontal { (row, col + i) } else { (row + i, col) }).collect()
        };
        check_ships(&ships.iter().map(ship).collect::<Vec<_>>(), &rules);
    }
}

#[test]
fn a_picture_of_another_size_is_reported_with_the_cells_that_are_off() {
    let rules: Rules = "3x3 2,1 never ship".parse().unwrap();
    let found = faults(&"XX..\n....\n...X".parse::<Draft>().unwrap().check(&rules));
    let size = ViolationKind::WrongSize { picture: "3x4".parse().unwrap(), board: rules.grid() };
    let missing = ViolationKind::WrongNumber { length: length(1), found: 0, expected: 1 };
    let expected = [(size, BTreeSet::new()), (ViolationKind::OffGrid, BTreeSet::from([(2, 3)])), (missing, BTreeSet::new())];
    assert_eq!(found, expected);
}
