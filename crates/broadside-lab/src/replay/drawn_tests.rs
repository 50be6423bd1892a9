//! Replays as pages and pictures.

use broadside_captains::Registry;
use broadside_rules::{Draft, GameRecord};

use super::tests::rules;
use super::*;

#[test]
fn a_page_tells_every_shot_and_asks_for_nothing() {
    let replay = Replay::play(&Registry::new(), &rules("every"), "density", 2, 0).unwrap();
    let html = page(&replay, replay.frames());
    for frame in replay.frames() {
        assert!(html.contains(&format!("<a href=\"#shot-{}\">{}</a>", frame.number, frame.description())));
    }
    assert!(!html.contains("http") && !html.contains(" src=") && !html.contains("@import"), "nothing is fetched");
    assert_eq!(html.matches("<td class").count(), 2 * 36);
    assert_eq!(html.matches(" chosen\"").count(), 2);
    assert!(page(&replay, []).is_empty());
}

#[test]
fn an_animation_shows_the_pictures() {
    let layout = "B2-B3".parse::<Draft>().unwrap().check(&"3x3 2 allowed ship".parse().unwrap()).into_layout().unwrap();
    let shots: Vec<Shot> = ["A1-", "C3-", "B2+", "B3#2"].map(|shot| shot.parse().unwrap()).to_vec();
    let replay = Replay::from_record(GameRecord::new(&"3x3 2 allowed ship".parse().unwrap(), layout, &shots).unwrap());
    let pictures: Vec<String> = replay.frames().map(|frame| replay.picture(&frame)).collect();
    let mut animation = Animation::new(0.5);
    for svg in &pictures {
        animation.add(svg).unwrap();
    }
    let shown = played(&animation.finish().unwrap());
    assert_eq!(shown.len(), 4);
    for (shown, svg) in shown.iter().zip(&pictures) {
        let drawn = crate::draw::pixels(svg, 0.5).unwrap();
        let far = |(a, b): (&u8, &u8)| u64::from(a.abs_diff(*b));
        let error = shown.iter().zip(drawn.data()).map(far).sum::<u64>() as f64 / shown.len() as f64;
        assert!(error < 1.0, "colours are {error} of 255 off on average");
    }
}

/// The pictures that a reader of the GIF sees.
fn played(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).unwrap();
    let width = usize::from(decoder.width());
    let mut screen = vec![0; width * usize::from(decoder.height()) * 4];
    let mut shown = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (i, pixel) in frame.buffer.chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[3] > 0) {
            let (x, y) = (i % usize::from(frame.width), i / usize::from(frame.width));
            let at = ((y + usize::from(frame.top)) * width + x + usize::from(frame.left)) * 4;
            screen[at..at + 4].copy_from_slice(pixel);
        }
        shown.push(screen.clone());
    }
    shown
}

#[test]
fn pictures_of_two_sizes_make_no_animation() {
    let mut animation = Animation::new(1.0);
    let board = |grid: &str| crate::draw::Board::new(grid.parse().unwrap()).svg();
    animation.add(&board("3x3")).unwrap();
    assert!(matches!(animation.add(&board("4x3")), Err(AnimationError::Size { width: 178, .. })));
    assert!(matches!(Animation::new(1.0).finish(), Err(AnimationError::Empty)));
}
