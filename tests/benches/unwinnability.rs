//! The table of `docs/performance.md`: every position of `../shared/unwinnability` asked, and the check after every move.
//!
//! ```sh
//! cargo bench --bench unwinnability                        # all files
//! cargo bench --bench unwinnability -- --file compositions.tsv --most 500
//! cargo bench --bench unwinnability -- --moves ../shared/games/otb-gnuchess-book.pgn
//! ```
#[path = "../unwinnability/rows.rs"]
mod rows;

use flagfall_game::questions::{Purpose, Question};
use flagfall_laws::mating::{Answer, Limits, Proof, Quick, Why, Winner, close, facts, line};
use flagfall_simulator::games::{PgnGame, read_games};
use flagfall_solver::helpmate::{Asked, Effort, Said, may_be_dead};
use flagfall_solver::{Settings, Solver, child::Child};
use rows::Row;
use shakmaty::fen::Fen;
use shakmaty::{EnPassantMode, Position as _};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What one method made of one row.
#[derive(Clone, Copy)]
struct Asking {
    took: Duration,
    right: Option<bool>,
}

#[allow(clippy::disallowed_methods, reason = "a bench measures")]
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let began = Instant::now();
    let made = work();
    (made, began.elapsed())
}

/// Right, wrong, or undecided. Every line is replayed, every known count compared.
fn judged(row: &Row, root: &shakmaty::Chess, answer: &Answer) -> Option<bool> {
    match answer {
        Answer::Winnable { line } => Some(row.winnable && line::replayed(root, line, row.winner).is_some()),
        Answer::Unwinnable { .. } => Some(!row.winnable),
        Answer::Undecided { .. } => None,
    }
}

/// Both methods one after the other, as the product asks them: facts, the search, then the proof.
fn asked(row: &Row, closure: &mut Quick) -> [Asking; 2] {
    let root = row.position();
    let (by_search, search_took) = timed(|| match facts::settled(&root, row.winner) {
        Some(answer) => answer,
        None => match Asked::new(&root, row.winner, Effort::Search).answer() {
            Said::Mate(line) => Answer::Winnable { line },
            Said::None => Answer::Unwinnable { proof: Proof::Chasolver, positions: 0 },
            Said::Unknown => Answer::Undecided { why: Why::TooManyPositions },
        },
    });
    let by_search = Asking { took: search_took, right: judged(row, &root, &by_search) };
    // Where a mate is known, closure has nothing to prove.
    if row.winnable && by_search.right == Some(true) {
        return [by_search, Asking { took: Duration::ZERO, right: Some(true) }];
    }
    let (by_closure, took) = timed(|| match (close(closure, &root, row.winner), by_search.right, Settings::default().more) {
        // As the product does: more memory where nothing else is known.
        (Answer::Undecided { .. }, None, Some(more)) => close(&mut Quick::new(more), &root, row.winner),
        (answer, ..) => answer,
    });
    let mut right = judged(row, &root, &by_closure);
    if let (Answer::Unwinnable { positions, .. }, Some(known)) = (&by_closure, row.closed_in()) {
        right = Some(right == Some(true) && *positions == known);
    }
    [by_search, Asking { took, right }]
}

fn quantiles(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    let at = |q: f64| times.get(((times.len() as f64 - 1.0) * q).max(0.0) as usize).copied().unwrap_or_default();
    format!("{:.1?} / {:.1?} / {:.1?}", at(0.5), at(0.99), at(1.0))
}

fn file(name: &str, most: usize) {
    let rows: Vec<Row> = rows::rows(name).into_iter().take(most).collect();
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    let ((), took) = timed(|| {
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    let mut closure = Quick::new(Limits::default());
                    while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let asked = asked(row, &mut closure);
                        if asked.iter().any(|a| a.right == Some(false)) {
                            println!("WRONG: {row:?}");
                        }
                        found.lock().expect("no thread panicked").push((row.winnable, asked));
                    }
                });
            }
        });
    });
    let found = found.into_inner().expect("no thread panicked");
    let wrong = found.iter().filter(|(_, a)| a.iter().any(|a| a.right == Some(false))).count();
    let undecided = found.iter().filter(|(_, a)| a.iter().all(|a| a.right.is_none())).count();
    let unproved = found.iter().filter(|(winnable, a)| !winnable && a[1].right.is_none()).count();
    let unwinnable = found.iter().filter(|(winnable, _)| !winnable).count();
    println!(
        "| `{name}` | {} | {wrong} | {undecided} | {unproved} of {unwinnable} | {} | {} | {:.0} s |",
        found.len(),
        quantiles(found.iter().map(|(_, a)| a[0].took).collect()),
        quantiles(found.iter().filter(|(_, a)| a[1].took > Duration::ZERO).map(|(_, a)| a[1].took).collect()),
        took.as_secs_f64(),
    );
}

/// The check after every move of these games, in this process and through a child.
fn moves(files: &[String], most: usize) {
    let games: Vec<PgnGame> = files
        .iter()
        .filter_map(|file| std::fs::read(file).map_err(|e| println!("skipped: {file}: {e}")).ok())
        .flat_map(|text| read_games(&text).expect("games of the collection are legal"))
        .take(most)
        .collect();
    if games.is_empty() {
        return;
    }
    let mut here = Vec::new();
    let mut dead = Vec::new();
    let (mut games_dead, mut proved, mut solver) = (0, 0, Solver::default());
    for game in &games {
        let before = dead.len();
        each_position(game, |position| {
            let (found, took) = timed(|| may_be_dead(position));
            here.push(took);
            if found {
                dead.push(here.len());
                let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
                let question = Question { id: 1, fen, chess960: false, winner: Winner::Either, purpose: Purpose::DeadPosition };
                proved += usize::from(solver.answer(&question).is_some_and(|v| v.answer.is_unwinnable()));
            }
        });
        games_dead += usize::from(dead.len() > before);
    }
    let mut child = Child::start(&program()).expect("our own program starts");
    let (busy, mut asked, mut dead_there) = (cpu(), 0, Vec::new());
    let ((), took) = timed(|| {
        for game in &games {
            each_position(game, |position| {
                let said = child.ask(&Asked::whether_dead(position)).and_then(|()| child.wait(Duration::from_secs(10)));
                asked += 1;
                if matches!(said, Ok(Some(Said::None))) {
                    dead_there.push(asked);
                }
            });
        }
    });
    drop(child);
    let busy = cpu().saturating_sub(busy);
    assert_eq!(dead, dead_there, "both ways give the same");
    let plies = u32::try_from(here.len()).unwrap_or(u32::MAX).max(1);
    let mean = here.iter().sum::<Duration>() / plies;
    let slow = here.iter().filter(|took| **took > Duration::from_millis(1)).count();
    println!("{} games, {plies} moves; called dead: {} positions in {games_dead} games, {proved} of them proved", games.len(), dead.len());
    println!("in this process: mean {mean:.2?}, median / 99 % / worst {}, {slow} above 1 ms", quantiles(here));
    println!("through a child: mean {:.2?} on the wall, {:.2?} of processor time on both sides", took / plies, busy / plies);
}

fn each_position(game: &PgnGame, mut each: impl FnMut(&shakmaty::Chess)) {
    let mut position = game.start.clone();
    for m in &game.moves {
        position.play_unchecked(*m);
        each(&position);
    }
}

/// Processor time of this process and of the children that have ended, from Linux's ticks of 10 ms.
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ').skip(11).take(4);
    Duration::from_millis(fields.filter_map(|ticks| ticks.parse::<u64>().ok()).sum::<u64>() * 10)
}

/// Questions that the helpmate search takes long for, with a closure too small to help: by how much a deadline of one second is missed.
fn deadlines() {
    let tiny = Limits { slots: 1 << 10, waiting: 1 << 10, order: 0 };
    let total = Duration::from_secs(1);
    let settings = Settings { first: total, total, limits: tiny, more: None };
    let mut solver = Solver::new(settings, Some(program()));
    let mut late = Vec::new();
    for row in rows::rows("hard-mutations.tsv") {
        let question = Question { id: 1, fen: row.fen, chess960: false, winner: row.winner, purpose: Purpose::FlagFall };
        late.push(timed(|| solver.answer(&question)).1.saturating_sub(total));
    }
    println!("deadline of {total:?}: missed by {} (median / 99 % / worst of {})", quantiles(late.clone()), late.len());
}

fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_flagfall"))
}

/// Whole games lost on time, asked as the daemon asks: the opponent of the flagged player, with a child process.
fn timeouts() {
    let Some(folder) = rows::folder() else { return };
    let text = std::fs::read(folder.join("timeout-games.pgn")).expect("the folder is whole");
    let games = read_games(&text).expect("games of the collection are legal");
    let mut solver = Solver::new(Settings::default(), Some(program()));
    let (mut drawn, mut most, mut times) = (0, 0, Vec::new());
    for game in &games {
        let mut position = game.start.clone();
        for m in &game.moves {
            position.play_unchecked(*m);
        }
        let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        let question = Question { id: 1, fen, chess960: false, winner: Winner::from(!position.turn()), purpose: Purpose::FlagFall };
        let (verdict, took) = timed(|| solver.answer(&question));
        times.push(took);
        match verdict.map(|v| v.answer) {
            Some(Answer::Unwinnable { positions, .. }) => (drawn, most) = (drawn + 1, positions.max(most)),
            other => println!("WRONG: {} is {other:?}", question.fen),
        }
    }
    println!("`timeout-games.pgn`: {drawn} of {} games drawn, at most {most} positions, {} a question", games.len(), quantiles(times));
}

fn main() {
    let mut args = std::env::args().skip(1).filter(|a| a != "--bench");
    let (mut files, mut scores, mut most) = (Vec::new(), Vec::new(), usize::MAX);
    while let Some(arg) = args.next() {
        let mut value = || args.next().unwrap_or_else(|| panic!("{arg} wants a value"));
        match arg.as_str() {
            "--file" => files.push(value()),
            "--moves" => scores.push(value()),
            "--most" => most = value().parse().expect("a number of rows or games"),
            other => panic!("{other} is not known; --file NAME, --moves PGN, --most N"),
        }
    }
    let all = files.is_empty() && scores.is_empty();
    if all {
        files = rows::FILES.map(String::from).to_vec();
        scores =
            ["otb-gnuchess-book.pgn", "otb-livechess-clk.pgn", "otb-underpromotions.pgn"].map(|f| format!("../shared/games/{f}")).to_vec();
    }
    if !files.is_empty() && rows::folder().is_some() {
        println!(
            "| file | rows | wrong | undecided | not closed | search, median / 99 % / worst | closure, median / 99 % / worst | in all |"
        );
        println!("|---|---|---|---|---|---|---|---|");
        for name in &files {
            file(name, most);
        }
    }
    if all {
        timeouts();
        deadlines();
    }
    moves(&scores, most);
}
