//! Lower bounds on the misses while one ship is found and sunk.
//!
//! # Placements that stay unmet
//! Keep some of the placements such that no cell lies under more than k of those kept. A shot meets
//! at most k of them, so of W kept at least W − k·t are unmet after t shots. For k = 1 that is the
//! packing bound; for k as large as the most placements through a cell everything can be kept.
//! [`PackingBound`] takes the largest bound of all k. Often it is exact: for length 2 on a board of even
//! sides the mask in its best order reaches it after every shot, so that this order is proved optimal.
//!
//! # Misses of the sinking
//! Of the placements first met by one shot (at most l along the row, l down the column), at most
//! one can be sunk with no miss, at most l with at most one, at most 2l − 1 with at most two:
//!
//! * Of any such set at most one placement is hit by every shot that distinguishes some of them.
//! * Look at the first shot that distinguishes some; say it is in the row. It misses all placements
//!   down the column, and at least one along the row: the one that ends at the first hit, or the
//!   one that starts there. So it hits at most l − 1, and of all that it misses only one has no
//!   further miss. So at most l − 1 + 1 = l have at most one miss.
//! * Let c ≥ 1 be how many of the l placements along the row it misses, possible ones or not, so
//!   that it hits at most l − c. Of those missed, look at the next shot that distinguishes some. If
//!   it is in the column, it hits at most l − 1, and of the others only one has no further miss: in
//!   all (l − c) + (l − 1) + 1 ≤ 2l − 1 with at most two misses. If it is in the row, it hits at
//!   most c and of the others one: l + 1 ≤ 2l − 1 at most.
//!
//! So the k-th easiest placement costs at least ⌈(k − 1)/(l − 1)⌉ misses, and the best play in the
//! middle of a large board reaches that: 3l misses over 2l placements, l + 1/2 shots after the
//! first hit. For l = 2 that is 2.5.
//!
//! # Both together
//! If shot i meets q(i) new placements, the misses are at least the sum, over i and k ≤ q(i), of (i
//! − 1) + ⌈(k − 1)/(l − 1)⌉, and the first i shots meet at most N − unmet(i) in all. To choose N
//! pairs (i, k) of least sum under these nested limits, the greedy algorithm is right, since they are
//! the independent sets of a laminar matroid. It takes the pairs of one i in the order of k, since their
//! costs ascend.

/// For each k, how many placements could be kept with no cell under more than k of them.
#[derive(Debug, Clone, Default)]
pub(super) struct PackingBound {
    kept: Vec<usize>,
    all: usize,
}

impl PackingBound {
    /// Keeps what it can of the placements, in the order given, and remembers the most kept so far
    /// for each k. The order matters, and none is best on every board; each call must give the same
    /// placements. `cells` is the number of cells of the board.
    pub(super) fn improve(&mut self, placements: &[&[u16]], cells: usize) {
        self.all = placements.len();
        let mut load = vec![0; cells];
        for most in 1.. {
            load.fill(0);
            let kept = keep(placements, &mut load, most);
            self.raise(usize::from(most), kept);
            if kept == self.all {
                break;
            }
        }
    }

    fn raise(&mut self, load: usize, kept: usize) {
        self.kept.resize(self.kept.len().max(load), 0);
        self.kept[load - 1] = self.kept[load - 1].max(kept);
    }

    /// At least so many placements are unmet after some shots.
    pub(super) fn unmet(&self, shots: usize) -> usize {
        let least = |(load, &kept): (usize, &usize)| kept.saturating_sub((load + 1) * shots);
        self.kept.iter().enumerate().map(least).max().unwrap_or(0)
    }

    /// At least so many misses, over all placements, before the first hit, when no shot meets more
    /// than `most`.
    pub(super) fn find_misses(&self, most: usize) -> usize {
        let unmet = |shots| self.unmet(shots).max(self.all.saturating_sub(most.saturating_mul(shots)));
        (1..=self.all).map(unmet).take_while(|&unmet| unmet > 0).sum()
    }

    /// At least so many misses, over all placements, until the ship is sunk. From the shot on after
    /// which nothing need be unmet, the only limit is the number of placements, so one entry of
    /// `room` stands for all later shots.
    pub(super) fn sink_misses(&self, length: usize) -> usize {
        let unmet: Vec<usize> = (1..=self.all).map(|shots| self.unmet(shots)).take_while(|&unmet| unmet > 0).collect();
        let mut room: Vec<usize> = unmet.iter().map(|unmet| self.all - unmet).chain([self.all]).collect();
        let (mut taken, mut total, mut cost) = (0, 0, 0);
        while taken < self.all {
            for (shot, places) in pairs_of_cost(length, cost) {
                let limits = shot.min(unmet.len())..;
                let more = room[limits.clone()].iter().copied().min().unwrap_or(0).min(places);
                room[limits].iter_mut().for_each(|room| *room -= more);
                taken += more;
                total += cost * more;
            }
            cost += 1;
        }
        total
    }
}

/// The shots (counted from 0) at which a placement can cost so many misses, and how many at each: a
/// shot's first placement costs the shots before it, the next l − 1 one more, the next l − 1 two
/// more, the last three more.
fn pairs_of_cost(length: usize, cost: usize) -> impl Iterator<Item = (usize, usize)> {
    let places = move |misses: usize| match (length, misses) {
        (1, 1..) => 0,
        (_, 0 | 3) => 1,
        _ => length - 1,
    };
    (0..=cost.min(3)).map(move |misses| (cost - misses, places(misses)))
}

fn keep(placements: &[&[u16]], load: &mut [u8], most: u8) -> usize {
    let mut kept = 0;
    for cells in placements {
        if cells.iter().all(|&cell| load[usize::from(cell)] < most) {
            for &cell in *cells {
                load[usize::from(cell)] += 1;
            }
            kept += 1;
        }
    }
    kept
}

/// The fewest misses that distinguish this number of placements through one cell.
#[cfg(test)]
pub(super) fn split_misses(length: usize, placements: usize) -> usize {
    (1..placements).map(|easier| easier.div_ceil(length - 1)).sum()
}
