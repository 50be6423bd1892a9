//! JSON carries the notation.

use std::fmt::{Debug, Display};

use broadside_rules::{
    Answer, Call, Cell, Draft, Fleet, GameRecord, Grid, Length, Picture, Placement, Preset, Rules, Shot, Touch, TurnCall,
};
use proptest::prelude::*;
use serde::{Serialize, de::DeserializeOwned};

use crate::{naive, referee};

/// The value is written as the string of its notation, and read back as itself, borrowed or not.
fn goes_through_json<T: Serialize + DeserializeOwned + Display + Debug + PartialEq>(value: &T) {
    let json = serde_json::to_string(value).unwrap();
    assert_eq!(json, serde_json::to_string(&value.to_string()).unwrap());
    assert_eq!(&serde_json::from_str::<T>(&json).unwrap(), value);
    assert_eq!(&serde_json::from_reader::<_, T>(json.as_bytes()).unwrap(), value);
}

fn is_refused<T: DeserializeOwned + Debug>(json: &str) {
    serde_json::from_str::<T>(json).unwrap_err();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn every_notation_goes_through_json((rules, layout) in naive::dealt(12), seed in any::<u64>(), shots in 0usize..150) {
        goes_through_json(&rules);
        goes_through_json(&rules.grid());
        goes_through_json(rules.fleet());
        goes_through_json(&rules.fleet().longest());
        goes_through_json(&rules.touch());
        goes_through_json(&rules.call());
        goes_through_json(&rules.salvo());
        goes_through_json(&rules.noise());
        layout.ships().iter().for_each(goes_through_json);
        goes_through_json(&Draft::from(&layout));
        goes_through_json(&Picture::new(layout.cells()));
        let record = referee::played(&rules, &layout, seed, shots).into_record();
        record.log().shots().iter().for_each(goes_through_json);
        goes_through_json(&TurnCall::of(record.log().shots().iter().take(9).map(|shot| shot.answer)));
        record.log().shots().iter().for_each(|shot| goes_through_json(&shot.cell));
        record.log().shots().iter().for_each(|shot| goes_through_json(&shot.answer));
        goes_through_json(&record);
    }
}

#[test]
fn presets_go_through_json() {
    Preset::ALL.iter().for_each(goes_through_json);
}

#[test]
fn what_is_no_notation_is_no_json_either() {
    for json in ["", "1", "null", "[]", "{}", "\"\"", "\"!\"", "\"A0\"", "\"\\u0000\"", "true"] {
        is_refused::<Cell>(json);
        is_refused::<Grid>(json);
        is_refused::<Length>(json);
        is_refused::<Fleet>(json);
        is_refused::<Touch>(json);
        is_refused::<Call>(json);
        is_refused::<Preset>(json);
        is_refused::<Rules>(json);
        is_refused::<Placement>(json);
        is_refused::<Picture>(json);
        is_refused::<Draft>(json);
        is_refused::<Answer>(json);
        is_refused::<Shot>(json);
        is_refused::<GameRecord>(json);
    }
}
