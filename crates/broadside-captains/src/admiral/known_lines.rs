//! Shots that were worked out before, by the answers that led to them.
//!
//! The admiral's shot follows from the log alone, and games begin alike. So the lines of play that come up most often are
//! kept as a tree: a node for each log, with the shot that the admiral fires there and a child for each answer.

use broadside_rules::{Answer, Cell, LogMark, Rules, ShotLog};

/// So many nodes at most: some megabytes.
const MAX_NODES: usize = 1 << 19;

/// So many nodes are added for one game.
const NODES_PER_GAME: usize = 3;

/// A log in which all shots were the admiral's. Nothing leads back to the root, so 0 stands for no node.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The shot that it fires there.
    shot: Cell,
    /// The answer to the shot before.
    answer: Answer,
    /// What follows from a miss, and from a hit without a length.
    next: [u32; 2],
    /// The first of the nodes that follow from other answers.
    others: u32,
    /// The next such node that follows from the same one.
    sibling: u32,
}

/// Where in the tree the log is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// At this node.
    Node(u32),
    /// A log that might be a node: the root, or what follows from a node by an answer.
    Next(Option<(u32, Answer)>),
    /// Somewhere else.
    Outside,
}

/// The lines of play that are known.
#[derive(Clone, Debug)]
pub(crate) struct KnownLines {
    rules: Rules,
    nodes: Vec<Node>,
    mark: Option<LogMark>,
    place: Place,
    /// How many nodes were added for this game. With few nodes a game, the lines kept are those that come up often.
    grown: usize,
}

impl KnownLines {
    pub(crate) fn new(rules: &Rules) -> Self {
        Self { rules: rules.clone(), nodes: Vec::new(), mark: None, place: Place::Outside, grown: 0 }
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
            self.place = if self.nodes.is_empty() { Place::Next(None) } else { Place::Node(0) };
            log.shots()
        });
        for shot in shots {
            self.place = self.after(shot.cell, shot.answer);
            if self.place == Place::Outside {
                break;
            }
        }
        self.mark = Some(log.mark());
        match self.place {
            Place::Node(node) => Some(self.nodes[node as usize].shot),
            _ => None,
        }
    }

    /// Where a shot leads.
    #[inline]
    fn after(&self, shot: Cell, answer: Answer) -> Place {
        let Place::Node(node) = self.place else { return Place::Outside };
        if self.nodes[node as usize].shot != shot {
            return Place::Outside;
        }
        let mut child = match answer {
            Answer::Miss | Answer::Hit(None) => self.nodes[node as usize].next[usize::from(answer.is_hit())],
            _ => self.nodes[node as usize].others,
        };
        while child != 0 {
            if self.nodes[child as usize].answer == answer {
                return Place::Node(child);
            }
            child = self.nodes[child as usize].sibling;
        }
        Place::Next(Some((node, answer)))
    }

    /// Keeps the shot for the log that was asked for last, if it follows from what is known.
    #[inline]
    pub(crate) fn insert(&mut self, shot: Cell) {
        let Place::Next(before) = self.place else { return };
        if self.grown == NODES_PER_GAME || self.nodes.len() == MAX_NODES {
            return;
        }
        let number = self.nodes.len() as u32;
        let mut node = Node { shot, answer: Answer::Miss, next: [0; 2], others: 0, sibling: 0 };
        if let Some((parent, answer)) = before {
            let parent = &mut self.nodes[parent as usize];
            let link = match answer {
                Answer::Miss | Answer::Hit(None) => &mut parent.next[usize::from(answer.is_hit())],
                _ => &mut parent.others,
            };
            (node.answer, node.sibling) = (answer, *link);
            *link = number;
        }
        self.nodes.push(node);
        self.place = Place::Node(number);
        self.grown += 1;
    }
}
