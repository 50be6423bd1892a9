//! States: the unhit cells of each ship of a layout.
//!
//! The answers to all further shots depend only on the cells of each ship that are not hit yet. So two layouts with the same
//! unhit cells, ship by ship, have the same *state*: no shot can tell them apart any more, and both cost the same from here
//! on. A ship that is sunk has no unhit cells and is not part of the state.
//!
//! States are numbered when they are first met, and each transition from one to the next is worked out once.

use broadside_rules::{Answer, Call, Layout, Length, Rules};
use rustc_hash::FxHashMap;

use crate::bits::bits;

/// The number of a state.
pub(crate) type StateId = u32;

/// One ship of a state: its unhit cells and its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Ship {
    /// The call never distinguishes ships of one class.
    pub(crate) class: u8,
    /// Bit i is the cell with number i in reading order.
    pub(crate) cells: u64,
}

impl Ship {
    /// The number of cells not hit yet.
    #[inline]
    pub(crate) fn size(self) -> u32 {
        self.cells.count_ones()
    }
}

/// An answer to a shot as a number. Equal answers have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct AnswerCode(u8);

impl AnswerCode {
    /// No ship was hit.
    pub(crate) const MISS: Self = Self(0);
    const SUNK: u8 = 128;

    fn hit(class: u8) -> Self {
        Self(1 + class)
    }

    fn sunk(class: u8) -> Self {
        Self(Self::SUNK + class)
    }
}

/// Stands for a class of ships together with a number of unhit cells.
pub(crate) type ShipKindId = usize;

/// One ship of a state, and the other ships.
#[derive(Clone, Copy)]
pub(crate) struct ShipInState {
    /// The state of the other ships.
    pub(crate) rest: StateId,
    pub(crate) kind: ShipKindId,
    /// The number of its set of cells among all that were met for its kind.
    pub(crate) place: usize,
}

/// A state and what is worked out for it.
struct State {
    ships: Box<[Ship]>,
    cells: u64,
    /// The number of the list of its ships' classes and sizes.
    shape: u32,
    located: Box<[ShipInState]>,
    /// The index of the transition for its first cell. Those of the other cells follow in order.
    transitions: usize,
}

/// A transition not yet worked out.
const UNKNOWN: StateId = StateId::MAX;

/// All states met so far.
pub(crate) struct States {
    call: Call,
    lengths: Vec<Length>,
    numbers: FxHashMap<Box<[Ship]>, StateId>,
    shapes: FxHashMap<Vec<(u8, u32)>, u32>,
    /// For each kind, the states with only one ship, of that kind. A kind has the number of the shape of these states.
    places: Vec<Vec<StateId>>,
    list: Vec<State>,
    transitions: Vec<(AnswerCode, StateId)>,
}

impl States {
    pub(crate) fn new(rules: &Rules) -> Self {
        let lengths = rules.fleet().classes().map(|(length, _)| length).collect();
        Self {
            call: rules.call(),
            lengths,
            numbers: FxHashMap::default(),
            shapes: FxHashMap::default(),
            places: Vec::new(),
            list: Vec::new(),
            transitions: Vec::new(),
        }
    }

    /// The state of a layout after shots at the cells of `fired`.
    pub(crate) fn after_shots(&mut self, layout: &Layout, fired: u64) -> StateId {
        let mut ships: Vec<Ship> = layout
            .ships()
            .iter()
            .map(|&ship| {
                let cells = ship.cells().fold(0, |cells, cell| cells | 1 << layout.grid().index(cell));
                Ship { class: self.class(ship.length()), cells: cells & !fired }
            })
            .filter(|ship| ship.cells != 0)
            .collect();
        if !self.call.tells_sinking() && !ships.is_empty() {
            // It doesn't matter where one ship ends, so the fleet counts as one ship with many cells.
            ships = vec![Ship { class: 0, cells: ships.iter().fold(0, |cells, ship| cells | ship.cells) }];
        }
        self.number(ships)
    }

    /// Ships of all lengths are of one class, unless the call tells lengths.
    fn class(&self, length: Length) -> u8 {
        let tells_length = self.call.tells_length_on_sinking() || self.call.tells_length_on_hit();
        let class = self.lengths.iter().position(|&other| tells_length && other == length);
        class.unwrap_or(0) as u8
    }

    fn number(&mut self, mut ships: Vec<Ship>) -> StateId {
        ships.sort_unstable_by_key(|ship| (ship.class, ship.size(), ship.cells));
        if let Some(&id) = self.numbers.get(ships.as_slice()) {
            return id;
        }
        let shape = self.shape_of(&ships);
        let id = self.list.len() as StateId;
        if ships.len() == 1 {
            self.places[shape as usize].push(id);
        }
        let cells = ships.iter().fold(0, |cells, ship| cells | ship.cells);
        let transitions = self.transitions.len();
        self.list.push(State { ships: ships.as_slice().into(), cells, shape, located: Box::default(), transitions });
        self.transitions.resize(self.transitions.len() + cells.count_ones() as usize, (AnswerCode::MISS, UNKNOWN));
        let located = (0..ships.len()).map(|ship| self.locate(id, &ships, ship)).collect();
        self.list[id as usize].located = located;
        self.numbers.insert(ships.into(), id);
        id
    }

    fn shape_of(&mut self, ships: &[Ship]) -> u32 {
        let next = self.shapes.len() as u32;
        let shape = *self.shapes.entry(ships.iter().map(|ship| (ship.class, ship.size())).collect()).or_insert(next);
        self.places.resize_with(self.shapes.len(), Vec::new);
        shape
    }

    fn locate(&mut self, id: StateId, ships: &[Ship], ship: usize) -> ShipInState {
        let rest = ships.iter().enumerate().filter(|&(i, _)| i != ship).map(|(_, &other)| other).collect();
        let alone = if ships.len() == 1 { id } else { self.number(vec![ships[ship]]) };
        let kind = self.shape(alone) as usize;
        // The place of a ship that is alone in a new state was added last. Other places are known already.
        let place = if alone == id { self.places[kind].len() - 1 } else { self.ship_in(alone, 0).place };
        ShipInState { rest: self.number(rest), kind, place }
    }

    /// The cells not hit yet.
    #[inline]
    pub(crate) fn cells(&self, id: StateId) -> u64 {
        self.list[id as usize].cells
    }

    /// States of one shape have ships of the same classes and sizes, in the same order.
    #[inline]
    pub(crate) fn shape(&self, id: StateId) -> u32 {
        self.list[id as usize].shape
    }

    /// The ships not sunk yet, in the order of their classes, then of their sizes.
    #[inline]
    pub(crate) fn ships(&self, id: StateId) -> &[Ship] {
        &self.list[id as usize].ships
    }

    /// A ship of a state, by its number in [`States::ships`], and the other ships.
    #[inline]
    pub(crate) fn ship_in(&self, id: StateId, ship: usize) -> ShipInState {
        self.list[id as usize].located[ship]
    }

    /// The state with only this ship.
    pub(crate) fn single_ship(&self, kind: ShipKindId, place: usize) -> StateId {
        self.places[kind][place]
    }

    /// The ship of a state that has no other.
    #[cfg(test)]
    pub(crate) fn locate_alone(&mut self, ship: Ship) -> ShipInState {
        let id = self.number(vec![ship]);
        self.ship_in(id, 0)
    }

    /// The answer to a shot and the state after it.
    #[inline]
    pub(crate) fn fire(&mut self, id: StateId, cell: u32) -> (AnswerCode, StateId) {
        let state = &self.list[id as usize];
        let bit = 1 << cell;
        if state.cells & bit == 0 {
            return (AnswerCode::MISS, id);
        }
        let transition = state.transitions + (state.cells & (bit - 1)).count_ones() as usize;
        if self.transitions[transition].1 == UNKNOWN {
            self.transitions[transition] = self.hit(id, bit);
        }
        self.transitions[transition]
    }

    fn hit(&mut self, id: StateId, bit: u64) -> (AnswerCode, StateId) {
        let mut ships = self.ships(id).to_vec();
        let at = ships.iter().position(|ship| ship.cells & bit != 0).expect("a ship on the cell that is hit");
        ships[at].cells ^= bit;
        let Ship { class, cells } = ships[at];
        let code = if cells == 0 {
            ships.remove(at);
            AnswerCode::sunk(class)
        } else if self.call.tells_length_on_hit() {
            AnswerCode::hit(class)
        } else {
            AnswerCode::hit(0)
        };
        (code, self.number(ships))
    }

    /// The state in which every cell has come to lie elsewhere.
    pub(crate) fn moved(&mut self, id: StateId, to: &[u8; 64]) -> StateId {
        let cells = |cells: u64| bits(cells).fold(0, |moved, cell| moved | 1 << to[cell as usize]);
        let ships = self.ships(id).iter().map(|ship| Ship { cells: cells(ship.cells), ..*ship }).collect();
        self.number(ships)
    }

    /// The answer that a number stands for.
    pub(crate) fn answer(&self, code: AnswerCode) -> Answer {
        let length = |class: u8| self.lengths[usize::from(class)];
        match code.0 {
            0 => Answer::Miss,
            sunk @ AnswerCode::SUNK.. => Answer::for_hit(self.call, length(sunk - AnswerCode::SUNK), true),
            hit => Answer::for_hit(self.call, length(hit - 1), false),
        }
    }

    /// About how many bytes the table takes.
    pub(crate) fn bytes(&self) -> usize {
        self.list.len() * 208 + self.transitions.len() * size_of::<(AnswerCode, StateId)>()
    }
}
