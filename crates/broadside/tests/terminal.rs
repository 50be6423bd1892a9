//! The terminal game in a real terminal: tmux runs it, and keys are sent as a player would press them.

use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

/// A tmux server of its own, ended with the test.
struct Terminal {
    socket: String,
}

impl Terminal {
    /// Runs the game in a terminal of this size.
    fn start(name: &str, size: (u16, u16), arguments: &str) -> Self {
        let terminal = Self { socket: format!("broadside-{name}-{}", std::process::id()) };
        let command = format!("{} play {arguments}", env!("CARGO_BIN_EXE_broadside"));
        let (width, height) = (size.0.to_string(), size.1.to_string());
        terminal.tmux(&["new-session", "-d", "-x", &width, "-y", &height, &command]);
        terminal
    }

    fn tmux(&self, arguments: &[&str]) -> Output {
        let output = Command::new("tmux").args(["-u", "-f", "/dev/null", "-L", &self.socket]).args(arguments).output();
        output.expect("tmux is needed for this test: scripts/test installs it, or ‘apt-get install tmux’")
    }

    fn press(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    fn screen(&self) -> String {
        String::from_utf8_lossy(&self.tmux(&["capture-pane", "-p"]).stdout).into_owned()
    }

    /// Waits until the screen shows one of these.
    fn wait_for(&self, words: &[&str]) -> String {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let screen = self.screen();
            if words.iter().any(|words| screen.contains(words)) {
                return screen;
            }
            assert!(Instant::now() < deadline, "{words:?} never came up:\n{screen}");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

/// The line of messages, which changes with every shot.
fn message(screen: &str) -> Option<&str> {
    screen.lines().find(|line| line.contains("fires at") || line.contains("hint:"))
}

fn play_a_whole_game(name: &str, size: (u16, u16)) {
    play_by(name, size, "--seed 1");
}

/// Plays a game with these arguments by hints, and looks at it again.
fn play_by(name: &str, size: (u16, u16), arguments: &str) {
    let terminal = Terminal::start(name, size, arguments);
    terminal.wait_for(&["Place the ship of 5"]);
    terminal.press(&["Enter"]);
    terminal.wait_for(&["Place the ship of 4"]);
    terminal.press(&["r", "Down"]);
    terminal.press(&["a"]);
    terminal.wait_for(&["All ships are placed"]);
    terminal.press(&["Enter"]);
    terminal.wait_for(&["you fire first"]);
    terminal.press(&["?"]);
    terminal.wait_for(&["Sink your opponent's fleet"]);
    terminal.press(&["?", "o"]);
    for _ in 0..100 {
        terminal.press(&["h"]);
        let hint = terminal.wait_for(&["hint:"]);
        assert!(message(&hint).is_some());
        terminal.press(&["Enter"]);
        let screen = terminal.wait_for(&["density fires at", "You won", "You lost"]);
        if screen.contains("You ") && screen.contains("Shot ") {
            break;
        }
    }
    terminal.wait_for(&["Accuracy 100.0 %"]);
    terminal.press(&["Home", "Right"]);
    terminal.wait_for(&["Shot 1 of"]);
    terminal.press(&["q"]);
    let deadline = Instant::now() + Duration::from_secs(20);
    while terminal.tmux(&["has-session"]).status.success() {
        assert!(Instant::now() < deadline, "the game doesn't end:\n{}", terminal.screen());
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_game_is_played_from_start_to_end_on_80_by_24() {
    play_a_whole_game("small", (80, 24));
}

#[test]
fn a_game_is_played_from_start_to_end_on_200_by_60() {
    play_a_whole_game("large", (200, 60));
}

#[test]
fn a_game_among_rocks_is_played_from_start_to_end() {
    play_by("rocks", (100, 30), "--seed 1 --preset reef");
}

#[test]
fn a_game_with_false_answers_is_played_from_start_to_end() {
    let terminal = Terminal::start("noise", (120, 30), "--seed 1 --board 5x5 --fleet 3,2 --call silent --noise 0.2");
    terminal.wait_for(&["Place the ship of 3"]);
    terminal.press(&["a"]);
    terminal.wait_for(&["All ships are placed"]);
    terminal.press(&["Enter"]);
    terminal.wait_for(&["you fire first"]);
    // The same cell twice: it is answered again.
    for _ in 0..2 {
        terminal.press(&["Enter"]);
        let screen = terminal.wait_for(&["density fires at"]);
        assert!(screen.contains("you fire at C3: "), "{screen}");
    }
    for _ in 0..25 {
        terminal.press(&["h"]);
        terminal.wait_for(&["hint:", "You won", "You lost"]);
        terminal.press(&["Enter"]);
        let screen = terminal.wait_for(&["density fires at", "You won", "You lost"]);
        if screen.contains("You won") || screen.contains("You lost") {
            break;
        }
    }
    terminal.wait_for(&["You won", "You lost"]);
    terminal.wait_for(&["Accuracy"]);
}

/// A game by these rules on a small board, about to fire its first shot.
fn start_turns(name: &str, salvo: &str) -> Terminal {
    let terminal = Terminal::start(name, (160, 40), &format!("--seed 1 --board 6x6 --fleet 3,2,2 --salvo {salvo}"));
    terminal.wait_for(&["Place the ship of 3"]);
    terminal.press(&["a"]);
    terminal.wait_for(&["All ships are placed"]);
    terminal.press(&["Enter"]);
    terminal.wait_for(&["shots left in your turn: 3"]);
    terminal
}

fn fire_at_hint(terminal: &Terminal) {
    terminal.press(&["h"]);
    terminal.wait_for(&["hint:"]);
    terminal.press(&["Enter"]);
    terminal.wait_for(&["you fire at", "You won", "You lost"]);
}

/// Plays a game of several shots a turn to its end by hints, and looks at it again.
fn play_turns_to_end(terminal: &Terminal) {
    for _ in 0..36 {
        let screen = terminal.wait_for(&["shots left in your turn", "You won", "You lost"]);
        if !screen.contains("shots left in your turn") {
            break;
        }
        fire_at_hint(terminal);
    }
    terminal.wait_for(&["You won", "You lost"]);
    terminal.wait_for(&["Accuracy"]);
    terminal.press(&["Home", "Right"]);
    terminal.wait_for(&["Shot 1 of"]);
}

#[test]
fn a_salvo_game_is_played_from_start_to_end() {
    let terminal = start_turns("salvo", "ships");
    terminal.press(&["Enter"]);
    let screen = terminal.wait_for(&["shots left in your turn: 2"]);
    assert!(screen.contains("you fire at C3: ?") && screen.contains("[?]"), "{screen}");
    play_turns_to_end(&terminal);
}

#[test]
fn a_game_in_which_only_hits_are_counted_is_played_from_start_to_end() {
    let terminal = start_turns("counted", "3:count");
    (0..3).for_each(|_| fire_at_hint(&terminal));
    terminal.wait_for(&["Called: C3 C4 D3: "]);
    // The opponent's turn comes between.
    let screen = terminal.wait_for(&["shots left in your turn: 3"]);
    assert!(screen.contains("you fire at C3 C4 D3: 1 of 3 hit") && screen.contains("shots left in your turn: 3"), "{screen}");
    play_turns_to_end(&terminal);
}

#[test]
fn without_a_terminal_the_game_is_refused() {
    let output = Command::new(env!("CARGO_BIN_EXE_broadside")).arg("play").output().expect("the program runs");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("the game needs a terminal"), "{error}");
}
