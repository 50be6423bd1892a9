//! A server for one test, and what tests do again and again.

use std::net::{Ipv4Addr, SocketAddr};
use std::thread::JoinHandle;

use broadside_browser::{Browser, Look, Shared};
use broadside_web::{Config, Metrics, ServedWeights, Server};
use tempfile::TempDir;
use tokio::sync::oneshot;

/// A server in this process, which ends with the value.
pub(crate) struct Host {
    data: TempDir,
    running: Option<Running>,
    metrics: Metrics,
    address: SocketAddr,
    weights: Option<ServedWeights>,
}

struct Running {
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl Host {
    pub(crate) fn start() -> Self {
        Self::start_with(None)
    }

    /// A server that was told how opponents hide.
    pub(crate) fn start_with(weights: Option<ServedWeights>) -> Self {
        let data = tempfile::tempdir().expect("a folder for the games");
        let (metrics, address) = (Metrics::default(), SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
        let mut host = Self { data, running: None, metrics, address, weights };
        host.go_on();
        host
    }

    /// Starts again, at the same address and with the same games.
    pub(crate) fn go_on(&mut self) {
        let mut config = Config::new(self.address, self.data.path().to_owned());
        config.weights.clone_from(&self.weights);
        let (stop, stopped) = oneshot::channel::<()>();
        let (tell, told) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let server = Server::bind(config).await.expect("the server starts");
                tell.send((server.address(), server.metrics())).expect("the test waits for it");
                server.run(async { drop(stopped.await) }).await;
            });
        });
        (self.address, self.metrics) = told.recv().expect("the server starts");
        self.running = Some(Running { stop, thread });
    }

    /// What the server counts.
    pub(crate) fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Stops the server; the address stays.
    pub(crate) fn halt(&mut self) {
        if let Some(Running { stop, thread }) = self.running.take() {
            // It fails only when the server has ended already.
            let _told = stop.send(());
            thread.join().expect("the server ends well");
        }
    }

    /// The address of a view.
    pub(crate) fn view(&self, route: &str) -> String {
        format!("http://{}/#/{route}", self.address)
    }

    /// A browser of somebody who has been here before, wants nothing to move, and sees a view.
    pub(crate) fn browser(&self, look: Look, route: &str) -> Shared {
        let browser = self.newcomer(look.still());
        self.show(&browser, route);
        browser
    }

    /// A browser of somebody who has never been here.
    pub(crate) fn newcomer(&self, look: Look) -> Shared {
        let browser = Shared::take(look);
        browser.forget(&format!("http://{}", self.address));
        browser
    }

    /// Loads the page and shows a view, without the help for the first game.
    pub(crate) fn show(&self, browser: &Browser, route: &str) {
        browser.goto("about:blank");
        browser.goto(&self.view("rules"));
        browser.script("localStorage.setItem('broadside.preferences', JSON.stringify({ coachStep: 3 }))");
        browser.goto(&self.view(route));
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.halt();
    }
}

/// Shows another view in the same page.
pub(crate) fn follow(browser: &Browser, route: &str) {
    browser.script(&format!("location.hash = '#/{route}'"));
}

/// Sets a field of a form as a person would.
pub(crate) fn fill(browser: &Browser, css: &str, value: &str) {
    browser.wait_until(&format!("document.querySelector('{css}')"));
    let script = format!(
        "const field = document.querySelector('{css}'); field.value = '{value}';
        for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, {{ bubbles: true }}))"
    );
    browser.script(&script);
}

/// Waits until a text on the page holds some words.
pub(crate) fn wait_for(browser: &Browser, css: &str, words: &str) {
    browser.wait_until(&format!("document.querySelector('{css}')?.textContent.includes('{words}')"));
}

/// Chooses a game on the start page: a person or a captain by its name, rules by their fields. The fleet is there to be placed.
pub(crate) fn make_game(browser: &Browser, opponent: &str, rules: &[(&str, &str)]) {
    browser.wait_until("document.querySelector('#start:not(:disabled)')");
    browser.script("for (const fold of document.querySelectorAll('.start details')) fold.open = true");
    if opponent == "person" || opponent == "pass" {
        browser.click(&format!("[name=opponent][value={opponent}]"));
    } else {
        fill(browser, "#captain", opponent);
    }
    for (field, value) in rules {
        fill(browser, field, value);
    }
    // The rules are checked by the server, a moment after the last change, and then a fleet is dealt.
    let board = "document.querySelectorAll('#placing-board [data-cell]').length === rows.value * cols.value";
    browser.wait_until(&format!("{board} && document.querySelector('#start:not(:disabled)')"));
    // Rules that are typed half are refused on the way, which the browser counts as errors.
    drop(browser.errors());
}

/// Takes another random fleet and starts.
pub(crate) fn place_at_random(browser: &Browser) {
    browser.click("#random");
    browser.wait_until("document.querySelector('#start:not(:disabled)')");
    browser.click("#start");
    browser.wait_until("!document.querySelector('#placing-board')");
}

/// The cells of a board that are in one of these states, as in `A1 B2`.
pub(crate) fn cells(browser: &Browser, board: &str, states: &str) -> String {
    let script = format!(
        "return [...document.querySelectorAll('#{board} [data-cell]')].filter((cell) => '{states}'.split(' ').includes(cell.dataset.state))
            .map((cell) => cell.dataset.cell).join(' ')"
    );
    browser.script(&script).as_str().expect("text").to_owned()
}

/// A cell of a board, as a selector.
pub(crate) fn cell(board: &str, name: &str) -> String {
    format!("#{board} [data-cell={name}]")
}

/// Fires at a cell, and waits until its answer is there.
pub(crate) fn fire_at(browser: &Browser, css: &str) {
    let open = browser.count("#enemy-board [data-state=open]");
    browser.click(css);
    // Fingers aim first.
    if browser.is_visible("#fire") {
        browser.click("#fire");
    }
    browser.wait_until(&format!("document.querySelectorAll('#enemy-board [data-state=open]').length < {open}"));
}

/// Asks for a hint, fires there, and waits for the captain's reply.
pub(crate) fn fire_at_best(browser: &Browser) {
    browser.wait_until("!document.querySelector('#enemy-board[aria-disabled]')");
    browser.keys("#enemy-board [tabindex='0']", "h");
    browser.wait_until("document.querySelector('#enemy-board [data-best]')");
    fire_at(browser, "#enemy-board [data-best]");
    browser.wait_until("!document.querySelector('#enemy-board[aria-disabled]')");
}

/// Plays by hints until so many cells are open or the game is over. The page itself clicks, since a real click takes its
/// time.
pub(crate) fn play_on(browser: &Browser, open: usize) {
    let script = "const find = (css) => document.querySelector(css);
        window.playedOn = false;
        const step = () => {
            const open = document.querySelectorAll('#enemy-board [data-state=open]').length;
            const waits = find('#enemy-board[aria-disabled]');
            if (!find('#banner').hidden || (open <= LEFT && !waits)) { window.playedOn = true; return; }
            if (!waits) (find('#enemy-board [data-best]') ?? find('#hint')).click();
            setTimeout(step, 30);
        };
        step();";
    browser.script(&script.replace("LEFT", &open.to_string()));
    browser.wait_until("window.playedOn");
}

/// Whether the game has ended. The banner fades in, and what is still transparent doesn't count as visible: its attribute tells.
pub(crate) fn is_over(browser: &Browser) -> bool {
    browser.script("return !document.querySelector('#banner').hidden") == true
}

/// Plays by hints to the end, as a finger or a mouse does.
pub(crate) fn play_by_hints(browser: &Browser) {
    let script = "const find = (css) => document.querySelector(css);
        const step = () => {
            if (!find('#banner').hidden) return;
            find('.coach-ok')?.click();
            const waits = find('#enemy-board[aria-disabled]');
            if (!waits) (find('#enemy-board [data-best]') ?? find('#hint')).click();
            setTimeout(step, 25);
        };
        step();";
    browser.script(script);
    for _ in 0..12 {
        browser.wait_until("!document.querySelector('#banner').hidden || (window.waited = (window.waited ?? 0) + 1) > 200");
        browser.script("window.waited = 0");
    }
    assert!(is_over(browser));
}

/// Ends a game that has begun: a shot, and the player gives up.
pub(crate) fn resign_after_a_shot(browser: &Browser) {
    wait_for(browser, "#status", "Your turn.");
    browser.click(&cell("enemy-board", "A1"));
    wait_for(browser, "#status", "You fire at A1:");
    browser.click("#resign");
    browser.click("#dialog-yes");
    wait_for(browser, "#banner", "Defeat");
}
