//! What a captain knows: the log of the game, read.
//!
//! A position is a function of the log. It is kept between shots only to save work: when the log has grown it reads the
//! new shots, and when it is another log it goes back to the last sinking that both share. Games that are played on from one position, branch
//! by branch, share most of them.

use broadside_rules::{Length, LogMark, Rules, Shot, ShotLog, Touch};

use crate::bits::Bits;
use crate::board::Board;
use crate::ships_left::ShipsLeft;
use crate::sinkings::{self, Sinking, SunkShips};

/// What the log of a game tells.
#[derive(Clone, Debug)]
pub(crate) struct Position<B> {
    rules: Rules,
    touch: Touch,
    board: Board<B>,
    mark: Option<LogMark>,
    fired: B,
    hits: B,
    hits_in_order: Vec<Hit>,
    sinkings: Vec<Sinking>,
    /// Which hits belong to sunk ships; `None` for captains who don't ask.
    sunk_ships: Option<SunkShips<B>>,
    left: ShipsLeft,
    /// What was known after each sinking: as many as there are sinkings, and then some that are out of date.
    after_sinkings: Vec<AfterSinking<B>>,
}

/// What is known of the fleet after a sinking.
#[derive(Clone, Debug)]
struct AfterSinking<B> {
    sunk_ships: Option<SunkShips<B>>,
    left: ShipsLeft,
}

/// One hit, in the order of firing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// The cell's number.
    pub(crate) cell: usize,
    /// The length called with it, if one was.
    pub(crate) length: Option<usize>,
}

impl<B: Bits> Position<B> {
    /// The position of a game by these rules, nothing fired.
    pub(crate) fn new(rules: &Rules) -> Self {
        Self { sunk_ships: Some(SunkShips::none()), ..Self::hits_only(rules) }
    }

    /// The same for captains who don't know that ships may have to keep apart.
    pub(crate) fn ignoring_touch(rules: &Rules) -> Self {
        Self { touch: Touch::Allowed, ..Self::new(rules) }
    }

    /// A position for captains who don't ask which hits belong to sunk ships: to it all hits are live.
    pub(crate) fn hits_only(rules: &Rules) -> Self {
        Self {
            touch: rules.touch(),
            board: Board::new(rules.grid()),
            mark: None,
            fired: B::EMPTY,
            hits: B::EMPTY,
            hits_in_order: Vec::with_capacity(rules.fleet().cells()),
            sinkings: Vec::with_capacity(rules.fleet().len()),
            sunk_ships: None,
            left: ShipsLeft::new(rules.fleet()),
            after_sinkings: Vec::new(),
            rules: rules.clone(),
        }
    }

    /// Brings the position up to date with the log.
    ///
    /// # Panics
    /// When the log is of a game by other rules.
    #[inline]
    pub(crate) fn read(&mut self, log: &ShotLog) {
        self.fired = B::from_words(log.fired().words());
        self.hits = B::from_words(log.hits().words());
        match self.mark.and_then(|mark| log.since(mark)) {
            Some(shots) => self.read_shots(shots),
            None => self.start_over(log),
        }
        self.mark = Some(log.mark());
    }

    /// Reads a log that the last one doesn't lead to. What follows from the hits that both begin with stays.
    fn start_over(&mut self, log: &ShotLog) {
        assert_eq!(log.rules(), &self.rules, "the log of a game by other rules");
        let (mut hits, mut sinkings, mut read) = (0, 0, log.len());
        for (number, shot) in log.shots().iter().enumerate().filter(|(_, shot)| shot.answer.is_hit()) {
            let sank = self.sinkings.get(sinkings).is_some_and(|sinking| sinking.hits == hits + 1);
            let same = self.hits_in_order.get(hits).is_some_and(|&hit| hit == self.hit(*shot)) && sank == shot.answer.is_sunk();
            if !same {
                read = number;
                break;
            }
            (hits, sinkings) = (hits + 1, sinkings + usize::from(sank));
        }
        self.go_back(hits, sinkings);
        self.read_shots(&log.shots()[read..]);
    }

    /// Forgets all but the first so many hits and sinkings.
    fn go_back(&mut self, hits: usize, sinkings: usize) {
        self.hits_in_order.truncate(hits);
        if sinkings == self.sinkings.len() {
            return;
        }
        self.sinkings.truncate(sinkings);
        if let Some(last) = sinkings.checked_sub(1) {
            self.sunk_ships.clone_from(&self.after_sinkings[last].sunk_ships);
            self.left.clone_from(&self.after_sinkings[last].left);
        } else {
            self.sunk_ships = self.sunk_ships.as_ref().map(|_| SunkShips::none());
            self.left.restore(self.rules.fleet());
        }
    }

    #[inline]
    fn read_shots(&mut self, shots: &[Shot]) {
        for &shot in shots {
            if shot.answer.is_hit() {
                self.read_hit(shot);
            }
        }
    }

    fn hit(&self, shot: Shot) -> Hit {
        Hit { cell: self.board.index(shot.cell), length: shot.answer.length().map(Length::get) }
    }

    fn read_hit(&mut self, shot: Shot) {
        let hit = self.hit(shot);
        self.hits_in_order.push(hit);
        if shot.answer.is_sunk() {
            self.sinkings.push(Sinking { length: hit.length, hits: self.hits_in_order.len() });
            self.read_sinking(hit.length);
            self.remember_sinking();
        }
    }

    /// Keeps what is known after the last sinking.
    fn remember_sinking(&mut self) {
        if let Some(after) = self.after_sinkings.get_mut(self.sinkings.len() - 1) {
            after.sunk_ships.clone_from(&self.sunk_ships);
            after.left.clone_from(&self.left);
        } else {
            self.after_sinkings.push(AfterSinking { sunk_ships: self.sunk_ships.clone(), left: self.left.clone() });
        }
    }

    /// Works out which hits belong to sunk ships, and which lengths are left.
    fn read_sinking(&mut self, called: Option<usize>) {
        if let Some(sunk_ships) = &mut self.sunk_ships {
            let context =
                sinkings::Context { board: &self.board, fleet: self.rules.fleet(), touch: self.touch, call: self.rules.call() };
            sinkings::attribute(context, &self.hits_in_order, &self.sinkings, sunk_ships);
        }
        if let Some(length) = called {
            self.left.remove(length);
        } else if let Some(sunk_ships) = &self.sunk_ships {
            self.left.restore(self.rules.fleet());
            sunk_ships.lengths.iter().for_each(|&length| self.left.remove(length));
        }
    }

    /// How close ships may lie, as far as the captain knows.
    #[inline]
    pub(crate) fn touch(&self) -> Touch {
        self.touch
    }

    #[inline]
    pub(crate) fn board(&self) -> &Board<B> {
        &self.board
    }

    /// The cells not fired at.
    #[inline]
    pub(crate) fn unfired(&self) -> B {
        self.board.all() & !self.fired
    }

    #[inline]
    pub(crate) fn fired(&self) -> B {
        self.fired
    }

    /// The cells that met a ship, sunk or not.
    #[inline]
    pub(crate) fn hits(&self) -> B {
        self.hits
    }

    /// The hits in the order of firing.
    #[inline]
    pub(crate) fn hits_in_order(&self) -> &[Hit] {
        &self.hits_in_order
    }

    /// The cells of sunk ships, as far as the log tells.
    #[inline]
    pub(crate) fn sunk(&self) -> B {
        self.sunk_ships.as_ref().map_or(B::EMPTY, |sunk_ships| sunk_ships.cells)
    }

    /// The hits on ships that are still afloat, as far as the log tells.
    #[inline]
    pub(crate) fn live(&self) -> B {
        self.hits & !self.sunk()
    }

    /// The number of live hits.
    #[inline]
    pub(crate) fn live_count(&self) -> usize {
        self.hits_in_order.len() - self.sunk_ships.as_ref().map_or(0, |sunk_ships| sunk_ships.count)
    }

    /// The live hits in the order of firing.
    pub(crate) fn live_in_order(&self) -> impl Iterator<Item = Hit> + '_ {
        let live = self.live();
        self.hits_in_order.iter().copied().filter(move |hit| live.has(hit.cell))
    }

    /// The ships left. Ships that the log doesn't tell count as left.
    #[inline]
    pub(crate) fn left(&self) -> &ShipsLeft {
        &self.left
    }

    /// Whether the defender tells the length of a ship on every hit.
    pub(crate) fn tells_length_on_hit(&self) -> bool {
        self.rules.call().tells_length_on_hit()
    }

    /// For each cell in reading order, its score if it is one of those considered.
    pub(crate) fn scores(&self, considered: B, score: impl Fn(usize) -> f64) -> Vec<Option<f64>> {
        (0..self.board.grid().len()).map(|index| considered.has(index).then(|| score(index))).collect()
    }

    /// The cells, fired at or not, that can't hold a ship because a ship that was hit is too near.
    ///
    /// Where ships keep apart, the cells around a sunk ship are water. So are the cells at the corners of any hit if
    /// corners may not touch, and the cells along two hits in a row: the two are one ship.
    pub(crate) fn ruled_out(&self) -> B {
        let board = &self.board;
        match self.touch {
            Touch::Allowed => B::EMPTY,
            Touch::Corners => (board.beside(self.sunk()) | self.flanks()) & !self.hits,
            Touch::Never => (board.beside(self.sunk()) | board.corners(self.hits)) & !self.hits,
        }
    }

    /// The cells along both sides of hits that lie next to each other.
    fn flanks(&self) -> B {
        let (board, hits) = (&self.board, self.hits);
        let horizontal = hits & (board.left(hits) | board.right(hits));
        let vertical = hits & (board.up(hits) | board.down(hits));
        board.up(horizontal) | board.down(horizontal) | board.left(vertical) | board.right(vertical)
    }
}

#[cfg(test)]
mod tests {
    use broadside_odds::Dealer;
    use broadside_rules::{Layout, Referee};
    use rand::{RngExt, SeedableRng};

    use super::*;

    fn position(rules: &str, shots: &str) -> Position<u128> {
        let rules: Rules = rules.parse().unwrap();
        let mut position = Position::new(&rules);
        position.read(&ShotLog::parse(&rules, shots).unwrap());
        position
    }

    fn names(position: &Position<u128>, set: u128) -> String {
        set.iter().map(|index| position.board().cell(index).to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn sunk_ships_and_live_hits_are_kept_apart() {
        let position = position("classic", "A1+ C3+ C4+ C5#3 E5-");
        assert_eq!(names(&position, position.sunk()), "C3 C4 C5");
        assert_eq!(names(&position, position.live()), "A1");
        assert_eq!(position.left().classes().collect::<Vec<_>>(), [(5, 1), (4, 1), (3, 1), (2, 1)]);
    }

    #[test]
    fn where_ships_keep_apart_the_water_around_hits_is_known() {
        let never = position("6x6 3,2 never ship", "B2+ B3#2 E5+");
        assert_eq!(names(&never, never.ruled_out()), "A1 A2 A3 A4 B1 B4 C1 C2 C3 C4 D4 D6 F4 F6");
        let corners = position("6x6 3,2 corners ship", "B2+ B3#2 E4+ E5+");
        assert_eq!(names(&corners, corners.ruled_out()), "A2 A3 B1 B4 C2 C3 D4 D5 F4 F5");
        let allowed = position("6x6 3,2 allowed ship", "B2+ B3#2");
        assert!(allowed.ruled_out().is_empty());
    }

    #[test]
    fn a_chart_follows_a_log_that_grows_shrinks_or_changes() {
        let rules: Rules = "classic".parse().unwrap();
        let mut log = ShotLog::parse(&rules, "A1+ A2#2").unwrap();
        let mut position = Position::<u128>::new(&rules);
        position.read(&log);
        log.push("B1+".parse().unwrap()).unwrap();
        position.read(&log);
        assert_eq!(names(&position, position.hits()), "A1 A2 B1");
        log.pop();
        log.pop();
        position.read(&log);
        assert_eq!((names(&position, position.live()), position.left().shortest()), ("A1".to_string(), 2));
    }

    /// Logs that share any beginning follow on one another, as when games are played on branch by branch.
    #[test]
    fn a_position_is_that_of_its_log_whatever_was_read_before() {
        for text in
            ["classic", "6x6 3,2,2 never bare", "6x6 3,2,2 allowed bare", "5x5 3,2 corners every", "5x5 2,2 allowed silent"]
        {
            let (rules, mut rng): (Rules, _) = (text.parse().unwrap(), crate::GameRng::seed_from_u64(7));
            let (mut dealer, mut kept, mut log) = (Dealer::new(&rules), Position::<u128>::new(&rules), ShotLog::new(&rules));
            for _ in 0..300 {
                // Back to some shot of the log, and on with another layout that fits what is left of it.
                log.truncate(rng.random_range(0..=log.len()));
                let fits = |layout: &Layout| broadside_odds::oracle::fits(&log, layout);
                let Some(layout) = (0..200).map(|_| dealer.uniform(&mut rng).unwrap()).find(fits) else { continue };
                let mut referee = Referee::new(&rules, layout);
                log.shots().iter().for_each(|shot| _ = referee.fire(shot.cell));
                for _ in 0..rng.random_range(0..20) {
                    let cell = rules.grid().cells().nth(rng.random_range(0..rules.grid().len())).unwrap();
                    if !referee.is_over() && !log.fired().contains(cell) {
                        log.push(Shot { cell, answer: referee.fire(cell).unwrap() }).unwrap();
                    }
                }
                kept.read(&log);
                let mut fresh = Position::<u128>::new(&rules);
                fresh.read(&log);
                assert_eq!(seen(&kept), seen(&fresh), "{text}: {log}");
            }
        }
    }

    fn seen(position: &Position<u128>) -> impl PartialEq + std::fmt::Debug {
        let sets = (position.fired(), position.hits(), position.sunk(), position.live());
        (sets, position.live_count(), position.left().clone(), position.hits_in_order().to_vec())
    }
}
