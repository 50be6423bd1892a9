//! What one dispatch does: items of many logs packed for the shader, and its sums unpacked again.

use rustc_hash::FxHashMap;

use super::GpuError;
use super::placements::{Item, LogPlacements, PlacementIndex, Trio, others};

/// How much a dispatch may hold, in words of sets intersected. On the slowest adapter at hand, software on two cores, the empty
/// classic board has 32 dispatches; a desktop's watchdog waits for some two seconds.
const WORK: u64 = 1 << 27;

/// Workgroups in a dispatch, and invocations in a workgroup.
const WORKGROUPS: u64 = 65_535;
const WORKGROUP_SIZE: u64 = 64;

/// Items that an invocation takes at once. A row of a table is then read once for all of them; measured on the software
/// adapter, where reading is slow.
pub(super) const ITEMS_AT_ONCE: usize = 4;

/// Items that are summed up by one workgroup. On llvmpipe all loops of an invocation may go dispatch 65535 times together.
pub(super) const ITEMS_PER_SUM: usize = 4096;

/// Items, with tables, of at most so many bytes: half of what every adapter can bind.
pub(super) const BYTES: usize = 1 << 26;

/// Items collected for one dispatch.
pub(super) struct Dispatch<'a> {
    placements_by_log: &'a [Option<LogPlacements>],
    words: usize,
    bytes_allowed: usize,
    groups: Vec<Group>,
    group_of: FxHashMap<(usize, Trio), usize>,
    /// Steps, as the budget has them.
    pub(super) steps: u64,
    work: u64,
    blocks: u64,
    bytes: usize,
}

/// The items of one log that leave the same ships.
struct Group {
    log: usize,
    trio: Trio,
    count: usize,
    /// For each item, the open placements of the three ships, a set after the other.
    items: Vec<u32>,
    /// For each item, the placements chosen already; every item of a group has as many.
    chosen: Vec<PlacementIndex>,
}

/// What the shader is given, as words.
#[derive(Default)]
pub(super) struct Packed {
    pub(super) words: usize,
    pub(super) tables: Vec<u32>,
    pub(super) items: Vec<u32>,
    pub(super) segments: Vec<[u32; 14]>,
    pub(super) blocks: Vec<[u32; 2]>,
    /// Pieces of the largest segment.
    pub(super) pieces: usize,
    /// How many entries with sums over pieces, sums over items and sums over placements it makes.
    pub(super) entries: usize,
    pub(super) uses: usize,
    pub(super) totals: usize,
    /// For each segment, its group and the class that it counts.
    pub(super) counted: Vec<(usize, usize)>,
}

/// What the shader returns.
pub(super) struct Sums {
    pub(super) uses: Vec<u64>,
    pub(super) totals: Vec<u32>,
}

/// What has been counted of one log.
#[derive(Clone)]
pub(super) struct Tally {
    pub(super) layouts: u128,
    /// For each class and placement, the layouts that use it.
    uses: Vec<Vec<u128>>,
}

impl Tally {
    pub(super) fn new(placements: &LogPlacements) -> Self {
        Self { layouts: 0, uses: placements.classes.iter().map(|class| vec![0; class.places.len()]).collect() }
    }

    /// The layouts with a ship on each cell.
    pub(super) fn cells(&self, placements: &LogPlacements, cells: usize) -> Vec<u128> {
        let mut at = vec![0; cells];
        for (place, &uses) in placements.classes.iter().flat_map(|class| &class.places).zip(self.uses.iter().flatten()) {
            let mut own = place.own;
            while own != 0 {
                at[own.trailing_zeros() as usize] += uses;
                own &= own - 1;
            }
        }
        at
    }

    fn add(&mut self, layouts: u128, chosen: &[PlacementIndex]) {
        self.layouts += layouts;
        for &(class, number) in chosen {
            self.uses[class][number] += layouts;
        }
    }
}

impl<'a> Dispatch<'a> {
    pub(super) fn new(placements_by_log: &'a [Option<LogPlacements>], bytes_allowed: usize) -> Self {
        let words = placements_by_log.iter().flatten().map(LogPlacements::words).max().unwrap_or(1);
        let (groups, group_of) = (Vec::new(), FxHashMap::default());
        Self { placements_by_log, words, bytes_allowed, groups, group_of, steps: 0, work: 0, blocks: 0, bytes: 0 }
    }

    /// The same, with nothing in it.
    pub(super) fn cleared(&self) -> Self {
        let (groups, group_of) = (Vec::new(), FxHashMap::default());
        Self { groups, group_of, steps: 0, work: 0, blocks: 0, bytes: 0, ..*self }
    }

    /// Takes an item; says whether the dispatch is full now.
    pub(super) fn push(&mut self, log: usize, placements: &LogPlacements, item: &Item) -> bool {
        let words = self.words;
        let number = *self.group_of.entry((log, item.trio)).or_insert_with(|| {
            self.groups.push(Group { log, trio: item.trio, count: 0, items: Vec::new(), chosen: Vec::new() });
            self.bytes += 4 * placements.counted_classes(item.trio).map(|_| 3 * 32 * words * words).sum::<usize>();
            self.groups.len() - 1
        });
        let group = &mut self.groups[number];
        group.count += 1;
        group.chosen.extend_from_slice(item.chosen);
        for class in item.trio {
            let places = placements.classes[class].places.iter().enumerate();
            push_set(&mut group.items, words, places.map(|(number, &place)| item.is_open(class, number, place)));
        }
        let steps = placements.steps(item.trio).max(1);
        self.steps += steps;
        self.work += steps * words as u64;
        let blocks = |class: usize| (placements.classes[class].places.len() as u64).div_ceil(WORKGROUP_SIZE) + 1;
        self.blocks += placements.counted_classes(item.trio).map(blocks).sum::<u64>();
        self.bytes += 4 * (3 * words + item.chosen.len());
        self.is_full()
    }

    fn is_full(&self) -> bool {
        // One more item stays within the blocks: it takes at most fifteen.
        self.work >= WORK || self.blocks + WORKGROUP_SIZE > WORKGROUPS || self.bytes >= self.bytes_allowed.min(BYTES)
    }

    /// The dispatch as the shader reads it.
    pub(super) fn packed(&self) -> Packed {
        let mut packed = Packed { words: self.words, ..Packed::default() };
        let mut tables = FxHashMap::default();
        for (number, group) in self.groups.iter().enumerate() {
            let first = packed.items.len();
            packed.items.extend_from_slice(&group.items);
            packed.items.resize(first + group.filled() * 3 * self.words, 0);
            let Some(placements) = &self.placements_by_log[group.log] else { continue };
            for a in placements.counted_classes(group.trio) {
                let mut compatible = |x, y, later| {
                    *tables.entry((group.log, x, y, later)).or_insert_with(|| packed.push_table(placements, x, y, later))
                };
                let [b, c] = others(group.trio, a);
                let at = [compatible(a, b, false), compatible(a, c, false), compatible(b, c, b == c)];
                packed.push_segment(placements, group, (number, a), first, at);
            }
        }
        packed
    }

    /// Adds what the shader found to the tallies of the logs.
    pub(super) fn add_sums(&self, packed: &Packed, sums: &Sums, tallies: &mut [Option<Tally>]) -> Result<(), GpuError> {
        let mut found: Vec<Option<Vec<u32>>> = vec![None; self.groups.len()];
        for (segment, &(number, a)) in packed.segments.iter().zip(&packed.counted) {
            let group = &self.groups[number];
            let [size, uses_at, totals_at] = [segment[0], segment[5], segment[6]].map(|word| word as usize);
            let (uses, totals) = (&sums.uses[uses_at..][..size], &sums.totals[totals_at..][..group.count]);
            // A layout is met once for each of its ships of the class that is counted.
            let ships = group.trio.iter().filter(|&&class| class == a).count() as u32;
            let layouts: Vec<u32> = totals.iter().map(|total| total / ships).collect();
            // The same layouts are counted once for each class, and summed in two ways: all must agree.
            let sum: u64 = totals.iter().map(|&total| u64::from(total)).sum();
            let agree = totals.iter().all(|total| total % ships == 0) && sum == uses.iter().sum::<u64>();
            if !agree || found[number].as_ref().is_some_and(|found| *found != layouts) {
                return Err(GpuError::Miscount);
            }
            found[number] = Some(layouts);
            let Some(tally) = &mut tallies[group.log] else { continue };
            tally.uses[a].iter_mut().zip(uses).for_each(|(sum, &uses)| *sum += u128::from(uses));
        }
        for (group, found) in self.groups.iter().zip(found) {
            let Some(tally) = &mut tallies[group.log] else { continue };
            // Where no ship is left, the item is the layout.
            let found = found.unwrap_or_else(|| vec![1; group.count]);
            let each = group.chosen.len() / group.count;
            for (i, &layouts) in found.iter().enumerate() {
                tally.add(u128::from(layouts), &group.chosen[i * each..][..each]);
            }
        }
        Ok(())
    }
}

impl Group {
    /// How many items it has with the empty ones that fill up the last invocation.
    fn filled(&self) -> usize {
        self.count.next_multiple_of(ITEMS_AT_ONCE)
    }
}

impl Packed {
    /// For each placement of class `x`, the placements of class `y` that go with it; of one class, only `later` ones if so
    /// asked, so that two equal ships are met in one order.
    fn push_table(&mut self, placements: &LogPlacements, x: usize, y: usize, later: bool) -> usize {
        let at = self.tables.len();
        let [xs, ys] = [x, y].map(|class| &placements.classes[class].places);
        for (i, ship) in xs.iter().enumerate() {
            let near = ys.iter().enumerate().map(|(j, &other)| ship.is_compatible(other) && !(later && j <= i));
            push_set(&mut self.tables, self.words, near);
        }
        at
    }

    fn push_segment(
        &mut self,
        placements: &LogPlacements,
        group: &Group,
        (number, a): (usize, usize),
        first: usize,
        tables: [usize; 3],
    ) {
        let [b, c] = others(group.trio, a);
        let size = placements.classes[a].places.len();
        // Equal ships have equal sets, so it doesn't matter which of them is found.
        let open = [a, b, c].map(|class| group.trio.iter().position(|&other| other == class).unwrap_or(0) * self.words);
        let segment = [size, placements.classes[b].places.len(), group.filled(), first, self.entries, self.uses, self.totals];
        let partials = self.entries + size * group.filled();
        let numbers = segment.into_iter().chain(open).chain(tables).chain([partials]).map(|word| word as u32);
        let mut words = [0; 14];
        words.iter_mut().zip(numbers).for_each(|(word, number)| *word = number);
        let invocations = size * group.filled() / ITEMS_AT_ONCE;
        self.blocks
            .extend((0..invocations).step_by(WORKGROUP_SIZE as usize).map(|first| [self.segments.len() as u32, first as u32]));
        self.segments.push(words);
        self.counted.push((number, a));
        let pieces = group.filled().div_ceil(ITEMS_PER_SUM);
        self.pieces = self.pieces.max(pieces);
        self.entries = partials + size * pieces;
        self.uses += size;
        self.totals += group.filled();
    }
}

/// Appends a set of so many words.
fn push_set(sets: &mut Vec<u32>, words: usize, members: impl Iterator<Item = bool>) {
    let at = sets.len();
    sets.resize(at + words, 0);
    for (number, _) in members.enumerate().filter(|(_, member)| *member) {
        sets[at + number / 32] |= 1 << (number % 32);
    }
}
