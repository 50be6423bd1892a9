//! Parts of tournaments: put together they are one run, and what doesn't belong together is refused.
#![cfg(unix)]

use std::sync::atomic::AtomicBool;

use broadside_bots::tournament::{
    Mode, Pairing, Placing, Player, Tournament, TournamentConfig, TournamentMerge, TournamentMergeError, TournamentPart,
};
use broadside_bots::{BotSettings, Launcher, Resources, TimeControl};
use broadside_lab::{Layouts, Ranges, TextFormat};
use broadside_rules::Turns;
use proptest::prelude::*;
use serde_json::{Value, json};

fn tournament(mode: Mode, placing: Placing, seed: u64) -> Tournament {
    let config = TournamentConfig {
        rules: "5x5 3,2 never bare".parse().unwrap(),
        players: ["random", "hunt-target", "density"].map(Player::captain).to_vec(),
        mode,
        turns: Turns::Alternate,
        pairing: Pairing::RoundRobin,
        placing,
        games: 6,
        seed,
        sprt: None,
    };
    let (time, resources) = (TimeControl::default(), Resources::default());
    let settings = BotSettings { launcher: Launcher::direct(), time, resources, cores: Vec::new() };
    Tournament::new(config, broadside_captains::Registry::new(), settings).unwrap()
}

fn play(tournament: &Tournament, games: impl Into<Ranges>) -> TournamentPart {
    tournament.play_part(&games.into(), &[Vec::new(), Vec::new()], &AtomicBool::new(false)).unwrap()
}

fn kinds() -> [(Mode, Placing); 4] {
    let dealt = Placing::Dealt(Layouts::Uniform);
    [(Mode::Duel, Placing::Own), (Mode::Duel, dealt.clone()), (Mode::Solo, Placing::Own), (Mode::Solo, dealt)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn parts_in_any_order_are_one_run(kind in 0..4usize, cuts in prop::collection::vec(0..36u64, 0..4), order in any::<u64>()) {
        let (mode, placing) = kinds()[kind].clone();
        let tournament = tournament(mode, placing, order);
        let whole = play(&tournament, 0..tournament.schedule().len());
        let mut cuts: Vec<u64> = cuts.into_iter().chain([0, whole.whole()]).map(|cut| cut.min(whole.whole())).collect();
        cuts.sort_unstable();
        let mut parts: Vec<_> = cuts.windows(2).map(|ends| play(&tournament, ends[0]..ends[1]).to_text()).collect();
        parts.sort_by_key(|part| part.len() as u64 ^ order);
        let mut merge = TournamentMerge::new();
        for part in &parts {
            merge.add("a part", TournamentPart::parse(part).unwrap()).unwrap();
        }
        prop_assert!(!merge.add("again", TournamentPart::parse(&parts[0]).unwrap()).unwrap(), "it has nothing new");
        let merged = merge.finish().unwrap();
        prop_assert!(merged.missing().is_empty());
        prop_assert_eq!(merged.to_text(), whole.to_text());
        prop_assert_eq!(merged.results().data_files(), whole.results().data_files());
    }
}

/// A part with its contents changed, and a right checksum.
fn changed(part: &TournamentPart, change: impl FnOnce(&mut Value)) -> String {
    let format = TextFormat { name: "broadside-tournament-part", versions: &["1"] };
    let text = part.to_text();
    let mut contents = serde_json::from_str(format.read(&text).unwrap().1).unwrap();
    change(&mut contents);
    format.write(&contents)
}

#[test]
fn parts_that_do_not_go_together_are_refused() {
    let (one, other) = (tournament(Mode::Duel, Placing::Own, 1), tournament(Mode::Duel, Placing::Own, 2));
    let mut merge = TournamentMerge::new();
    assert!(merge.add("a", play(&one, 0..5)).unwrap());
    let foreign = merge.add("b", play(&other, 5..18)).unwrap_err().to_string();
    assert_eq!(foreign, "b is of another tournament than a: its seed: 2, and not 1");
    // The same tournament by its identity, with a game of another one.
    let lie = TournamentPart::parse(&changed(&play(&other, 4..8), |part| part["tournament"]["seed"] = json!(1))).unwrap();
    let overlap = merge.add("c", lie).unwrap_err();
    assert_eq!(overlap, TournamentMergeError::Overlap { part: "c".into(), other: "a".into(), game: 4 });
    assert!(merge.add("d", play(&one, 4..8)).unwrap());
    assert_eq!(merge.finish().unwrap().missing().to_string(), "8..18");
}

#[test]
fn games_of_something_else_are_refused() {
    let part = play(&tournament(Mode::Duel, Placing::Own, 1), 3..5);
    let wrong = |change: fn(&mut Value)| TournamentPart::parse(&changed(&part, change)).unwrap_err().to_string();
    assert!(wrong(|part| part["games"][1]["number"] = json!(18)).ends_with("the tournament has no such game"));
    assert!(wrong(|part| part["games"][1]["number"] = json!(5)).ends_with("it is of other players"));
    assert!(wrong(|part| part["games"][1]["number"] = json!(3)).contains("game 3"));
    assert!(wrong(|part| part["games"][1]["players"][0] = json!("nobody")).ends_with("it is of other players"));
    assert!(wrong(|part| part["games"][1]["winner"] = Value::Null).ends_with("its winner is not one of its players"));
    assert!(wrong(|part| part["games"][1]["shots"] = json!([""])).ends_with("it has too many or too few logs"));
    assert!(wrong(|part| part["games"][1]["shots"][0] = json!("A1+ A1+")).ends_with("its shots are not by the rules"));
    assert!(wrong(|part| part["games"][1]["shots"] = json!(["", ""])).ends_with("it ends too early"));
    assert!(wrong(|part| part["tournament"]["games"] = json!(u64::MAX)).contains("too many"));
    assert!(wrong(|part| part["tournament"]["rules"] = json!("3x3")).ends_with("its rules can't be read"));
    let text = part.to_text();
    assert!(TournamentPart::parse(&text.replace("hunt-target", "hunt-targer")).is_err(), "its checksum is wrong");
    assert!(TournamentPart::parse(&text[..text.len() - 10]).is_err());
}
