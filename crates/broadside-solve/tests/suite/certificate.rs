//! Checks the certificate of an equilibrium with nothing of the solver but the text that it wrote: every layout against the mix
//! of shooters, and the best shooter against the mix of layouts by trying every cell.

use std::ops::AddAssign;

use broadside_odds::{Budget, oracle::each_layout};
use broadside_rules::{Answer, Call, Cell, Draft, Layout, Length, Placement, Referee, Rules};
use broadside_solve::Policy;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use rustc_hash::FxHashMap;

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

/// The least mean shots of any shooter against a mix of layouts.
fn least_shots(rules: &Rules, hider: &[(BigRational, Layout)]) -> BigRational {
    let common = hider.iter().fold(BigInt::one(), |common, (chance, _)| common.lcm(chance.denom()));
    let weight = |chance: &BigRational| (chance * &common).to_integer().to_biguint().expect("no chance below 0");
    let weights: Vec<BigUint> = hider.iter().map(|(chance, _)| weight(chance)).collect();
    let most = weights.iter().sum::<BigUint>() * rules.grid().len();
    let shots = if most.bits() <= u128::BITS.into() {
        Everything::new(rules, hider, weights.iter().filter_map(ToPrimitive::to_u128).collect()).least_of_all().into()
    } else {
        Everything::new(rules, hider, weights).least_of_all()
    };
    BigRational::new(shots.into(), common)
}

/// Tries every cell in every position, and remembers positions. Weights and shots are counted in `N`.
struct Everything<N> {
    call: Call,
    /// The length and the cells of each ship of each layout.
    layouts: Vec<Vec<(Length, u64)>>,
    weights: Vec<N>,
    /// By the cells that are hit, and then the set of the layouts that are left.
    known: FxHashMap<Box<[u64]>, N>,
}

impl<N: Clone + Default + Ord + for<'a> AddAssign<&'a N>> Everything<N> {
    fn new(rules: &Rules, hider: &[(BigRational, Layout)], weights: Vec<N>) -> Self {
        let mask = |ship: &Placement| ship.cells().fold(0, |mask, cell| mask | 1 << rules.grid().index(cell));
        let ships = |layout: &Layout| layout.ships().iter().map(|ship| (ship.length(), mask(ship))).collect();
        let layouts = hider.iter().map(|(_, layout)| ships(layout)).collect();
        Self { call: rules.call(), layouts, weights, known: FxHashMap::default() }
    }

    fn least_of_all(&mut self) -> N {
        let all: Vec<usize> = (0..self.layouts.len()).collect();
        self.least(0, &all)
    }

    /// The least shots still to fire at these layouts, each with its weight.
    fn least(&mut self, hits: u64, left: &[usize]) -> N {
        let cells = left.iter().flat_map(|&layout| &self.layouts[layout]).fold(0, |cells, ship| cells | ship.1) & !hits;
        if let [layout] = left {
            return (0..cells.count_ones()).fold(N::default(), |shots, _| sum(shots, &self.weights[*layout]));
        }
        let mut key = vec![0; 1 + self.layouts.len().div_ceil(64)];
        key[0] = hits;
        for &layout in left {
            key[1 + layout / 64] |= 1 << (layout % 64);
        }
        if let Some(known) = self.known.get(key.as_slice()) {
            return known.clone();
        }
        let targets = (0..64).map(|cell| 1 << cell).filter(|&target| cells & target != 0);
        let shots = targets.map(|target| self.after(hits, left, target)).min();
        // All layouts have as many cells hit. If none is left, the game is over.
        let least = shots.unwrap_or_default();
        self.known.insert(key.into(), least.clone());
        least
    }

    fn after(&mut self, hits: u64, left: &[usize], target: u64) -> N {
        let mut parts: Vec<(Answer, Vec<usize>)> = Vec::new();
        for &layout in left {
            let answer = self.answer(hits, layout, target);
            match parts.iter_mut().find(|part| part.0 == answer) {
                Some(part) => part.1.push(layout),
                None => parts.push((answer, vec![layout])),
            }
        }
        let shots = left.iter().fold(N::default(), |shots, &layout| sum(shots, &self.weights[layout]));
        parts.into_iter().fold(shots, |shots, (answer, part)| {
            let hits = if answer == Answer::Miss { hits } else { hits | target };
            sum(shots, &self.least(hits, &part))
        })
    }

    fn answer(&self, hits: u64, layout: usize, target: u64) -> Answer {
        let hit = self.layouts[layout].iter().find(|ship| ship.1 & target != 0);
        hit.map_or(Answer::Miss, |&(length, cells)| Answer::for_hit(self.call, length, cells & !(hits | target) == 0))
    }
}

fn sum<N: for<'a> AddAssign<&'a N>>(mut one: N, other: &N) -> N {
    one += other;
    one
}
