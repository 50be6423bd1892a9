//! Playing the games of a tournament, some at a time.

#![cfg(unix)]

use std::collections::{BTreeMap, HashMap};
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use broadside_captains::Registry;
use broadside_lab::{Layouts, Ranges, generator, noise_seed};
use broadside_odds::{DealError, Dealer};
use broadside_rules::{Layout, Side};
use sha2::{Digest, Sha256};

use super::config::{Placing, Player, PlayerKind, TournamentConfig, TournamentError};
use super::part::TournamentPart;
use super::record::{ForfeitLine, GameLine};
use super::schedule::{Entry, Mode, Schedule, Slot};
use crate::{Bot, BotSettings, CaptainPlayer, DuelStart, Forfeit, PlayedGame, Seat, SeatError, Tail, play_alone, play_duel};

/// Games that a worker takes at a time.
const BATCH: u64 = 8;

/// A tournament that can be played.
pub struct Tournament {
    config: TournamentConfig,
    schedule: Schedule,
    registry: Registry,
    settings: BotSettings,
    /// What each bot wrote to standard error, and what the referee noted.
    errors: Mutex<Vec<Tail>>,
}

/// The cores for the players of a worker's games: for each seat, the cores that its bot may use.
pub type Cores = Vec<Vec<usize>>;

impl Tournament {
    /// Checks a tournament.
    ///
    /// # Errors
    /// When it can't be played.
    pub fn new(config: TournamentConfig, registry: Registry, settings: BotSettings) -> Result<Self, TournamentError> {
        config.check(&registry)?;
        let errors = Mutex::new(vec![Tail::default(); config.players.len()]);
        Ok(Self { schedule: config.schedule(), config, registry, settings, errors })
    }

    /// What decides it.
    pub fn config(&self) -> &TournamentConfig {
        &self.config
    }

    /// All games.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// How many bots play in a game at most.
    pub fn bots_in_a_game(&self) -> usize {
        let bots = |entry: &Entry| entry.players().iter().filter(|&&player| self.config.players[player].is_bot()).count();
        self.schedule.entries().iter().map(bots).max().unwrap_or(0)
    }

    /// What a player wrote to standard error.
    pub fn errors(&self, player: usize) -> Tail {
        self.errors.lock().unwrap_or_else(PoisonError::into_inner)[player].clone()
    }

    /// Plays these games, on as many threads as there are `workers`. `done` gets the games in the order of their numbers, and
    /// says whether to go on; games after one at which it breaks are forgotten.
    ///
    /// # Errors
    /// When the board is too tight to deal from.
    pub fn play(
        &self,
        games: &Ranges,
        workers: &[Cores],
        stop: &AtomicBool,
        mut done: impl FnMut(GameLine) -> ControlFlow<()>,
    ) -> Result<(), TournamentError> {
        let batches: Vec<Range<u64>> = games.iter().flat_map(|range| self.batches(range)).collect();
        let (next, halt) = (AtomicU64::new(0), AtomicBool::new(false));
        let stopped = || halt.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed);
        thread::scope(|scope| {
            let (sender, lines) = channel();
            for cores in workers {
                let (sender, batches, next, stopped) = (sender.clone(), &batches, &next, &stopped);
                scope.spawn(move || self.work(cores, batches, next, stopped, &sender));
            }
            drop(sender);
            let ended = in_order(&batches, &lines, &mut done);
            halt.store(true, Ordering::Relaxed);
            ended
        })
    }

    /// Plays these games, those that there are, and gives them as a part that can be put together with others. The same games
    /// give the same part on every machine and with any workers, if the bots are repeatable. A part that was stopped is shorter.
    ///
    /// # Errors
    /// When the board is too tight to deal from.
    pub fn play_part(&self, games: &Ranges, workers: &[Cores], stop: &AtomicBool) -> Result<TournamentPart, TournamentError> {
        let games = games.intersection(&Ranges::from(0..self.schedule.len()));
        let mut part = TournamentPart::new(&self.config);
        self.play(&games, workers, stop, |line| {
            part.add(line);
            ControlFlow::Continue(())
        })?;
        Ok(part)
    }

    fn batches(&self, range: Range<u64>) -> Vec<Range<u64>> {
        let first = |start: u64| (start < range.end).then(|| self.schedule.batch(start, range.end, BATCH));
        std::iter::successors(first(range.start), |batch| first(batch.end)).collect()
    }

    fn work(
        &self,
        cores: &Cores,
        batches: &[Range<u64>],
        next: &AtomicU64,
        stopped: &(impl Fn() -> bool + Sync),
        sender: &Sender<Result<GameLine, DealError>>,
    ) {
        let mut worker = Worker { tournament: self, cores, dealer: Dealer::new(&self.config.rules), seats: HashMap::new() };
        while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed) as usize) {
            for number in batch.clone() {
                // Nobody listens any more when the tournament was stopped.
                if stopped() || sender.send(worker.play(number)).is_err() {
                    return worker.leave(|_| false);
                }
            }
        }
        worker.leave(|_| false);
    }

    fn note(&self, player: usize, errors: &Tail, note: Option<&str>) {
        let mut all = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        all[player].append(errors);
        if let Some(note) = note {
            all[player].add(format!("[referee] {note}\n").as_bytes());
        }
    }
}

/// Passes games on in the order of their numbers.
fn in_order(
    batches: &[Range<u64>],
    lines: &Receiver<Result<GameLine, DealError>>,
    done: &mut impl FnMut(GameLine) -> ControlFlow<()>,
) -> Result<(), TournamentError> {
    let mut order = batches.iter().cloned().flatten().peekable();
    let mut early = BTreeMap::new();
    for line in lines {
        let line = line?;
        early.insert(line.number, line);
        while let Some(line) = order.peek().and_then(|number| early.remove(number)) {
            order.next();
            if done(line).is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// What a thread keeps from game to game.
struct Worker<'a> {
    tournament: &'a Tournament,
    cores: &'a Cores,
    dealer: Dealer,
    /// The players who are here now: all captains seen so far, and only those bots that play now.
    seats: HashMap<usize, Seat>,
}

impl Worker<'_> {
    fn play(&mut self, number: u64) -> Result<GameLine, DealError> {
        let slot = self.tournament.schedule.slot(number);
        self.leave(|player| slot.players.players().contains(&player));
        match slot.players {
            Entry::Solo { shooter } => self.play_solo(number, slot, shooter),
            Entry::Hunt { shooter, hider } => self.play_hunt(number, slot, shooter, hider),
            Entry::Duel { .. } => self.play_duel(number, slot, slot.duel_order()),
        }
    }

    fn play_solo(&mut self, number: u64, slot: Slot, shooter: usize) -> Result<GameLine, DealError> {
        let config = &self.tournament.config;
        let layout = self.dealt(slot.game)?;
        Ok(self.fire_alone(number, slot, shooter, None, layout, player_seed(config.seed, 0, slot.game, 0)))
    }

    fn play_hunt(&mut self, number: u64, slot: Slot, shooter: usize, hider: usize) -> Result<GameLine, DealError> {
        let (tournament, entry) = (self.tournament, slot.entry as u64);
        let TournamentConfig { rules, seed, .. } = &tournament.config;
        let hiding = player_seed(*seed, entry, slot.game, 1);
        let placed = self.sit(hider, 1).map_err(SeatError::Forfeit).and_then(|seat| {
            seat.start_game(rules, hiding)?;
            seat.place(rules)
        });
        match placed {
            Ok(layout) => {
                let firing = player_seed(*seed, entry, slot.game, 0);
                Ok(self.fire_alone(number, slot, shooter, Some(hider), layout, firing))
            }
            Err(SeatError::Deal(error)) => Err(error),
            Err(SeatError::Forfeit(forfeit)) => {
                let game = PlayedGame { layouts: vec![None], logs: Vec::new(), winner: None, forfeit: None };
                let mut line = self.line(number, slot, &[shooter], Some(hider), &game);
                line.forfeit = Some(self.forfeited(hider, &forfeit));
                Ok(line)
            }
        }
    }

    fn fire_alone(
        &mut self,
        number: u64,
        slot: Slot,
        shooter: usize,
        hider: Option<usize>,
        layout: Layout,
        seed: u64,
    ) -> GameLine {
        let rules = &self.tournament.config.rules;
        let noise_seed = noise_seed(self.tournament.config.seed, slot.game);
        let game = match self.sit(shooter, 0) {
            Ok(seat) => play_alone(rules, seat, layout, seed, noise_seed),
            Err(forfeit) => {
                let forfeit = Some((Side::First, forfeit));
                PlayedGame { layouts: vec![Some(layout)], logs: Vec::new(), winner: None, forfeit }
            }
        };
        self.line(number, slot, &[shooter], hider, &game)
    }

    fn play_duel(&mut self, number: u64, slot: Slot, order: [usize; 2]) -> Result<GameLine, DealError> {
        let TournamentConfig { rules, seed, turns, .. } = &self.tournament.config;
        let layouts = self.duel_layouts(slot.game)?;
        let seeds = [0, 1].map(|side| player_seed(*seed, slot.entry as u64, slot.game, side));
        let start = DuelStart { turns: *turns, layouts, seeds, noise_seed: noise_seed(*seed, slot.game) };
        for (side, player) in [Side::First, Side::Second].into_iter().zip(order) {
            if let Err(forfeit) = self.sit(player, side as usize) {
                let game = PlayedGame {
                    layouts: start.layouts.to_vec(),
                    logs: Vec::new(),
                    winner: Some(side.other()),
                    forfeit: Some((side, forfeit)),
                };
                return Ok(self.line(number, slot, &order, None, &game));
            }
        }
        let [Some(first), Some(second)] = self.seats.get_disjoint_mut([&order[0], &order[1]]) else {
            unreachable!("both players were seated")
        };
        let game = play_duel(rules, [first, second], start)?;
        Ok(self.line(number, slot, &order, None, &game))
    }

    /// The layouts of a duel, first side first. Games 2j and 2j + 1 have the same two, with the players changed round.
    fn duel_layouts(&mut self, game: u64) -> Result<[Option<Layout>; 2], DealError> {
        let TournamentConfig { placing, seed, .. } = &self.tournament.config;
        let Placing::Dealt(layouts) = placing else { return Ok([None, None]) };
        // In odd games the other player fires first: with the same order of layouts each has both of them once.
        let mut rng = generator(*seed, game / 2);
        let first = layouts.for_game(game / 2 * 2, &mut self.dealer, &mut rng)?;
        let second = layouts.for_game(game / 2 * 2 + 1, &mut self.dealer, &mut rng)?;
        Ok([Some(first), Some(second)])
    }

    fn dealt(&mut self, game: u64) -> Result<Layout, DealError> {
        let TournamentConfig { placing, seed, .. } = &self.tournament.config;
        let uniform = Layouts::Uniform;
        let layouts = if let Placing::Dealt(layouts) = placing { layouts } else { &uniform };
        layouts.for_game(game, &mut self.dealer, &mut generator(*seed, game))
    }

    /// The player, who is started if it isn't there.
    fn sit(&mut self, player: usize, seat: usize) -> Result<&mut Seat, Forfeit> {
        if !self.seats.contains_key(&player) {
            let taken = self.start(player, seat)?;
            self.seats.insert(player, taken);
        }
        Ok(self.seats.get_mut(&player).expect("it was seated"))
    }

    fn start(&self, player: usize, seat: usize) -> Result<Seat, Forfeit> {
        let Tournament { config, registry, settings, .. } = self.tournament;
        match &config.players[player] {
            Player { name, kind: PlayerKind::Captain } => {
                let captain = CaptainPlayer::new(registry, name, &config.rules);
                Ok(Seat::Captain(Box::new(captain.expect("a captain that was found before"))))
            }
            Player { kind: PlayerKind::Bot(command), .. } => {
                let cores = self.cores.get(seat).cloned().unwrap_or_default();
                let settings = BotSettings { cores, ..settings.clone() };
                let bot = Bot::start(command, &settings).map_err(|(forfeit, errors)| {
                    self.tournament.note(player, &errors, Some(&forfeit.to_string()));
                    forfeit
                })?;
                Ok(Seat::Bot(Box::new(bot)))
            }
        }
    }

    /// Lets all bots go but those to keep.
    fn leave(&mut self, keep: impl Fn(usize) -> bool) {
        let going: Vec<usize> =
            self.seats.iter().filter(|(player, seat)| matches!(seat, Seat::Bot(_)) && !keep(**player)).map(|(p, _)| *p).collect();
        for player in going {
            if let Some(Seat::Bot(bot)) = self.seats.remove(&player) {
                let (ended, errors) = bot.quit();
                self.tournament.note(player, &errors, (!ended).then_some("it did not end at ‘quit’, and was killed"));
            }
        }
    }

    /// Ends a bot that has lost by a fault.
    fn forfeited(&mut self, player: usize, forfeit: &Forfeit) -> ForfeitLine {
        let reason = forfeit.to_string();
        if let Some(Seat::Bot(bot)) = self.seats.remove(&player) {
            self.tournament.note(player, &bot.kill(), Some(&reason));
        }
        ForfeitLine { player: self.name(player), kind: forfeit.kind().to_owned(), reason }
    }

    fn name(&self, player: usize) -> String {
        self.tournament.config.players[player].name.clone()
    }

    fn line(&mut self, number: u64, slot: Slot, players: &[usize], hider: Option<usize>, game: &PlayedGame) -> GameLine {
        let forfeit = game.forfeit.as_ref().map(|(side, forfeit)| self.forfeited(players[*side as usize], forfeit));
        let mut targets: Vec<String> =
            game.layouts.iter().map(|layout| layout.as_ref().map(ToString::to_string).unwrap_or_default()).collect();
        if self.tournament.config.mode == Mode::Duel {
            // Each fires at the other's.
            targets.reverse();
        }
        let mut shots: Vec<String> = game.logs.iter().map(ToString::to_string).collect();
        shots.resize(players.len(), String::new());
        GameLine {
            number,
            game: slot.game,
            players: players.iter().map(|&player| self.name(player)).collect(),
            hider: hider.map(|hider| self.name(hider)),
            targets,
            shots,
            winner: game.winner.map(|side| self.name(players[side as usize])),
            forfeit,
        }
    }
}

/// The seed that a player is given for a game. The seed of the tournament can't be found from it.
fn player_seed(seed: u64, entry: u64, game: u64, seat: u64) -> u64 {
    let mut hash = Sha256::new();
    hash.update(b"broadside player");
    for number in [seed, entry, game, seat] {
        hash.update(number.to_le_bytes());
    }
    let digest = hash.finalize();
    u64::from_le_bytes(digest[..8].try_into().expect("eight bytes"))
}
