//! The game as a whole: which screen is shown, and what an event makes of it.

use broadside_lab::{JudgedShot, Par, ReviewedShot, generator, noise_seed};
use broadside_odds::{Dealer, Odds, OddsError};
use broadside_rules::{Cell, Layout, ShotLog, Side};

use super::Setup;
use super::battle::Battle;
use super::placing::Placing;
use super::review::FinishedGame;

/// Something that happened.
#[derive(Debug)]
pub(crate) enum Event {
    /// The player did something.
    Input(Input),
    /// The captain has chosen a cell; with the number of the game.
    Aimed(u64, Cell),
    /// The odds of the player's log have been computed; with the number of the game and the length of the log.
    Odds(u64, usize, Box<Result<Odds, OddsError>>),
    /// One more of the player's shots has been reviewed; with the number of the game.
    Reviewed(u64, Box<ReviewedShot>),
    /// What the empty board takes, before shots are judged.
    Par(u64, Par),
    /// A shot of the review was judged by shots to go.
    Judged(u64, Box<JudgedShot>),
}

/// What the player asks for by a key or the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// Moves the cursor, or steps through the review.
    Move(isize, isize),
    /// Goes to the start of the review.
    First,
    /// Goes to the end of the review.
    Last,
    /// Points at a cell.
    Point(BoardId, Cell),
    /// Points at a cell and does what [`Input::Confirm`] does.
    Click(BoardId, Cell),
    /// Places the ship, begins the game, fires.
    Confirm,
    /// Turns the ship.
    Rotate,
    /// Places all ships at random.
    Random,
    /// Takes a ship back.
    TakeBack,
    /// Shows the best shot.
    Hint,
    /// Shows or hides the odds.
    Odds,
    /// Shows the other board where there is room for one only.
    Swap,
    /// Gives up.
    Resign,
    /// Another game.
    Again,
    /// Shows or hides the help.
    Help,
    /// Leaves, after asking in mid-game.
    Quit,
    /// Leaves at once.
    QuitNow,
}

/// One of the two boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoardId {
    /// Where the player fires.
    Opponent,
    /// Where the player's fleet lies.
    Own,
}

impl BoardId {
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Opponent => Self::Own,
            Self::Own => Self::Opponent,
        }
    }
}

/// Something to be computed beside the screen. The number is the game's: results of an earlier game are dropped.
#[derive(Debug)]
pub(crate) enum Request {
    /// Where the captain fires, given its log.
    Aim(u64, ShotLog),
    /// The odds of the player's log.
    Odds(u64, ShotLog),
    /// A review of each of the player's shots.
    Review(u64, ShotLog),
    /// Where the player's ships were, for a captain that learns from game to game.
    Remember(Layout),
}

/// What is on the screen.
#[derive(Debug)]
pub(crate) enum Screen {
    Placing(Placing),
    Battle(Box<Battle>),
    Review(Box<FinishedGame>),
}

/// What the player is asked to confirm by doing it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    Quit,
    Resign,
}

/// The state of the program: the screen, the help and the games so far.
#[derive(Debug)]
pub(crate) struct Game {
    pub(crate) setup: Setup,
    pub(crate) screen: Screen,
    pub(crate) help: bool,
    pub(crate) question: Option<Question>,
    /// The board that is shown where there is room for one only.
    pub(crate) shown: BoardId,
    number: u64,
    dealt: u64,
    done: bool,
}

impl Game {
    pub(crate) fn new(setup: Setup) -> Self {
        let screen = Screen::Placing(Placing::new(&setup.rules));
        Self { setup, screen, help: false, question: None, shown: BoardId::Own, number: 0, dealt: 0, done: false }
    }

    /// Whether the player has left.
    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    /// Takes an event, and says what is to be computed because of it.
    pub(crate) fn update(&mut self, event: Event) -> Vec<Request> {
        match (event, &mut self.screen) {
            (Event::Input(input), _) => return self.handle(input),
            (Event::Aimed(number, cell), Screen::Battle(battle)) if number == self.number => battle.fire_for_captain(cell),
            (Event::Odds(number, len, odds), Screen::Battle(battle)) if number == self.number => battle.set_odds(len, *odds),
            (Event::Odds(number, len, odds), Screen::Review(review)) if number == self.number => review.set_odds(len, *odds),
            (Event::Reviewed(number, reviewed), Screen::Review(review)) if number == self.number => {
                review.add_reviewed(*reviewed);
            }
            (Event::Par(number, par), Screen::Review(review)) if number == self.number => review.set_par(par),
            (Event::Judged(number, judged), Screen::Review(review)) if number == self.number => review.add_judged(*judged),
            // The result of a game that was left, or of a position that has changed.
            _ => {}
        }
        self.new_requests()
    }

    fn handle(&mut self, input: Input) -> Vec<Request> {
        let asked = self.question.take();
        match input {
            Input::QuitNow => self.done = true,
            Input::Help => self.help = !self.help,
            // Whatever is pressed closes the help, and does nothing else.
            _ if self.help => self.help = false,
            Input::Swap => self.shown = self.shown.other(),
            Input::Quit if matches!(self.screen, Screen::Battle(_)) && asked != Some(Question::Quit) => {
                self.question = Some(Question::Quit);
            }
            Input::Quit => self.done = true,
            Input::Resign if asked != Some(Question::Resign) && matches!(self.screen, Screen::Battle(_)) => {
                self.question = Some(Question::Resign);
            }
            Input::Again if matches!(self.screen, Screen::Review(_)) => self.start_next_game(),
            _ => return self.handle_on_screen(input),
        }
        Vec::new()
    }

    /// Lets the screen handle an input.
    fn handle_on_screen(&mut self, input: Input) -> Vec<Request> {
        match &mut self.screen {
            Screen::Placing(_) => self.place(input),
            Screen::Battle(battle) => {
                battle.handle(input);
                self.new_requests()
            }
            Screen::Review(review) => {
                review.handle(input);
                review.odds_request().map(|log| Request::Odds(self.number, log)).into_iter().collect()
            }
        }
    }

    fn place(&mut self, input: Input) -> Vec<Request> {
        let dealt = if input == Input::Random { self.deal() } else { None };
        let Screen::Placing(placing) = &mut self.screen else { return Vec::new() };
        if let Some(layout) = dealt {
            placing.set_ships(&layout);
            return Vec::new();
        }
        match (input, placing.layout()) {
            (Input::Confirm, Some(own)) => self.start_battle(own),
            (Input::Random, _) => {
                "this board is too tight to deal from: place the ships by hand".clone_into(&mut placing.message);
                Vec::new()
            }
            _ => {
                placing.handle(input);
                Vec::new()
            }
        }
    }

    fn start_battle(&mut self, own: Layout) -> Vec<Request> {
        let Some(opponent) = self.deal() else {
            if let Screen::Placing(placing) = &mut self.screen {
                "this board is too tight to deal the captain's fleet".clone_into(&mut placing.message);
            }
            return Vec::new();
        };
        // Sides change from game to game, so that nobody keeps the advantage of the first shot.
        let you = if self.number.is_multiple_of(2) { Side::First } else { Side::Second };
        let (setup, noise_seed) = (&self.setup, noise_seed(self.setup.seed, self.number));
        let battle = Battle::new(&setup.rules, setup.turns, &setup.captain, you, [own, opponent], noise_seed);
        self.screen = Screen::Battle(Box::new(battle));
        self.shown = BoardId::Opponent;
        self.new_requests()
    }

    /// A layout that depends on the seed and on how many were dealt before. None when the board is too tight.
    fn deal(&mut self) -> Option<Layout> {
        self.dealt += 1;
        Dealer::new(&self.setup.rules).uniform(&mut generator(self.setup.seed, self.dealt)).ok()
    }

    fn start_next_game(&mut self) {
        self.number += 1;
        self.shown = BoardId::Own;
        self.screen = Screen::Placing(Placing::new(&self.setup.rules));
    }

    /// What has to be computed in the position as it is now.
    fn new_requests(&mut self) -> Vec<Request> {
        let Screen::Battle(battle) = &mut self.screen else { return Vec::new() };
        if let Some(review) = battle.finished() {
            let requests = vec![Request::Remember(battle.own().clone()), Request::Review(self.number, review.log().clone())];
            self.screen = Screen::Review(Box::new(review));
            return requests;
        }
        let aim = battle.aim_request().map(|log| Request::Aim(self.number, log));
        let odds = battle.odds_request().map(|log| Request::Odds(self.number, log));
        aim.into_iter().chain(odds).collect()
    }
}
