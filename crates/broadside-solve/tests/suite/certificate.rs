//! Checks the certificate of an equilibrium with nothing of the solver but the text that it wrote: every layout against the mix
//! of shooters, and the best shooter against the mix of layouts by trying every cell.

use std::collections::HashMap;

use broadside_odds::{Budget, oracle::each_layout};
use broadside_rules::{Answer, Call, Cell, Draft, Layout, Length, Placement, Referee, Rules};
use broadside_solve::Policy;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

/// What a certificate says.
struct Certificate {
    rules: Rules,
    lower: BigRational,
    upper: BigRational,
    hider: Vec<(BigRational, Layout)>,
    shooter: Vec<(BigRational, Policy)>,
}

/// Checks a certificate and returns the two bounds that it proves.
///
/// # Panics
/// When it proves something else than it says.
pub(crate) fn check(text: &str) -> (BigRational, BigRational) {
    let Certificate { rules, lower, upper, hider, shooter } = read(text);
    let total: BigRational = hider.iter().map(|(chance, _)| chance).sum();
    assert!(total.is_one(), "the hider's mix adds up to {total}");
    let total: BigRational = shooter.iter().map(|(chance, _)| chance).sum();
    assert!(total.is_one(), "the mix of shooters adds up to {total}");
    assert_eq!(most_shots(&rules, &shooter), upper, "the worst layout for the mix of shooters");
    assert_eq!(least_shots(&rules, &hider), lower, "the best shooter against the hider's mix");
    (lower, upper)
}

fn read(text: &str) -> Certificate {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("broadside equilibrium 1"));
    let rules: Rules = lines.next().unwrap().parse().unwrap();
    let mut bound = |name: &str| lines.next().unwrap().strip_prefix(name).unwrap().trim().parse().unwrap();
    let (lower, upper) = (bound("lower"), bound("upper"));
    let mut hider: Vec<(BigRational, Layout)> = Vec::new();
    let mut tables: Vec<(BigRational, String)> = Vec::new();
    for line in lines {
        let words: Vec<&str> = line.splitn(3, ' ').collect();
        match words[..] {
            ["hider", chance, ships] => {
                let layout = ships.parse::<Draft>().unwrap().check(&rules).into_layout().expect("a legal layout");
                assert!(hider.iter().all(|(_, other)| *other != layout), "{layout} is there twice");
                hider.push((chance.parse().unwrap(), layout));
            }
            ["shooter", chance] => tables.push((chance.parse().unwrap(), format!("broadside policy 1\n{rules}\n"))),
            _ => tables.last_mut().unwrap().1.extend([line, "\n"]),
        }
    }
    let shooter = tables.into_iter().map(|(chance, table)| (chance, table.parse().unwrap())).collect();
    Certificate { rules, lower, upper, hider, shooter }
}

/// The mean shots of the mix of shooters on the layout that takes it most.
fn most_shots(rules: &Rules, shooter: &[(BigRational, Policy)]) -> BigRational {
    let mut most = BigRational::zero();
    each_layout(rules, Budget::default(), &mut |layout| {
        let mut shots = BigRational::zero();
        let images = images(rules, layout);
        for (chance, policy) in shooter {
            let sum: usize = images.iter().map(|image| play(rules, policy, image)).sum();
            shots += chance * BigRational::new(sum.into(), images.len().into());
        }
        most = most.clone().max(shots);
    })
    .unwrap();
    most
}

/// Where a row and a column of a board of so many rows and columns come to lie.
type Way = fn(usize, usize, usize, usize) -> (usize, usize);

/// The layout as it lies on the board turned and reflected in every way.
fn images(rules: &Rules, layout: &Layout) -> Vec<Layout> {
    let (rows, cols) = (rules.grid().rows(), rules.grid().cols());
    let ways: [Way; 8] = [
        |r, c, _, _| (r, c),
        |r, c, rows, _| (rows - 1 - r, c),
        |r, c, _, cols| (r, cols - 1 - c),
        |r, c, rows, cols| (rows - 1 - r, cols - 1 - c),
        |r, c, _, _| (c, r),
        |r, c, rows, _| (c, rows - 1 - r),
        |r, c, _, cols| (cols - 1 - c, r),
        |r, c, rows, cols| (cols - 1 - c, rows - 1 - r),
    ];
    let count = if rows == cols { 8 } else { 4 };
    let moved = |way: &Way| {
        let cell = |cell: Cell| {
            let (row, col) = way(cell.row(), cell.col(), rows, cols);
            Cell::new(row, col).unwrap()
        };
        let ship = |ship: &Placement| Placement::between(cell(ship.bow()), cell(ship.stern())).unwrap().to_string();
        let text = layout.ships().iter().map(ship).collect::<Vec<_>>().join(" ");
        text.parse::<Draft>().unwrap().check(rules).into_layout().unwrap()
    };
    ways[..count].iter().map(moved).collect()
}

fn play(rules: &Rules, policy: &Policy, layout: &Layout) -> usize {
    let mut referee = Referee::new(rules, layout.clone());
    while !referee.is_over() {
        referee.fire(policy.aim(referee.log()).expect("a shot for every answer")).unwrap();
    }
    referee.log().len()
}

/// For each ship not sunk, its length and the cells not hit.
type Ships = Vec<(Length, u64)>;

/// The least mean shots of any shooter against a mix of layouts.
fn least_shots(rules: &Rules, hider: &[(BigRational, Layout)]) -> BigRational {
    let common = hider.iter().fold(BigInt::one(), |common, (chance, _)| common.lcm(chance.denom()));
    let weight = |chance: &BigRational| (chance * &common).to_integer().to_u128().expect("weights of at most 128 bits");
    let mask = |ship: &Placement| ship.cells().fold(0, |mask, cell| mask | 1 << rules.grid().index(cell));
    let ships = |layout: &Layout| layout.ships().iter().map(|ship| (ship.length(), mask(ship))).collect();
    let rows = hider.iter().map(|(chance, layout)| (ships(layout), weight(chance))).collect();
    let shots = Everything { call: rules.call(), known: HashMap::new() }.least(rows);
    BigRational::new(shots.into(), common)
}

/// Tries every cell in every position, and remembers positions.
struct Everything {
    call: Call,
    known: HashMap<Vec<(Ships, u128)>, u128>,
}

impl Everything {
    /// The least shots still to fire, each layout with its weight.
    fn least(&mut self, mut rows: Vec<(Ships, u128)>) -> u128 {
        rows.sort();
        rows.dedup_by(|later, first| {
            let same = later.0 == first.0;
            first.1 += if same { later.1 } else { 0 };
            same
        });
        let left = rows[0].0.iter().map(|ship| ship.1.count_ones()).sum::<u32>();
        if rows.len() == 1 {
            return u128::from(left) * rows[0].1;
        }
        if let Some(&known) = self.known.get(&rows) {
            return known;
        }
        let some = rows.iter().flat_map(|row| &row.0).fold(0, |some, ship| some | ship.1);
        let shots = (0..64).filter(|cell| some >> cell & 1 == 1).map(|cell| self.after(&rows, 1 << cell)).min();
        let least = shots.expect("a cell to fire at");
        self.known.insert(rows, least);
        least
    }

    fn after(&mut self, rows: &[(Ships, u128)], cell: u64) -> u128 {
        let mut parts: Vec<(Answer, Vec<(Ships, u128)>)> = Vec::new();
        for (ships, weight) in rows {
            let (answer, after) = fire(self.call, ships, cell);
            match parts.iter_mut().find(|part| part.0 == answer) {
                Some(part) => part.1.push((after, *weight)),
                None => parts.push((answer, vec![(after, *weight)])),
            }
        }
        let shots: u128 = rows.iter().map(|row| row.1).sum();
        shots + parts.into_iter().map(|(_, left)| self.least(left)).sum::<u128>()
    }
}

fn fire(call: Call, ships: &Ships, target: u64) -> (Answer, Ships) {
    let mut after = ships.clone();
    let Some(hit) = after.iter_mut().find(|ship| ship.1 & target != 0) else { return (Answer::Miss, after) };
    hit.1 ^= target;
    let answer = Answer::for_hit(call, hit.0, hit.1 == 0);
    after.retain(|ship| ship.1 != 0);
    after.sort_unstable();
    (answer, after)
}
