//! The game without a terminal: events in, screens out.

use std::collections::VecDeque;

use broadside_captains::{Registry, captain};
use broadside_lab::generator;
use broadside_lab::replay::Replay;
use broadside_odds::{Budget, Engine, Odds};
use broadside_rules::{Cell, Draft, Preset, Rules, ShotLog, Turns};
use crossterm::event::{Event as TerminalEvent, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Rect;

use super::game::{BoardId, Event, Game, Input, Request, Screen};
use super::geometry::Geometry;
use super::worker::{Analyst, Opponent, Workers};
use super::{Setup, keys, view};
use crate::habits::HabitsOption;

/// A player with a screen of some size, whose requests are fulfilled at once.
struct Table {
    game: Game,
    opponent: Opponent,
    analyst: Analyst,
    size: (u16, u16),
}

impl Table {
    fn new(rules: &str, turns: Turns, size: (u16, u16)) -> Self {
        let rules = rules.parse().unwrap();
        let opponent = Opponent::new(captain("density", &rules).unwrap(), 1);
        let game = Game::new(Setup { rules, turns, captain: "density".to_owned(), seed: 1, habits: None });
        Self { game, opponent, analyst: Analyst::new(1, Budget::default()), size }
    }

    fn classic() -> Self {
        Self::new("10x10 5,4,3,3,2 allowed ship", Turns::Alternate, (80, 24))
    }

    fn happen(&mut self, event: Event) {
        let mut events = VecDeque::from([event]);
        while let Some(event) = events.pop_front() {
            for request in self.game.update(event) {
                match request {
                    Request::Aim(game, log) => events.push_back(self.opponent.aim(game, &log)),
                    Request::Odds(game, log) => events.push_back(self.analyst.odds(game, &log)),
                    Request::Remember(layout) => self.opponent.remember(&layout),
                    Request::Review(game, log) => self.analyst.review(game, &log, |event| events.push_back(event)),
                }
            }
        }
    }

    fn terminal_event(&mut self, event: &TerminalEvent) {
        let geometry = self.geometry();
        if let Some(input) = keys::input(event, &geometry) {
            self.happen(Event::Input(input));
        }
    }

    fn press(&mut self, keys: &[KeyCode]) {
        for &key in keys {
            self.terminal_event(&TerminalEvent::Key(KeyEvent::new(key, KeyModifiers::NONE)));
        }
    }

    fn type_in(&mut self, keys: &str) {
        keys.chars().for_each(|key| self.press(&[KeyCode::Char(key)]));
    }

    fn geometry(&self) -> Geometry {
        Geometry::new(Rect::new(0, 0, self.size.0, self.size.1), &self.game)
    }

    fn click(&mut self, id: BoardId, cell: &str) {
        let cell: Cell = cell.parse().unwrap();
        let place = self.geometry().boards.iter().find(|board| board.id == id).unwrap().place(cell).unwrap();
        let kind = MouseEventKind::Down(MouseButton::Left);
        let mouse = MouseEvent { kind, column: place.x + 1, row: place.y, modifiers: KeyModifiers::NONE };
        self.terminal_event(&TerminalEvent::Mouse(mouse));
    }

    fn screen(&self) -> String {
        let mut terminal = Terminal::new(TestBackend::new(self.size.0, self.size.1)).unwrap();
        terminal.draw(|frame| view::draw(frame, &self.game)).unwrap();
        terminal.backend().to_string()
    }

    /// Fires at the hinted cell until the game is over.
    fn play_out(&mut self) {
        for _ in 0..400 {
            if matches!(self.game.screen, Screen::Review(_)) {
                return;
            }
            self.type_in("h");
            self.press(&[KeyCode::Enter]);
        }
        panic!("the game has no end:\n{}", self.screen());
    }
}

#[test]
fn a_whole_game_by_keys_ends_in_a_review() {
    let mut table = Table::classic();
    assert!(table.screen().contains("Place the ship of 5"), "{}", table.screen());
    table.type_in("a");
    assert!(table.screen().contains("All ships are placed"));
    table.press(&[KeyCode::Enter]);
    assert!(table.screen().contains("Ships left: opponent's 5 4 3 3 2   yours 5 4 3 3 2"), "{}", table.screen());
    table.play_out();
    let screen = table.screen();
    assert!(screen.contains("You won") || screen.contains("You lost"), "{screen}");
    assert!(screen.contains("Accuracy 100.0 %"), "hints are the best shots:\n{screen}");
    table.press(&[KeyCode::Home]);
    assert!(table.screen().contains("Shot 0 of"));
    table.press(&[KeyCode::Right]);
    assert!(table.screen().contains("Shot 1 of") && table.screen().contains("the best there was"), "{}", table.screen());
    table.type_in("n");
    assert!(table.screen().contains("Place the ship of 5"));
}

/// Row A of both boards, without the numbers of the columns.
fn first_row(screen: &str) -> &str {
    screen.lines().find(|line| line.contains(" A ")).expect("a board is shown")
}

#[test]
fn the_review_shows_the_chances_before_each_shot() {
    let mut table = Table::classic();
    table.type_in("a");
    table.press(&[KeyCode::Enter]);
    table.play_out();
    table.press(&[KeyCode::Home, KeyCode::Right]);
    table.type_in("o");
    let Screen::Review(review) = &table.game.screen else { panic!("the game is over") };
    let shown = review.shown_odds().expect("the odds of the empty board");
    let counts = Engine::Transfer.count(&ShotLog::new(&table.game.setup.rules), Budget::default()).unwrap();
    let expected = Odds::Exact(counts);
    let corner: Cell = "A1".parse().unwrap();
    assert!((shown.chance(corner) - expected.chance(corner)).abs() < 1e-12);
    assert!(first_row(&table.screen()).contains(" 8 "), "8 % in the corner:\n{}", table.screen());
    table.type_in("o");
    assert!(!first_row(&table.screen()).contains(" 8 "), "{}", table.screen());
}

#[test]
fn neighbouring_ships_have_outlines_of_their_own() {
    let mut table = Table::new("4x6 3,2,1 allowed ship", Turns::Alternate, (80, 24));
    // Two ships end to end in the first row, and one cell below them.
    for cell in ["A1", "A4", "B1"] {
        table.click(BoardId::Own, cell);
    }
    let screen = table.screen();
    assert!(screen.contains("╺━━━━━╸") && screen.contains("━╸  ╺━") && screen.contains('◆'), "{screen}");
}

#[test]
fn sides_change_with_the_next_game() {
    let mut table = Table::new("4x4 3,2 allowed ship", Turns::Alternate, (80, 24));
    table.type_in("a");
    table.press(&[KeyCode::Enter]);
    assert!(table.screen().contains("you fire first"));
    table.play_out();
    table.type_in("na");
    table.press(&[KeyCode::Enter]);
    assert!(table.screen().contains("density fires first"), "{}", table.screen());
    table.play_out();
}

#[test]
fn every_variant_can_be_played_at_every_size() {
    let variants =
        ["10x10 4,3,3,2,2,2,1,1,1,1 never ship", "8x8 4,3,2 allowed silent", "3x12 3,2 corners bare", "30x30 5,4 allowed every"];
    for rules in variants {
        for (turns, size) in
            [(Turns::Alternate, (36, 14)), (Turns::HitAgain, (80, 24)), (Turns::Alternate, (200, 60)), (Turns::HitAgain, (10, 3))]
        {
            let mut table = Table::new(rules, turns, size);
            table.type_in("a");
            table.press(&[KeyCode::Enter, KeyCode::Enter, KeyCode::Down, KeyCode::Enter, KeyCode::Tab]);
            table.type_in("o?");
            table.screen();
            table.type_in("?xx");
            assert!(matches!(table.game.screen, Screen::Review(_)), "{rules} {size:?}\n{}", table.screen());
            table.screen();
        }
    }
}

#[test]
fn the_fleet_is_placed_by_keys_turned_and_taken_back() {
    let mut table = Table::classic();
    table.press(&[KeyCode::Enter]);
    assert!(table.screen().contains("Place the ship of 4"), "{}", table.screen());
    table.press(&[KeyCode::Enter]);
    assert!(table.screen().contains("a ship can't lie there: ships may touch but not overlap"), "{}", table.screen());
    table.press(&[KeyCode::Down, KeyCode::Char('r'), KeyCode::Enter]);
    assert!(table.screen().contains("Place the ship of 3"));
    table.type_in("u");
    assert!(table.screen().contains("Place the ship of 4"));
    let Screen::Placing(placing) = &table.game.screen else { panic!("still placing") };
    assert_eq!(placing.cells().to_string(), "A1 A2 A3 A4 A5");
}

#[test]
fn a_ship_at_the_edge_is_moved_back_onto_the_board() {
    let mut table = Table::new("5x5 4,1 allowed ship", Turns::Alternate, (80, 24));
    table.press(&[KeyCode::Right, KeyCode::Right, KeyCode::Right, KeyCode::Right, KeyCode::Enter]);
    table.press(&[KeyCode::Down, KeyCode::Enter]);
    let Screen::Placing(placing) = &table.game.screen else { panic!("still placing") };
    assert_eq!(placing.cells().to_string(), "A2 A3 A4 A5 B5");
}

#[test]
fn the_mouse_places_and_fires() {
    let mut table = Table::new("5x5 3,2 allowed ship", Turns::Alternate, (80, 24));
    table.click(BoardId::Own, "B2");
    table.click(BoardId::Own, "D1");
    table.press(&[KeyCode::Enter]);
    table.click(BoardId::Opponent, "C4");
    let Screen::Battle(battle) = &table.game.screen else { panic!("in battle:\n{}", table.screen()) };
    assert_eq!(battle.own().to_string(), "B2-B4 D1-D2");
    assert_eq!(battle.log().shots()[0].cell.to_string(), "C4");
    assert_eq!(battle.opponent_log().len(), 1, "the captain has answered");
    table.click(BoardId::Own, "C5");
    let Screen::Battle(battle) = &table.game.screen else { panic!("in battle") };
    assert_eq!(battle.log().len(), 1, "nobody fires at their own fleet");
}

#[test]
fn firing_twice_at_a_cell_is_told_and_costs_no_turn() {
    let mut table = Table::new("5x5 3,2 allowed ship", Turns::Alternate, (80, 24));
    table.type_in("a");
    table.press(&[KeyCode::Enter, KeyCode::Enter, KeyCode::Enter]);
    assert!(table.screen().contains("C3 was fired at already"), "{}", table.screen());
}

#[test]
fn the_odds_are_the_exact_ones() {
    let mut table = Table::new("2x3 2 allowed ship", Turns::Alternate, (80, 24));
    table.type_in("a");
    table.press(&[KeyCode::Enter]);
    table.type_in("o");
    // Of seven places two go through each corner and three through each middle cell: 28.6 and 42.9 percent.
    let rows: Vec<String> = table.screen().lines().filter(|line| line.contains("29")).map(str::to_owned).collect();
    assert_eq!(rows.len(), 2, "{}", table.screen());
    assert!(rows.iter().all(|row| row.contains("43")), "{}", table.screen());
    table.type_in("h");
    assert!(table.screen().contains("hint: A2, 42.9 % (1 cells as good)"), "{}", table.screen());
}

#[test]
fn leaving_and_giving_up_are_asked_for_twice_in_mid_game() {
    let mut table = Table::classic();
    table.type_in("a");
    table.press(&[KeyCode::Enter]);
    table.type_in("q");
    assert!(table.screen().contains("Press q again") && !table.game.is_done());
    table.press(&[KeyCode::Up]);
    table.type_in("q");
    assert!(!table.game.is_done());
    table.type_in("q");
    assert!(table.game.is_done());
    let mut table = Table::classic();
    table.terminal_event(&TerminalEvent::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)));
    assert!(table.game.is_done());
}

#[test]
fn results_of_a_game_that_was_left_are_dropped() {
    let mut table = Table::classic();
    table.type_in("a");
    table.press(&[KeyCode::Enter]);
    table.happen(Event::Aimed(7, "A1".parse().unwrap()));
    let Screen::Battle(battle) = &table.game.screen else { panic!("in battle") };
    assert!(battle.opponent_log().is_empty());
}

#[test]
fn the_classic_board_fits_on_80_by_24() {
    let mut table = Table::classic();
    table.type_in("a");
    table.press(&[KeyCode::Enter]);
    let geometry = table.geometry();
    assert_eq!(
        geometry.boards.iter().map(|board| (board.id, board.shown)).collect::<Vec<_>>(),
        [(BoardId::Opponent, (10, 10)), (BoardId::Own, (10, 10))]
    );
    table.happen(Event::Input(Input::Help));
    for line in ["Placing", "Battle", "Review", "leave at once"] {
        assert!(table.screen().contains(line), "{}", table.screen());
    }
}

#[test]
fn the_headings_of_small_boards_are_whole() {
    let mut table = Table::new("4x4 2 allowed ship", Turns::Alternate, (80, 24));
    table.type_in("a");
    table.press(&[KeyCode::Enter]);
    for heading in ["Opponent's board", "Your fleet"] {
        assert!(table.screen().contains(heading), "{}", table.screen());
    }
}

/// The log of a game on these rules that `random` has played to the end.
fn random_log(rules: &Rules) -> ShotLog {
    Replay::play(&Registry::new(), rules, "random", 1, 0).unwrap().record().log().clone()
}

#[test]
fn a_long_review_delays_neither_the_captain_nor_a_hint_of_the_next_game() {
    let rules = Preset::Russian.rules();
    let opponent = Opponent::new(captain("density", &rules).unwrap(), 1);
    let (workers, results) = Workers::start(opponent, Analyst::new(1, Budget::default()), None);
    let long = random_log(&rules);
    workers.send(Request::Review(0, long.clone())).unwrap();
    workers.send(Request::Odds(1, ShotLog::new(&"4x4 2 allowed ship".parse().unwrap()))).unwrap();
    workers.send(Request::Aim(1, ShotLog::new(&rules))).unwrap();
    let (mut reviewed, mut next_game) = (0, 0);
    while next_game < 2 {
        match results.recv_timeout(std::time::Duration::from_secs(120)).expect("an event") {
            Event::Reviewed(0, _) => reviewed += 1,
            Event::Par(0, _) | Event::Judged(0, _) => {}
            Event::Aimed(1, _) | Event::Odds(1, ..) => next_game += 1,
            other => panic!("{other:?}"),
        }
    }
    assert!(reviewed < long.len(), "all {reviewed} shots of the first game were reviewed before the second could go on");
}

#[test]
fn layouts_of_finished_games_are_remembered_in_a_file_and_learned_from() {
    let rules: Rules = "5x5 3 allowed ship".parse().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let option = HabitsOption { habits: Some(folder.path().join("me.txt")) };
    let weight = |ship: &str| {
        let registry = option.registry(Registry::new(), &rules).unwrap();
        let mut captain = registry.captain("density@habits", &rules).unwrap();
        let scores = captain.explain(&ShotLog::new(&rules), &mut generator(1, 0)).scores;
        scores[rules.grid().index(ship.parse().unwrap())].unwrap()
    };
    let before = weight("A1");
    let opponent = Opponent::new(captain("density", &rules).unwrap(), 1);
    let (workers, _results) = Workers::start(opponent, Analyst::new(1, Budget::default()), option.habits.clone());
    let layout = "A1-A3".parse::<Draft>().unwrap().check(&rules).into_layout().unwrap();
    for _ in 0..40 {
        workers.send(Request::Remember(layout.clone())).unwrap();
    }
    assert_eq!(std::fs::read_to_string(option.habits.as_ref().unwrap()).unwrap(), "A1-A3\n".repeat(40));
    assert!(weight("A1") > 1.5 * before, "{} and {before}", weight("A1"));
    // By other rules the layouts make no sense, and the game says so instead of forgetting them.
    assert!(option.registry(Registry::new(), &"5x5 4 allowed ship".parse().unwrap()).is_err());
}

#[test]
fn a_hint_that_is_an_estimate_does_not_change_the_captains_play() {
    let rules: Rules = "10x10 5,4,3,3,2 allowed ship".parse().unwrap();
    let shots = |with_hints: bool| {
        let mut opponent = Opponent::new(captain("random", &rules).unwrap(), 1);
        let analyst = Analyst::new(1, "1KB".parse().unwrap());
        let log = ShotLog::new(&rules);
        let mut aim = || {
            if with_hints {
                let Event::Odds(_, _, odds) = analyst.odds(0, &log) else { panic!("odds") };
                assert!(matches!(*odds, Ok(Odds::Estimate(_))), "the budget allows no exact odds");
            }
            let Event::Aimed(_, cell) = opponent.aim(0, &log) else { panic!("a shot") };
            cell
        };
        [(); 5].map(|()| aim())
    };
    assert_eq!(shots(true), shots(false));
}

#[test]
fn a_sunk_ship_is_shown_as_sunk_in_all_its_cells() {
    let mut table = Table::new("1x4 2 allowed ship", Turns::HitAgain, (80, 24));
    table.click(BoardId::Own, "A1");
    table.press(&[KeyCode::Enter]);
    for _ in 0..4 {
        if matches!(table.game.screen, Screen::Review(_)) {
            break;
        }
        table.type_in("h");
        table.press(&[KeyCode::Enter]);
    }
    let Screen::Review(review) = &table.game.screen else { panic!("the game is over:\n{}", table.screen()) };
    let sunk = [review.log(), review.opponent_log()].into_iter().filter(|log| log.hits().len() == 2).count();
    let screen = table.screen();
    let row = screen.lines().find(|line| line.contains(" A ")).expect("the row of the boards");
    assert_eq!(row.matches('#').count(), 2 * sunk, "{screen}");
    assert!(sunk > 0 && !row.contains('X'), "{screen}");
}
