//! Claims about every text that a parser may be given. The property tests and the fuzz targets make the same ones.
//!
//! Each claim takes any text at all. What a parser accepts must print and read back as the same value; what it refuses
//! must be refused with a short message that can be shown on a terminal.

use std::error::Error;
use std::fmt::{Debug, Display};
use std::str::FromStr;

use broadside_rules::{
    Answer, Call, Cell, CellSet, Draft, Fleet, GameRecord, Grid, Length, Noise, Picture, Placement, Preset, Readings, Rocks,
    Rules, Salvo, Shot, ShotLog, Touch, TurnCall,
};

/// A claim about any text.
pub(crate) type Claim = fn(&str);

/// All of them, by the name of what the text is read as.
pub(crate) const ALL: [(&str, Claim); 19] = [
    ("cell", cell),
    ("grid", grid),
    ("length", length),
    ("fleet", fleet),
    ("touch", touch),
    ("call", call),
    ("preset", preset),
    ("rocks", rocks),
    ("salvo", salvo),
    ("noise", noise),
    ("rules", rules),
    ("placement", placement),
    ("picture", picture),
    ("draft", draft),
    ("answer", answer),
    ("shot", shot),
    ("log", log),
    ("record", record),
    ("fast_check", fast_check),
];

/// Makes one of the claims about the text.
pub(crate) fn check(name: &str, text: &str) {
    let (_, claim) = ALL.iter().find(|(other, _)| *other == name).expect("the name of a claim");
    claim(text);
}

fn cell(text: &str) {
    round_trips::<Cell>(text);
}

fn grid(text: &str) {
    round_trips::<Grid>(text);
}

fn length(text: &str) {
    round_trips::<Length>(text);
}

fn fleet(text: &str) {
    round_trips::<Fleet>(text);
}

fn touch(text: &str) {
    round_trips::<Touch>(text);
}

fn call(text: &str) {
    round_trips::<Call>(text);
}

fn preset(text: &str) {
    round_trips::<Preset>(text);
}

fn rocks(text: &str) {
    round_trips::<Rocks>(text);
}

fn salvo(text: &str) {
    round_trips::<Salvo>(text);
    round_trips::<TurnCall>(text);
}

fn noise(text: &str) {
    round_trips::<Noise>(text);
}

fn rules(text: &str) {
    round_trips::<Rules>(text);
}

fn placement(text: &str) {
    round_trips::<Placement>(text);
}

fn picture(text: &str) {
    round_trips::<Picture>(text);
}

fn answer(text: &str) {
    round_trips::<Answer>(text);
}

fn shot(text: &str) {
    round_trips::<Shot>(text);
}

/// The first character chooses the rules; the rest is the log.
fn log(text: &str) {
    let (rules, text) = some_rules(text);
    match ShotLog::parse(&rules, text) {
        Err(error) => is_presentable(&error),
        Ok(log) => {
            assert_eq!(ShotLog::parse(&rules, &log.to_string()).as_ref(), Ok(&log));
            assert!(log.hits().is_subset(log.fired()));
            assert_eq!(log.fired().len(), log.len() + rules.rocks().map_or(0, CellSet::len));
            let called: usize = log.called_turns().iter().map(|turn| turn.call().hits()).sum();
            assert_eq!(log.hits().len() + called, log.hit_count());
            assert!(log.hit_count() <= rules.fleet().cells());
        }
    }
}

fn record(text: &str) {
    if let Some(record) = round_trips::<GameRecord>(text) {
        let shots = record.log().shots();
        assert_eq!(GameRecord::new(record.rules(), record.layout().clone(), shots).as_ref(), Ok(&record));
        // A true game is a possible one.
        assert_eq!(ShotLog::from_shots(record.rules(), shots.iter().copied()).as_ref(), Ok(record.log()));
    }
}

/// The first character chooses the rules; the rest is the board, which is also checked.
fn draft(text: &str) {
    let (rules, text) = some_rules(text);
    let Some(draft) = round_trips::<Draft>(text) else { return };
    let report = draft.check(&rules);
    assert_eq!(report.is_valid(), report.violations().is_empty());
    assert_eq!(report.is_valid(), report.readings() != Readings::Exactly(0));
    report.violations().iter().for_each(is_short);
    if let Ok(layout) = report.into_layout() {
        let again = Draft::from(&layout).check(&rules);
        assert_eq!(again.into_layout().as_ref(), Ok(&layout));
        assert!(Picture::new(layout.cells()).is_legal(&rules));
    }
}

/// The first character chooses the rules; bit after bit of the rest is a cell of the board. The fast verdict on the
/// picture is that of the full check.
fn fast_check(text: &str) {
    let (rules, text) = some_rules(text);
    let bits = text.bytes().flat_map(|byte| (0..7).map(move |bit| byte >> bit & 1 == 1));
    let cells = rules.grid().cells().zip(bits).filter_map(|(cell, there)| there.then_some(cell));
    fast_check_agrees(&rules, CellSet::from_cells(rules.grid(), cells));
}

/// The fast verdict on the picture of these cells is that of the full check.
fn fast_check_agrees(rules: &Rules, cells: CellSet) {
    let picture = Picture::new(cells);
    let report = Draft::Picture(picture.clone()).check(rules);
    assert_eq!(picture.is_legal(rules), report.is_valid(), "{rules}\n{picture}\n{:?}", report.violations());
}

/// If the text can be read, what it says prints and reads back as the same value.
fn round_trips<T>(text: &str) -> Option<T>
where
    T: FromStr<Err: Error> + Display + Debug + PartialEq,
{
    let value = text.parse::<T>().inspect_err(|error| is_presentable(error)).ok()?;
    let printed = value.to_string();
    match printed.parse::<T>() {
        Ok(again) => assert_eq!(again, value, "{text:?} printed as {printed:?}"),
        Err(error) => panic!("{text:?} printed as {printed:?}, which can't be read: {error}"),
    }
    Some(value)
}

/// A message of a bounded length without control characters, and so are those of its sources.
fn is_presentable(error: &dyn Error) {
    let mut next = Some(error);
    while let Some(error) = next {
        is_short(&error);
        next = error.source();
    }
}

fn is_short(message: &impl Display) {
    let message = message.to_string();
    assert!(!message.is_empty() && !message.contains(char::is_control), "{message:?}");
    // A fault of a picture may name every cell of the largest board.
    assert!(message.len() < 64 * 64 * 10, "{} bytes", message.len());
}

/// Rules chosen by the first character, with the rest of the text.
fn some_rules(text: &str) -> (Rules, &str) {
    const BOARDS: [&str; 8] = [
        "10x10 5,4,3,3,2 allowed",
        "10x10 4,3,3,2,2,2,1,1,1,1 never",
        "10x10 4,3,3,2,2,2,1,1,1,1 corners",
        "4x4 3,2 allowed",
        "3x4 2,2,1 corners",
        "1x7 3,1 never",
        "13x11 3,3,2,1 never",
        "5x3 3,2,2,1,1 allowed",
    ];
    let mut rest = text.chars();
    let number = rest.next().map_or(0, |c| c as usize);
    let (board, call) = (BOARDS[number % BOARDS.len()], Call::ALL[number / BOARDS.len() % Call::ALL.len()]);
    let more = ["", " rocks=A1", " salvo=3", " rocks=A1 salvo=ships", " salvo=3:count"];
    let more = more[number / BOARDS.len() / Call::ALL.len() % more.len()];
    (format!("{board} {call}{more}").parse().expect("rules that fit"), rest.as_str())
}
