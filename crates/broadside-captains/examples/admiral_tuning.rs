//! Tries orders for the admiral on the same layouts.
use broadside_captains::admiral::{Orders, with_orders};
use broadside_captains::{Captain, GameRng, captain};
use broadside_rules::{Dealer, Layout, Referee, Rules};
use rand::SeedableRng;
use std::time::Instant;

fn layouts(rules: &Rules, seed: u64, games: u64) -> Vec<Layout> {
    let mut dealer = Dealer::new(rules);
    let mut rng = GameRng::seed_from_u64(seed);
    (0..games).map(|_| dealer.uniform(&mut rng).unwrap()).collect()
}

fn play(captain: &mut dyn Captain, rules: &Rules, layouts: &[Layout]) -> Vec<u8> {
    let mut referee: Option<Referee> = None;
    let mut rng = GameRng::seed_from_u64(1);
    layouts
        .iter()
        .map(|layout| {
            let referee = match &mut referee {
                Some(r) => {
                    r.restart(layout.clone());
                    r
                }
                None => referee.insert(Referee::new(rules, layout.clone())),
            };
            while !referee.is_over() {
                let cell = captain.aim(referee.log(), &mut rng);
                referee.fire(cell).unwrap();
            }
            referee.log().len() as u8
        })
        .collect()
}

fn mean(shots: &[u8]) -> f64 {
    shots.iter().map(|&s| f64::from(s)).sum::<f64>() / shots.len() as f64
}

fn diff(a: &[u8], b: &[u8]) -> (f64, f64) {
    let n = a.len() as f64;
    let d: Vec<f64> = a.iter().zip(b).map(|(&a, &b)| f64::from(a) - f64::from(b)).collect();
    let m = d.iter().sum::<f64>() / n;
    let v = d.iter().map(|x| (x - m) * (x - m)).sum::<f64>() / (n - 1.0);
    (m, (v / n).sqrt())
}

fn set(orders: &mut Orders, name: &str, value: f32) {
    // "few" sets all stages, "few.2" one
    let mut any = false;
    for (n, number) in orders.numbers() {
        if n == name || n.starts_with(&format!("{name}.")) {
            *number = value;
            any = true;
        }
    }
    assert!(any, "no number {name}");
}

fn apply(orders: &mut Orders, text: &str) {
    for part in text.split(',').filter(|p| !p.is_empty() && *p != "-") {
        let (name, value) = part.split_once('=').expect("name=value");
        set(orders, name, value.parse().unwrap());
    }
}

/// args: rules seed games base variant variant ...
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rules: Rules = args[0].parse().unwrap();
    let (seed, games): (u64, u64) = (args[1].parse().unwrap(), args[2].parse().unwrap());
    let layouts = layouts(&rules, seed, games);
    let mut base = Orders::default();
    let start = Instant::now();
    let first = if let Some(name) = args[3].strip_prefix('@') {
        play(captain(name, &rules).unwrap().as_mut(), &rules, &layouts)
    } else {
        apply(&mut base, &args[3]);
        play(with_orders(&rules, base.clone()).as_mut(), &rules, &layouts)
    };
    println!("{:40} {:.4}   {:.0}/s", args[3], mean(&first), games as f64 / start.elapsed().as_secs_f64());
    for variant in &args[4..] {
        let mut orders = base.clone();
        apply(&mut orders, variant);
        let start = Instant::now();
        let shots = play(with_orders(&rules, orders).as_mut(), &rules, &layouts);
        let (d, e) = diff(&shots, &first);
        println!("{variant:40} {:.4} {d:+.4} ± {e:.4}  {:.0}/s", mean(&shots), games as f64 / start.elapsed().as_secs_f64());
    }
}
