//! Every notation round-trips, and no parser stumbles over any text.

use broadside_rules::{
    Answer, Call, Cell, Draft, Fleet, GameRecord, Grid, Length, Picture, Placement, Preset, Rules, ShotLog, Touch,
};
use proptest::prelude::*;

use crate::{claims, naive, referee};

/// The value prints and reads back as itself.
fn round_trips<T: std::fmt::Display + std::str::FromStr + PartialEq + std::fmt::Debug>(value: &T)
where
    T::Err: std::fmt::Debug,
{
    assert_eq!(&value.to_string().parse::<T>().unwrap(), value);
}

#[test]
fn every_small_value_round_trips() {
    (1..=64).filter_map(Length::new).for_each(|length| round_trips(&length));
    (1..=64).flat_map(|r| (1..=64).map(move |c| Grid::new(r, c).unwrap())).for_each(|grid| round_trips(&grid));
    Grid::new(64, 64).unwrap().cells().for_each(|cell| round_trips(&cell));
    Touch::ALL.iter().for_each(round_trips);
    Call::ALL.iter().for_each(round_trips);
    Preset::ALL.iter().for_each(round_trips);
    let lengths = || std::iter::once(None).chain((1..=64).map(Length::new));
    lengths().map(Answer::Hit).chain(lengths().map(Answer::Sunk)).chain([Answer::Miss]).for_each(|answer| round_trips(&answer));
}

/// Texts that are almost right: pieces of the notations, put together at random.
fn almost() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "A1",
        "B7",
        "AA10",
        "BL64",
        "J10",
        "-",
        "+",
        "#",
        "#3",
        "+4",
        ",",
        " ",
        "\n",
        "\r\n",
        "x",
        "X",
        "10x10",
        "3x3",
        "5,4,3,3,2",
        "2",
        "never",
        "allowed",
        "corners",
        "ship",
        "every",
        "bare",
        "silent",
        "classic",
        "rocks=",
        "salvo=",
        "noise=",
        "0.05",
        "ships",
        ":each",
        ":count",
        "=2",
        "=1#",
        " =2#3",
        "?",
        "none",
        "|",
        " | ",
        "*",
        "0",
        ".",
        "X..",
        "\0",
        "é",
        "\u{feff}",
        "64",
        "65",
        "99999999999999999999",
        "A1-A3",
        "B2-C2",
    ]);
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// A text with one character taken out, put in, doubled or replaced, or cut off.
fn mutated(text: &str, at: usize, how: u8, with: char) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let at = at % (chars.len() + 1);
    match how % 4 {
        0 => chars.insert(at, with),
        1 => chars.truncate(at),
        _ if at == chars.len() => chars.push(with),
        2 => chars[at] = with,
        _ => drop(chars.remove(at)),
    }
    chars.into_iter().collect()
}

/// Characters that mean something, and others.
fn characters() -> impl Strategy<Value = char> {
    prop_oneof![proptest::sample::select("A1B2-+#|, x*0.X\n\0×9".chars().collect::<Vec<_>>()), any::<char>()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn no_parser_stumbles_over_any_text(text in prop_oneof![any::<String>(), almost(), ".{0,80}"]) {
        for (_, claim) in claims::ALL {
            claim(&text);
        }
    }

    #[test]
    fn a_fleet_in_any_order_round_trips(lengths in proptest::collection::vec(1usize..=64, 1..=128)) {
        let fleet = Fleet::new(lengths.iter().copied().filter_map(Length::new)).unwrap();
        round_trips(&fleet);
        let text = lengths.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        prop_assert_eq!(text.parse::<Fleet>().unwrap(), fleet);
    }

    #[test]
    fn placements_and_lists_of_them_round_trip(ends in proptest::collection::vec((0usize..64, 0usize..64, 0usize..64, any::<bool>()), 1..20)) {
        let ship = |&(a, b, c, horizontal): &(usize, usize, usize, bool)| {
            let (one, other) = if horizontal { ((a, b), (a, c)) } else { ((b, a), (c, a)) };
            Placement::between(naive::cell(one), naive::cell(other)).unwrap()
        };
        let ships: Vec<Placement> = ends.iter().map(ship).collect();
        ships.iter().for_each(round_trips);
        round_trips(&Draft::Ships(ships));
    }

    #[test]
    fn pictures_round_trip(rows in 1usize..=64, cols in 1usize..=64, seed in any::<u64>()) {
        let grid = Grid::new(rows, cols).unwrap();
        // A cheap scatter of cells, different for each seed.
        let picked = |cell: &Cell| (grid.index(*cell) as u64 + 1).wrapping_mul(seed | 1) >> 61 < 3;
        let picture = Picture::new(naive::cell_set(grid, grid.cells().filter(picked).map(naive::square)));
        round_trips(&picture);
        round_trips(&Draft::Picture(picture));
    }

    #[test]
    fn rules_round_trip(rules in naive::rules(12, 8, 6)) {
        round_trips(&rules);
    }

    #[test]
    fn a_layout_reads_back_as_itself((rules, layout) in naive::dealt(12)) {
        let report = layout.to_string().parse::<Draft>().unwrap().check(&rules);
        prop_assert_eq!(report.into_layout().unwrap(), layout);
    }

    #[test]
    fn games_and_their_logs_round_trip((rules, layout) in naive::dealt(12), seed in any::<u64>(), shots in 0usize..150) {
        let record = referee::played(&rules, &layout, seed, shots).into_record();
        round_trips(&record);
        record.log().shots().iter().for_each(round_trips);
        prop_assert_eq!(&ShotLog::parse(&rules, &record.log().to_string()).unwrap(), record.log());
    }

    #[test]
    fn no_parser_stumbles_over_a_text_that_was_right_before_a_slip(
        (rules, layout) in naive::dealt(10), seed in any::<u64>(),
        slips in proptest::collection::vec((any::<usize>(), any::<u8>(), characters()), 1..4),
    ) {
        let record: GameRecord = referee::played(&rules, &layout, seed, 30).into_record();
        let texts = [
            ("rules", rules.to_string()),
            ("fleet", rules.fleet().to_string()),
            ("draft", format!("b{layout}")),
            ("draft", format!("a{}", Picture::new(layout.cells()))),
            ("log", format!("a{}", record.log())),
            ("record", record.to_string()),
        ];
        for (name, text) in texts {
            let slipped = slips.iter().fold(text, |text, &(at, how, with)| mutated(&text, at, how, with));
            claims::check(name, &slipped);
        }
    }
}

#[test]
fn a_preset_is_a_set_of_rules_by_name() {
    assert_eq!(" Classic ".parse::<Rules>().unwrap(), "10x10 2,3,3,4,5 allowed ship".parse().unwrap());
}
