//! Figures 2, 3 and 4 of the paper on checking a hidden board.

use broadside_rules::{Draft, Picture, ViolationKind, baseline};

/// Figure 2, with what the scan garbled read as `*`.
const FIGURE_2: &str = "\
****000000
0000000000
***00***00
0000000000
00000000**
000**00000
00000000**
000*000000
00000*00*0
0*00000000";

/// What is wrong by the default method, as sentences. The two methods of the paper must come to the same verdict.
fn faults(figure: &str) -> Vec<String> {
    let picture: Picture = figure.parse().unwrap();
    let report = Draft::Picture(picture.clone()).check(&baseline::rules());
    for verdict in [baseline::brute_force(&picture), baseline::skip(&picture), picture.is_legal(&baseline::rules())] {
        assert_eq!(verdict, report.is_valid(), "{figure}");
    }
    report.violations().iter().map(ToString::to_string).collect()
}

#[test]
fn figure_2_is_valid() {
    assert_eq!(faults(FIGURE_2), [""; 0]);
}

#[test]
fn figure_3_touches_at_a_corner_in_rows_8_and_9() {
    let figure_3 = FIGURE_2.replace("000*000000", "0000*00000");
    assert_ne!(figure_3, FIGURE_2);
    assert_eq!(faults(&figure_3), ["ships touch: H5 I6"]);
}

/// The rows of figure 4. Rows 5 and 7 have nine readable characters, all of them `0`, so one square of each is lost.
fn figure_4(row_5: &str, row_7: &str) -> String {
    format!("****000000\n0000000000\n***00*0*00\n00*0000000\n{row_5}\n000*000000\n{row_7}\n000*000000\n00000*00*0\n0*00000000")
}

/// The paper says that ships overlap in rows 3 and 4. The cells are joined by their sides, so they are one bent ship.
const BENT: &str = "a ship is bent: C1 C2 C3 D3";

#[test]
fn figure_4_has_the_eight_single_ships_that_the_paper_counts_if_one_lost_square_is_a_ship() {
    // What can be read has the singles C6, C8, F4, H4, I6, I9 and J2: seven. The paper counts eight, so one of the lost
    // squares is a ship and the other is water.
    let count = |row_5: &str, row_7: &str| {
        let report = figure_4(row_5, row_7).parse::<Draft>().unwrap().check(&baseline::rules());
        let singles = |kind| match kind {
            ViolationKind::WrongNumber { length, found, expected: 4 } if length.get() == 1 => Some(found),
            _ => None,
        };
        report.violations().iter().find_map(|fault| singles(fault.kind())).unwrap()
    };
    let (water, ship) = ("0000000000", "000000000*");
    assert_eq!(count(water, water), 7);
    assert_eq!(count(ship, water), 8);
    assert_eq!(count(water, ship), 8);
    assert_eq!(count(ship, ship), 9);
}

#[test]
fn figure_4_is_invalid_for_the_papers_reasons_however_the_lost_squares_are_filled() {
    for row_5 in ["0000000000", "000000000*", "*000000000"] {
        for row_7 in ["0000000000", "000000000*", "*000000000"] {
            let faults = faults(&figure_4(row_5, row_7));
            assert!(faults.contains(&BENT.to_owned()), "{faults:?}");
            assert!(faults.iter().any(|fault| fault.starts_with("wrong number of ships of length 1")), "{faults:?}");
            assert!(faults.iter().any(|fault| fault == "wrong number of ships of length 3: 0 instead of 2"), "{faults:?}");
            assert!(faults.iter().any(|fault| fault == "wrong number of ships of length 2: 0 instead of 3"), "{faults:?}");
        }
    }
}
