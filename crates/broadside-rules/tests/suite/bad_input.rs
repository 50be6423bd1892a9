//! Bad input is refused in bounded time and memory, without a panic, on a small stack.

use std::time::{Duration, Instant};

use broadside_rules::{Call, CellSet, Draft, Fleet, Grid, Length, Picture, Rules, Touch};

use crate::claims;

/// What one question may take in an unoptimised build on a very busy machine. Alone, in release, the slowest takes less
/// than two seconds; this is to catch what would take hours.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Runs on a stack of two megabytes, as a thread of a server has it.
fn on_a_small_stack(name: &str, work: impl FnOnce() + Send + 'static) {
    let start = Instant::now();
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
    assert!(start.elapsed() < TIME_LIMIT, "{name} took {:?}", start.elapsed());
}

#[test]
fn texts_of_ten_megabytes_are_read_or_refused_at_once() {
    let pieces = [
        "", "A", "A1", "A1 ", "1,", "2", "0", "*", "X\n", "\0", " ", "\n", "\r\n", "A1-", "A1+ ", "|", "é", "10x10", "B2#3,",
        "A1-A5 ",
    ];
    for piece in pieces {
        let text = if piece.is_empty() { String::new() } else { piece.repeat(10_000_000 / piece.len()) };
        for (name, claim) in claims::ALL {
            let text = text.clone();
            on_a_small_stack(name, move || claim(&text));
        }
    }
}

#[test]
fn a_good_text_with_ten_megabytes_behind_it_is_read_or_refused_at_once() {
    let tail = [" ", "\n", "\0", "A1- ", "x"];
    for tail in tail.map(|piece| piece.repeat(10_000_000 / piece.len())) {
        for (name, text) in [
            ("rules", "10x10 5,4,3,3,2 allowed ship"),
            ("record", "3x3 2 allowed ship | B2-B3 | A1- B2+ B3#2 "),
            ("draft", "aA1-A5 C3-E3"),
            ("log", "aA1- B2+ "),
            ("picture", "X..\n..."),
        ] {
            let text = format!("{text}{tail}");
            on_a_small_stack(name, move || claims::check(name, &text));
        }
    }
}

fn fleet(classes: &[(usize, usize)]) -> Fleet {
    Fleet::new(classes.iter().flat_map(|&(length, count)| vec![Length::new(length).unwrap(); count])).unwrap()
}

/// Fits are decided, or left open with a word, in bounded time. `verdict` is what is known from elsewhere.
fn fits(rows: usize, cols: usize, classes: &[(usize, usize)], touch: Touch, verdict: Option<bool>) {
    let (grid, fleet) = (Grid::new(rows, cols).unwrap(), fleet(classes));
    let name = format!("{grid} {fleet} {touch}");
    on_a_small_stack(&name.clone(), move || {
        let found = Rules::new(grid, fleet, touch, Call::Ship);
        if let Some(verdict) = verdict {
            assert_eq!(found.is_ok(), verdict, "{name}");
        }
    });
}

#[test]
fn full_and_nearly_full_boards_are_decided() {
    use Touch::{Allowed, Corners, Never};
    fits(10, 10, &[(1, 25)], Never, Some(true));
    fits(10, 10, &[(1, 26)], Never, Some(false));
    fits(10, 10, &[(1, 30)], Never, Some(false));
    fits(10, 10, &[(1, 50)], Corners, Some(true));
    fits(10, 10, &[(1, 51)], Corners, Some(false));
    fits(64, 64, &[(64, 64)], Allowed, Some(true));
    fits(64, 64, &[(32, 128)], Allowed, Some(true));
    fits(64, 64, &[(1, 128)], Never, Some(true));
    fits(16, 16, &[(4, 64)], Allowed, Some(true));
    // Colour the cells by (row + column) mod 4: every ship covers each colour once, but the colours are not equally many.
    fits(10, 10, &[(4, 25)], Allowed, Some(false));
    fits(10, 10, &[(4, 24), (2, 2)], Allowed, Some(true));
}

#[test]
fn intricate_boards_are_decided_or_left_open_in_bounded_time() {
    use Touch::{Allowed, Corners, Never};
    fits(16, 16, &[(6, 42), (4, 1)], Allowed, None);
    fits(22, 22, &[(4, 121)], Allowed, None);
    fits(10, 10, &[(2, 25)], Corners, None);
    fits(10, 10, &[(3, 16)], Corners, None);
    fits(64, 64, &[(33, 60)], Corners, None);
    fits(64, 64, &[(16, 128)], Corners, None);
    fits(64, 64, &[(50, 81)], Allowed, None);
    let odd: Vec<(usize, usize)> = (1..=64).map(|length| (length, 1)).collect();
    fits(64, 64, &odd[..63], Corners, None);
    fits(64, 64, &odd[..60], Never, None);
    let long: Vec<(usize, usize)> = (33..=64).map(|length| (length, 2)).chain([(31, 30)]).collect();
    fits(64, 64, &long, Allowed, None);
}

/// Checking the picture is bounded too.
fn checked(name: &'static str, cells: CellSet, fleet: Fleet, touch: Touch) {
    let rules = Rules::new(cells.grid(), fleet, touch, Call::Ship).unwrap();
    on_a_small_stack(name, move || {
        Draft::Picture(Picture::new(cells)).check(&rules);
    });
}

#[test]
fn large_and_intricate_pictures_are_checked_in_bounded_time() {
    let grid = Grid::new(64, 64).unwrap();
    let picked =
        |pick: fn(usize, usize) -> bool| CellSet::from_cells(grid, grid.cells().filter(|cell| pick(cell.row(), cell.col())));
    let mixed: Vec<(usize, usize)> = (1..=15).map(|length| (length, 8)).collect();
    checked("a full board", CellSet::full(grid), fleet(&[(32, 128)]), Touch::Allowed);
    checked("a full board of mixed ships", CellSet::full(grid), fleet(&mixed), Touch::Allowed);
    checked("a chequered board", picked(|r, c| (r + c) % 2 == 0), fleet(&[(1, 128)]), Touch::Allowed);
    checked("a chequered board of ships apart", picked(|r, c| (r + c) % 2 == 0), fleet(&[(1, 128)]), Touch::Never);
    checked("blocks", picked(|r, c| r % 13 < 12 && c % 13 < 12), fleet(&mixed), Touch::Allowed);
    checked("small blocks", picked(|r, c| r % 4 < 3 && c % 4 < 3), fleet(&mixed), Touch::Allowed);
    checked(
        "rows of three",
        picked(|r, c| r % 2 == 0 && c % 4 < 3 && r < 32),
        fleet(&[(3, 1), (2, 60), (1, 60)]),
        Touch::Allowed,
    );
    // 960 cells in 120 blocks of 2x4, as many as the fleet has.
    checked("a fleet of blocks", picked(|r, c| r % 3 < 2 && c % 5 < 4 && r < 30 && c < 60), fleet(&mixed), Touch::Allowed);
}
