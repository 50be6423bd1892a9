//! Whether a bot speaks UBI as it should.

#![cfg(unix)]

use broadside_lab::generator;
use broadside_odds::Dealer;
use broadside_rules::{Referee, Rules, ShotLog};

use crate::{Bot, BotCommand, BotSettings, Forfeit, Outcome, Seat, play_alone};

/// Rules that bots are tried with: those that people play, every call, a board that isn't square, and rows past Z.
pub const RULES: [&str; 6] = [
    "10x10 5,4,3,3,2 allowed ship",
    "10x10 4,3,3,2,2,2,1,1,1,1 never ship",
    "8x8 4,3,2 allowed every",
    "5x7 3,2 corners bare",
    "28x3 3,2,2 allowed silent",
    "1x1 1 allowed ship",
];

/// How a check went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As it should be.
    Fine,
    /// Wrong: the bot would lose games by it.
    Wrong(String),
    /// Allowed, but it could be better.
    Advice(String),
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What the bot is to do.
    pub what: String,
    /// How it went.
    pub verdict: Verdict,
}

/// Looks at everything, one after the other. `checked` is called with each result as soon as it is there.
pub fn check(command: &BotCommand, settings: &BotSettings, rules: &[Rules], mut checked: impl FnMut(&Check)) -> Vec<Check> {
    let mut checks = Vec::new();
    let mut add = |what: String, verdict: Verdict| {
        let check = Check { what, verdict };
        checked(&check);
        checks.push(check);
    };
    let starts = wrong_if_err(start(command, settings).map(drop));
    let started = starts == Verdict::Fine;
    add("answers ‘ubi’ with ‘ubiok’".to_owned(), starts);
    if !started {
        return checks;
    }
    add("gives its name with ‘id name’".to_owned(), has_name(command, settings));
    for rules in rules {
        let seat = |play: fn(&mut Bot, &Rules) -> Result<(), Forfeit>| with_bot(command, settings, |bot| play(bot, rules));
        add(format!("places its ships, three times: {rules}"), seat(places));
        add(format!("sinks the fleet: {rules}"), with_seat(command, settings, rules));
    }
    let rules = &rules[0];
    let play = |play: fn(&mut Bot, &Rules) -> Result<(), Forfeit>| with_bot(command, settings, |bot| play(bot, rules));
    add("starts over at ‘newgame’, also in the middle of a game".to_owned(), play(starts_over));
    add("ignores lines and words that it doesn't know".to_owned(), play(ignores_unknown_lines));
    add("takes ‘opponent’ and ‘result’ without an answer".to_owned(), play(takes_news));
    add("goes on from any position, not only from those that it has seen grow".to_owned(), advice(play(jumps)));
    add("plays the same game again when it is given the same seed".to_owned(), repeats(command, settings, rules));
    add("ends at ‘quit’".to_owned(), quits(command, settings));
    checks
}

fn start(command: &BotCommand, settings: &BotSettings) -> Result<Bot, String> {
    Bot::start(command, settings).map_err(|(forfeit, errors)| {
        let errors = errors.text();
        let errors = errors.trim();
        if errors.is_empty() { forfeit.to_string() } else { format!("{forfeit}\nits standard error ends with:\n{errors}") }
    })
}

fn wrong_if_err(result: Result<(), String>) -> Verdict {
    result.map_or_else(Verdict::Wrong, |()| Verdict::Fine)
}

fn advice(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Wrong(words) => Verdict::Advice(words),
        other => other,
    }
}

/// Tries something with a new bot.
fn with_bot(command: &BotCommand, settings: &BotSettings, play: impl FnOnce(&mut Bot) -> Result<(), Forfeit>) -> Verdict {
    wrong_if_err(start(command, settings).and_then(|mut bot| {
        let played = play(&mut bot);
        let errors = if played.is_err() { bot.kill() } else { bot.quit().1 };
        let errors = errors.text();
        played.map_err(|forfeit| match errors.trim() {
            "" => forfeit.to_string(),
            errors => format!("{forfeit}\nits standard error ends with:\n{errors}"),
        })
    }))
}

fn has_name(command: &BotCommand, settings: &BotSettings) -> Verdict {
    match start(command, settings) {
        Ok(bot) if bot.name().is_some_and(|name| !name.is_empty()) => Verdict::Fine,
        Ok(_) => Verdict::Advice("it gave none".to_owned()),
        Err(words) => Verdict::Wrong(words),
    }
}

fn places(bot: &mut Bot, rules: &Rules) -> Result<(), Forfeit> {
    (0..3).try_for_each(|seed| {
        bot.start_game(rules, seed)?;
        bot.place(rules).map(drop)
    })
}

/// Two games, so that what is left of the first would show in the second.
fn with_seat(command: &BotCommand, settings: &BotSettings, rules: &Rules) -> Verdict {
    let mut dealer = Dealer::new(rules);
    let layouts = [0, 1].map(|game| dealer.uniform(&mut generator(1, game)));
    let bot = match start(command, settings) {
        Ok(bot) => bot,
        Err(words) => return Verdict::Wrong(words),
    };
    let mut seat = Seat::Bot(Box::new(bot));
    for layout in layouts.into_iter().flatten() {
        let game = play_alone(rules, &mut seat, layout, 1, 1);
        if let Some((_, forfeit)) = game.forfeit {
            let shots = game.logs[0].len();
            let log = if shots == 0 { String::new() } else { format!("\nits game: {}", game.logs[0]) };
            return Verdict::Wrong(format!("after {shots} shots: {forfeit}{log}"));
        }
    }
    Verdict::Fine
}

fn starts_over(bot: &mut Bot, rules: &Rules) -> Result<(), Forfeit> {
    for seed in 0..3 {
        bot.start_game(rules, seed)?;
        let first = bot.fire(&ShotLog::new(rules))?;
        let log = ShotLog::from_shots(rules, [broadside_rules::Shot { cell: first, answer: broadside_rules::Answer::Miss }]);
        // A cell off the board is found out by the games.
        if let Ok(log) = log {
            bot.fire(&log)?;
        }
    }
    Ok(())
}

fn ignores_unknown_lines(bot: &mut Bot, rules: &Rules) -> Result<(), Forfeit> {
    bot.start_game(rules, 1)?;
    for line in ["", "hello world", "setoption name no-such-option value 1", "ubix"] {
        bot.send_line(line)?;
    }
    bot.place(rules)?;
    bot.fire(&ShotLog::new(rules)).map(drop)
}

fn takes_news(bot: &mut Bot, rules: &Rules) -> Result<(), Forfeit> {
    bot.start_game(rules, 1)?;
    bot.place(rules)?;
    bot.fire(&ShotLog::new(rules))?;
    let cell = rules.grid().cells().next();
    cell.map_or(Ok(()), |cell| bot.opponent(broadside_rules::Shot { cell, answer: broadside_rules::Answer::Miss }))?;
    bot.result(Outcome::Loss, "sunk");
    bot.start_game(rules, 2)?;
    bot.place(rules)?;
    bot.end_game()
}

/// A position in the middle of somebody else's game.
fn jumps(bot: &mut Bot, rules: &Rules) -> Result<(), Forfeit> {
    let Ok(layout) = Dealer::new(rules).uniform(&mut generator(2, 0)) else { return Ok(()) };
    let mut referee = Referee::new(rules, layout);
    for cell in rules.grid().cells().step_by(3) {
        _ = referee.fire(cell);
    }
    if !referee.is_over() {
        bot.start_game(rules, 1)?;
        let cell = bot.fire(referee.log())?;
        referee.fire(cell)?;
    }
    Ok(())
}

fn repeats(command: &BotCommand, settings: &BotSettings, rules: &Rules) -> Verdict {
    let mut games = Vec::new();
    for _ in 0..2 {
        let (bot, layout) = (start(command, settings), Dealer::new(rules).uniform(&mut generator(3, 0)));
        let bot = match bot {
            Ok(bot) => bot,
            Err(words) => return Verdict::Wrong(words),
        };
        let Ok(layout) = layout else { return Verdict::Advice("the board is too tight to deal from".to_owned()) };
        if !bot.options().iter().any(|option| option == "seed") {
            return Verdict::Advice(
                "it has no option ‘seed’, so its games can't be played again if it draws random numbers".to_owned(),
            );
        }
        let game = play_alone(rules, &mut Seat::Bot(Box::new(bot)), layout, 7, 7);
        if let Some((_, forfeit)) = game.forfeit {
            return Verdict::Wrong(forfeit.to_string());
        }
        games.push(game.logs);
    }
    if games[0] == games[1] { Verdict::Fine } else { Verdict::Advice("it fired elsewhere".to_owned()) }
}

fn quits(command: &BotCommand, settings: &BotSettings) -> Verdict {
    match start(command, settings).map(Bot::quit) {
        Ok((true, _)) => Verdict::Fine,
        Ok((false, _)) => Verdict::Wrong("it was still running a second later".to_owned()),
        Err(words) => Verdict::Wrong(words),
    }
}
