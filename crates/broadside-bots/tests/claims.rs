//! What must hold for any line: reading it never panics, and what was read and is written is read as the same.

use broadside_bots::{FromBot, ToBot};

#[path = "claims/part.rs"]
mod part;

/// Checks both directions.
pub(crate) fn check(line: &str) {
    if let Ok(message) = line.parse::<ToBot>() {
        assert_eq!(message.to_string().parse::<ToBot>().as_ref(), Ok(&message), "{line:?}");
    }
    match line.parse::<FromBot>() {
        Ok(message) => assert_eq!(message.to_string().parse::<FromBot>().as_ref(), Ok(&message), "{line:?}"),
        // A message about a bad line must not be as long as the line.
        Err(error) => assert!(error.to_string().len() < 2000, "{line:?}"),
    }
}

proptest::proptest! {
    #[test]
    fn any_line_is_read_or_refused(line in ".{0,200}") {
        check(&line);
    }

    #[test]
    fn parts_of_tournaments_are_read_or_refused(
        number in 0..5u64, game in 0..3u64, players in r#"("random"|"density"|"x"),("random"|"density")"#, count in 1..4u64,
        target in "A1-A[23] C1-C2|", shots in "A1[-+] ?(A2[+#]2? )?(A3#3)?", winner in r#""random"|"density"|null"#,
    ) {
        let line = format!(
            r#"{{"number":{number},"game":{game},"players":[{players}],"targets":["{target}","{target}"],"shots":["{shots}",""],"winner":{winner}}}"#
        );
        let tournament = format!(
            r#"{{"version":"1","rules":"3x3 3,2 allowed ship","players":["random","density"],"mode":"duel","turns":"alternate","pairing":"pairs","layouts":"own","games":{count},"seed":1,"sprt":null}}"#
        );
        part::check(&format!(r#"{{"tournament":{tournament},"games":[{line}]}}"#));
    }

    #[test]
    fn lines_like_those_of_ubi_round_trip(
        word in "(ubi|setoption|newgame|place|position|go|opponent|result|quit|id|option|ubiok|layout|info|bestshot)",
        rest in "( (name|seed|value|[A-D][0-9]{1,2}[-+#]?[0-9]?|[A-C][1-9]-[A-C][1-9]|movetime|win|loss|10x10|4x4 3,2 allowed ship|[0-9]{1,6})){0,5} *",
    ) {
        check(&format!("{word}{rest}"));
    }
}
