//! Shots that were worked out before, by the answers that led to them.
//!
//! The admiral's shot follows from the log alone, and games begin alike. So the lines of play that come up most often are
//! kept as a tree: a node for each log, with what follows from each answer.

use broadside_rules::{Answer, Cell, LogMark, Rules, ShotLog};

/// So many nodes at most: some megabytes.
const MAX_NODES: usize = 1 << 20;

/// So many nodes are added for one game.
const NODES_PER_GAME: usize = 4;

/// A log in which all shots were the admiral's. Nothing leads back to the root, so 0 stands for no node.
///
/// The shot that is fired there stands in the node before it. So it is known before this node is read: most nodes are far
/// from the processor, and what is fired next doesn't wait for them.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The nodes that follow from a miss, and from a hit without a length.
    next: [u32; 2],
    /// The shots that are fired there.
    shots: [Cell; 2],
    /// The first link for another answer.
    others: Option<LinkNumber>,
}

/// The number of a link, from 1.
type LinkNumber = std::num::NonZeroU32;

/// What follows from an answer that is neither a miss nor a hit without a length.
#[derive(Clone, Copy, Debug)]
struct Link {
    answer: Answer,
    shot: Cell,
    node: u32,
    /// The next link of the same node.
    next: Option<LinkNumber>,
}

/// Where in the tree the log is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// At this node, where this shot is fired.
    Node(u32, Cell),
    /// A log that might be a node: the root, or what follows from a node by an answer.
    Next(Option<(u32, Answer)>),
    /// Somewhere else.
    Outside,
}

/// The lines of play that are known.
#[derive(Clone, Debug)]
pub(crate) struct KnownLines {
    rules: Rules,
    /// The shot at the root.
    first: Option<Cell>,
    nodes: Vec<Node>,
    links: Vec<Link>,
    mark: Option<LogMark>,
    place: Place,
    /// A copy of the node at which the log is, if it is at one.
    node: Option<Node>,
    /// How many nodes were added for this game. With few nodes a game, the lines kept are those that come up often.
    grown: usize,
}

impl KnownLines {
    pub(crate) fn new(rules: &Rules) -> Self {
        Self {
            rules: rules.clone(),
            first: None,
            nodes: Vec::new(),
            links: Vec::new(),
            mark: None,
            place: Place::Outside,
            node: None,
            grown: 0,
        }
    }

    /// The shot for this log, if it is known.
    ///
    /// # Panics
    /// When the log is of a game by other rules.
    #[inline]
    pub(crate) fn get(&mut self, log: &ShotLog) -> Option<Cell> {
        let shots = self.mark.and_then(|mark| log.since(mark)).unwrap_or_else(|| {
            assert_eq!(log.rules(), &self.rules, "the log of a game by other rules");
            self.grown = 0;
            self.node = self.nodes.first().copied();
            self.place = self.first.map_or(Place::Next(None), |shot| Place::Node(0, shot));
            log.shots()
        });
        for shot in shots {
            self.place = self.after(shot.cell, shot.answer);
            let Place::Node(number, _) = self.place else { break };
            self.node = self.nodes.get(number as usize).copied();
        }
        self.mark = Some(log.mark());
        match self.place {
            Place::Node(_, shot) => Some(shot),
            _ => None,
        }
    }

    /// Where a shot leads.
    #[inline]
    fn after(&self, fired: Cell, answer: Answer) -> Place {
        let (Place::Node(number, shot), Some(node)) = (self.place, self.node) else { return Place::Outside };
        if shot != fired {
            return Place::Outside;
        }
        let (child, shot) = match answer {
            Answer::Miss => (node.next[0], node.shots[0]),
            Answer::Hit(None) => (node.next[1], node.shots[1]),
            _ => self.linked(node.others, answer).map_or((0, fired), |link| (link.node, link.shot)),
        };
        if child == 0 { Place::Next(Some((number, answer))) } else { Place::Node(child, shot) }
    }

    /// The link with this answer among this one and those after it.
    fn linked(&self, mut number: Option<LinkNumber>, answer: Answer) -> Option<Link> {
        while let Some(link) = number.map(|number| self.links[number.get() as usize - 1]) {
            if link.answer == answer {
                return Some(link);
            }
            number = link.next;
        }
        None
    }

    /// Keeps the shot for the log that was asked for last, if it follows from what is known.
    #[inline]
    pub(crate) fn insert(&mut self, shot: Cell) {
        let Place::Next(before) = self.place else { return };
        if self.grown == NODES_PER_GAME || self.nodes.len() == MAX_NODES {
            return;
        }
        let number = self.nodes.len() as u32;
        match before {
            None => self.first = Some(shot),
            Some((parent, answer @ (Answer::Miss | Answer::Hit(None)))) => {
                let (parent, way) = (&mut self.nodes[parent as usize], usize::from(answer.is_hit()));
                (parent.next[way], parent.shots[way]) = (number, shot);
            }
            Some((parent, answer)) => {
                let parent = &mut self.nodes[parent as usize];
                self.links.push(Link { answer, shot, node: number, next: parent.others });
                parent.others = LinkNumber::new(self.links.len() as u32);
            }
        }
        let node = Node { next: [0; 2], shots: [shot; 2], others: None };
        self.nodes.push(node);
        (self.node, self.place) = (Some(node), Place::Node(number, shot));
        self.grown += 1;
    }
}
