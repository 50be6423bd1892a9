//! Two people, two browsers, one game.

use broadside_browser::{Browser, Look, Shared};

use crate::axe::assert_accessible;
use crate::host::{Host, cells, fill, fire_at, is_over, make_game, place_at_random, wait_for};

/// The first cell not fired at.
const OPEN: &str = "#enemy-board [data-state=open]";

#[test]
fn two_browsers_play_each_other_to_the_end_and_again() {
    let host = Host::start();
    let ann = host.browser(Look::desktop(), "play");
    let invitation = invite(&ann);
    let bob = host.newcomer(Look::phone().still());
    accept(&bob, &invitation);
    wait_for(&ann, "#status", "Waiting for Bob to place their fleet");
    assert_eq!(ann.count("#invite-link"), 0, "the link has done its work");
    place_at_random(&bob);
    wait_for(&bob, "#status", "Ann’s turn.");
    wait_for(&ann, "#status", "Your turn.");

    let eve = spectator(&host, &ann);
    count_vibrations(&ann);
    ann.click("#settings-button");
    ann.click("#set-vibrate");
    ann.click("#settings-close");
    play_to_the_end(&ann, &bob);
    assert!(vibrations(&ann) > 0, "the device tells Ann that it is her turn");
    assert_eq!(vibrations(&bob), 0, "Bob has not asked for that");
    wait_for(&eve, "#status", "wins.");
    assert_eq!(cells(&eve, "second-board", "miss hit sunk"), cells(&ann, "enemy-board", "miss hit sunk"));
    for (one, other) in [(&ann, &bob), (&bob, &ann)] {
        one.wait_until("document.querySelector('#rematch')");
        other.wait_until("document.querySelector('#rematch')");
        assert_eq!(cells(one, "own-board", "miss hit sunk"), cells(other, "enemy-board", "miss hit sunk"));
    }
    assert_ne!(ann.text("#banner strong"), bob.text("#banner strong"), "one wins, one loses");

    ann.click("#review");
    wait_for(&ann, "#in-shots-sum", "par");
    assert_adds_up(&ann);
    ann.click("#to-game");
    play_again(&ann, &bob);
    ann.assert_no_errors();
    bob.assert_no_errors();
}

/// Ann makes a game and gets the link to send.
fn invite(ann: &Browser) -> String {
    fill(ann, "#name", "Ann");
    make_game(ann, "person", &[("#rows", "4"), ("#cols", "4"), ("#fleet", "3,2")]);
    place_at_random(ann);
    ann.wait_until("document.querySelector('#invite-link')");
    let invitation = ann.script("return document.querySelector('#invite-link').value").as_str().expect("a link").to_owned();
    ann.keep_screenshot("invitation");
    assert!(ann.is_visible("#loopback"), "the link works on this machine only");
    assert_accessible(ann, "waiting");
    wait_for(ann, "#status", "Waiting for someone to join");
    invitation
}

/// Bob comes by the link, and sees who invites him to what.
fn accept(bob: &Browser, invitation: &str) {
    bob.goto(invitation);
    wait_for(bob, "#invitation", "Ann wants to play");
    wait_for(bob, "#invitation", "4×4");
    assert_accessible(bob, "join");
    fill(bob, "#name", "Bob");
    bob.click("#join");
    bob.wait_until("document.querySelector('#placing-board')");
}

/// Both fire in turn. In between Bob goes away and comes back.
fn play_to_the_end(ann: &Browser, bob: &Browser) {
    for turn in 0.. {
        fire_at(ann, OPEN);
        if is_over(ann) {
            break;
        }
        wait_for(bob, "#status", "Your turn.");
        if turn == 2 {
            go_away_and_come_back(ann, bob);
        }
        fire_at(bob, OPEN);
        if is_over(bob) {
            break;
        }
        wait_for(ann, "#status", "Your turn.");
    }
}

fn count_vibrations(browser: &Browser) {
    browser.script("window.vibrations = 0; navigator.vibrate = () => { window.vibrations += 1; return true; }");
}

fn vibrations(browser: &Browser) -> u64 {
    browser.script("return window.vibrations").as_u64().expect("a number")
}

fn go_away_and_come_back(ann: &Browser, bob: &Browser) {
    let game = bob.address();
    wait_for(ann, "#presence", "is here");
    bob.wait_until("document.title.startsWith('Your turn')");
    bob.goto("about:blank");
    wait_for(ann, "#presence", "is away");
    bob.goto(&game);
    wait_for(bob, "#status", "Your turn.");
    wait_for(ann, "#presence", "is here");
    assert_eq!(bob.count(OPEN), 16 - 2);
    count_vibrations(bob);
}

/// Ann asks for a rematch, and Bob accepts it.
fn play_again(ann: &Browser, bob: &Browser) {
    ann.click("#rematch");
    ann.wait_until("document.querySelector('#placing-board')");
    place_at_random(ann);
    wait_for(ann, "#states", "You asked for a rematch; Bob has not come yet.");
    wait_for(bob, "#rematch", "Accept the rematch");
    wait_for(bob, "#rematch-asked", "Ann asks for a rematch.");
    bob.click("#rematch");
    bob.wait_until("document.querySelector('#placing-board')");
    assert_eq!(ann.address(), bob.address());
    wait_for(ann, "#states", "Bob has accepted the rematch.");
}

/// Somebody who watches by the link, and sees nothing that is hidden.
fn spectator(host: &Host, player: &Browser) -> Shared {
    let view = "JSON.parse(localStorage['broadside.games'])";
    let id = player.script(&format!("return Object.keys({view})[0]")).as_str().expect("a game").to_owned();
    let token = player.script(&format!("return {view}['{id}'].token")).as_str().expect("a token").to_owned();
    player.script(&format!(
        "fetch('/api/games/{id}', {{ headers: {{ Authorization: 'Bearer {token}' }} }}).then((answer) => answer.json())
            .then((game) => {{ window.watch = game.watch; }})"
    ));
    player.wait_until("window.watch");
    let watch = player.script("return window.watch").as_str().expect("an id").to_owned();
    let eve = host.newcomer(Look::desktop().still());
    eve.goto(&host.view(&format!("watch/{watch}")));
    wait_for(&eve, "#status", "Ann’s turn.");
    assert_eq!(eve.count(".hull, [data-state=ship]"), 0, "no ship is shown");
    assert_accessible(&eve, "watch");
    eve
}

/// Shots taken = par + mistakes + luck, as displayed.
fn assert_adds_up(browser: &Browser) {
    let sum = browser.text("#in-shots-sum");
    let numbers: Vec<f64> =
        sum.split(' ').filter_map(|word| word.replace('−', "-").trim_start_matches('+').parse().ok()).collect();
    let [shots, par, mistakes, luck] = numbers[..] else { panic!("{sum}") };
    assert!((shots - par - mistakes - luck).abs() < 1e-6, "{sum}");
}
