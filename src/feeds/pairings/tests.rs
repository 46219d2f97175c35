use super::list::text;
use super::*;
use crate::players::Player;
use flagfall_events::GameResult;

fn ok(text: &str) -> List {
    read(text.as_bytes()).unwrap()
}

fn seats(list: &List) -> Vec<(Option<u32>, &str, String, String)> {
    let name = |p: &Option<Player>| p.as_ref().map_or_else(String::new, Player::pgn_name);
    list.pairings.iter().map(|p| (p.round, p.label.as_str(), name(&p.white), name(&p.black))).collect()
}

fn wrong(text: &str) -> Vec<(usize, String)> {
    read(text.as_bytes()).unwrap_err().into_iter().map(|m| (m.line, m.text)).collect()
}

#[test]
fn csv_as_people_and_spreadsheets_write_it() {
    let plain = ok("board,white,black\n1,\"Adams, Mary\",Clark\n2,Baker,\"Davis, Jo Ann\"\n");
    let wanted = [(None, "1", "Adams, Mary".into(), "Clark".into()), (None, "2", "Baker".into(), "Davis, Jo Ann".into())];
    assert_eq!(seats(&plain), wanted);
    for other in [
        "\u{feff}Board;White;Black;Result\r\n2;Baker;Davis, Jo Ann;\r\n1;Adams, Mary;Clark;\r\n;;;\r\n",
        "White\tBlack\tTable\nBaker\tDavis, Jo Ann\t02\nAdams, Mary\tClark\t01",
        "board , white , black\n\n1 , \"Adams, Mary\" , Clark\n2, Baker , \"Davis, Jo Ann\"",
    ] {
        assert_eq!(seats(&ok(other)), wanted, "{other}");
    }
}

#[test]
fn csv_with_everything_else_in_columns_of_its_own() {
    let list = ok(
        "round,board,white,black,white title,white_elo,White-FideId,white fed,result,date,team\n3,7,Adams,Clark,gm,2500,400017,eng,1-0,21.11.2026,x\n",
    );
    let p = &list.pairings[0];
    let white = p.white.as_ref().unwrap();
    assert_eq!(
        (white.title.as_deref(), white.elo, white.fideid, white.federation.as_deref()),
        (Some("GM"), Some(2500), Some(400_017), Some("ENG"))
    );
    assert_eq!((p.round, p.result, p.date.as_deref()), (Some(3), GameResult::WhiteWins, Some("2026-11-21")));
}

#[test]
fn mistakes_in_csv_have_their_lines_and_all_come_at_once() {
    let found = wrong("board,white,black\n1,Adams, Mary,Clark\n,Baker,Davis\n2,Evans,Frank\n2,Ghosh,Hill\n");
    assert_eq!(found.iter().map(|m| m.0).collect::<Vec<_>>(), [2, 3], "{found:?}");
    assert!(found[0].1.contains("in quotes"), "{found:?}");
    let found = wrong("board,white,black\n1,Adams,Clark\n1,Evans,Frank\n3,Clark,Hill\n");
    assert_eq!(found.iter().map(|m| m.0).collect::<Vec<_>>(), [3, 4], "{found:?}");
    assert!(wrong("table,white\n")[0].1.contains("no column black"));
    assert!(wrong("")[0].1.contains("empty"));
    assert!(wrong("012 A report\n001    1      Adams")[0].1.contains("event.players"));
    assert!(wrong("<!DOCTYPE html>")[0].1.contains("web page"));
    assert!(wrong("board,white,black\n")[0].1.contains("no pairing"));
}

#[test]
fn a_bye_is_no_game_and_a_short_name_is_noted() {
    let list = ok("board,white,black\n1,Adams,Clark\n2,Baker,BYE\n3,A,\n");
    assert_eq!(seats(&list)[1], (None, "3", String::new(), String::new()));
    assert_eq!(list.pairings.len(), 2);
    assert_eq!((list.notes.len(), list.notes[0].line), (1, 4));
}

#[test]
fn pgn_lists_seat_by_round_board_or_table() {
    let list = ok(
        "[Event \"Open\"]\n[Site \"Sotra, Norway\"]\n[Date \"2026.11.21\"]\n[Round \"2.1\"]\n[White \"Adams, Mary\"]\n[Black \"Clark\"]\n[Result \"*\"]\n[WhiteElo \"2100\"]\n\n*\n\n\
                   [Event \"Open\"]\n[Round \"2.10\"]\n[White \"Ivers\"]\n[Black \"Jones\"]\n[Result \"1/2-1/2\"]\n\n1/2-1/2\n\n\
                   [Event \"Open\"]\n[Round \"2\"]\n[Board \"2\"]\n[White \"Baker\"]\n[Black \"Davis\"]\n[Result \"*\"]\n\n*\n\n\
                   [Event \"Open\"]\n[Round \"2\"]\n[Table \"03\"]\n[White \"Evans\"]\n[Black \"Frank\"]\n\n{ a comment\n[White \"nobody\"] } *\n",
    );
    assert_eq!((list.event.as_deref(), list.site.as_deref()), (Some("Open"), Some("Sotra, Norway")));
    assert_eq!(
        seats(&list).iter().map(|s| (s.0, s.1)).collect::<Vec<_>>(),
        [(Some(2), "1"), (Some(2), "2"), (Some(2), "3"), (Some(2), "10")]
    );
    assert_eq!(list.pairings[0].white.as_ref().unwrap().elo, Some(2100));
    assert_eq!(list.pairings[3].result, GameResult::Draw);
    assert_eq!(list.pairings[0].date.as_deref(), Some("2026-11-21"));
}

#[test]
fn pgn_lists_without_blank_lines_and_without_rounds_are_read_by_order() {
    let list = ok("[Event \"E\"]\n[White \"Adams\"]\n[Black \"Clark\"]\n[Event \"E\"]\n[White \"Baker\"]\n[Black \"Davis\"]\n");
    assert_eq!(seats(&list).iter().map(|s| (s.0, s.1, s.2.as_str())).collect::<Vec<_>>(), [(None, "1", "Adams"), (None, "2", "Baker")]);
}

#[test]
fn mistakes_in_pgn_have_their_lines() {
    let found = wrong("[Event \"E\"]\n[Round \"last\"]\n[White \"Adams\"]\n[Black Clark]\n");
    assert_eq!(found.iter().map(|m| m.0).collect::<Vec<_>>(), [4, 1], "{found:?}");
}

#[test]
fn reports_name_players_by_number_or_name() {
    let text = "### a comment\r012 Club Cup\r022 Bergen\r122 90 min + 30 s\r142 5\r222 5400+30\r\
                001    1 wWIM Polgar, Judith                    2735 HUN 735463       1976/07/23 3.5    2     1 b 0\r\
                001    2 m  g Vasquez,Rodrigo                   2558 CHI     3400042 1969.12.06\rXYZ what\r\r001    3      Short line";
    let report = trf::read(text.as_bytes()).unwrap();
    assert_eq!((report.name.as_deref(), report.city.as_deref(), report.rounds), (Some("Club Cup"), Some("Bergen"), Some(5)));
    assert_eq!(report.control.as_ref().map(ToString::to_string).as_deref(), Some("5400+30"));
    assert_eq!(report.players.len(), 3);
    let found = report.find(&Player::named("Judith Polgar").unwrap()).unwrap();
    assert_eq!(
        (found.title.as_deref(), found.fideid, found.gender.as_deref(), found.elo),
        (Some("WIM"), Some(735_463), Some("F"), Some(2735))
    );
    let by_id = Player { fideid: Some(3_400_042), ..Player::named("R. Vasquez").unwrap() };
    assert_eq!(report.find(&by_id).unwrap().title.as_deref(), Some("GM"));
    assert_eq!(report.find(&Player { fideid: Some(1), ..Player::named("Polgar, Judith").unwrap() }), None);
    assert_eq!(trf::read(b"012 nobody\n").unwrap_err()[0].line, 1);
    assert_eq!(trf::read(b"012 x\n001    1\n").unwrap_err()[0].line, 2);
}

#[test]
fn genuine_reports_are_read() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/samples/trf");
    let Ok(files) = std::fs::read_dir(&folder) else {
        println!("skipped: tournament reports: {} is missing", folder.display());
        return;
    };
    let (mut players, mut teams) = (0, 0);
    for file in files.filter_map(Result::ok).map(|f| f.path()).filter(|p| p.extension().is_some_and(|e| e == "trf")) {
        let bytes = std::fs::read(&file).unwrap();
        let lines = text(&bytes).lines().filter(|l| l.starts_with("001")).count();
        let report = trf::read(&bytes).unwrap_or_else(|m| panic!("{}: {m:?}", file.display()));
        assert_eq!(report.players.len(), lines, "{}", file.display());
        assert!(report.name.is_some(), "{}", file.display());
        players += lines;
        teams += report.players.iter().filter(|player| player.team.is_some()).count();
    }
    assert!(players > 500 && teams > 240, "{players} {teams}");
}

#[test]
fn team_matches_are_told_by_match_and_board_however_they_are_written() {
    let wanted = ["1.1", "1.2", "2.1", "2.2"];
    let labels = |text: &str| ok(text).pairings.iter().map(|p| p.label.clone()).collect::<Vec<_>>();
    let names = [("Adams", "Clark"), ("Baker", "Davis"), ("Evans", "Frank"), ("Ghosh", "Hill")];
    let csv = |head: &str, cells: [&str; 4]| {
        let teams = [("A", "B"), ("B", "A"), ("C", "D"), ("D", "C")];
        let rows =
            cells.iter().zip(names).zip(teams).map(|((cell, (white, black)), (one, two))| format!("{cell};{white};{black};{one};{two}\n"));
        format!("{head};white;black;whiteteam;blackteam\n") + &rows.collect::<String>()
    };
    assert_eq!(labels(&csv("board", wanted)), wanted);
    assert_eq!(labels(&csv("board", ["1-1", "1-2", "2-1", "2-2"])), wanted);
    assert_eq!(labels(&csv("match;board", ["1;1", "1;2", "2;1", "2;2"])), wanted);
    // Board numbers that begin anew: matches in the order of the list, whichever team has White.
    let anew = csv("board", ["1", "2", "1", "2"]);
    assert_eq!(labels(&anew), wanted);
    assert!(ok(&anew).remarks[0].text.contains("the 2 matches"), "{:?}", ok(&anew).remarks);
    let pgn = |tags: [&str; 4]| {
        let game = |(tags, (white, black)): (&str, (&str, &str))| {
            format!("[Event \"E\"]\n{tags}\n[White \"{white}\"]\n[Black \"{black}\"]\n[WhiteTeam \"T\"]\n\n*\n\n")
        };
        tags.into_iter().zip(names).map(game).collect::<String>()
    };
    let round = |rest: &str| format!("[Round \"3.{rest}\"]");
    assert_eq!(labels(&pgn([&round("1.1"), &round("1.2"), &round("2.1"), &round("2.2")])), wanted);
    let shared =
        ["1", "1", "2", "2"].map(round).into_iter().zip(["1", "2", "1", "2"]).map(|(round, board)| format!("{round}\n[Board \"{board}\"]"));
    let shared: Vec<String> = shared.collect();
    assert_eq!(labels(&pgn([&shared[0], &shared[1], &shared[2], &shared[3]])), wanted);
    let list = ok(&pgn([&round("1.1"), &round("1.2"), &round("2.1"), &round("2.2")]));
    assert_eq!(list.pairings[0].white.as_ref().unwrap().team.as_deref(), Some("T"));
    // A single event: what follows the round is the board, whatever `Board` says too.
    assert_eq!(labels("[Round \"1.7\"]\n[Board \"7\"]\n[White \"Adams\"]\n[Black \"Clark\"]\n"), ["7"]);
}

#[test]
fn byes_and_forfeits_are_no_games() {
    let list = ok(
        "board,white,black,result\n1,Adams,Clark,+--\n2,Baker,Davis,- +\n3,Evans,Frank,0-0\n4,Ghosh,Hill,\n,Ivers,bye\n5,(not paired),Jones\n6,bye,bye\n",
    );
    let outcomes: Vec<_> = list.pairings.iter().map(|p| (p.label.as_str(), p.result, p.forfeit)).collect();
    let wanted = [
        ("1", GameResult::WhiteWins, true),
        ("2", GameResult::BlackWins, true),
        ("3", GameResult::Open, true),
        ("4", GameResult::Open, false),
    ];
    assert_eq!(outcomes, wanted);
    assert_eq!(
        list.byes.iter().map(|bye| (bye.player.pgn_name(), bye.line)).collect::<Vec<_>>(),
        [("Ivers".into(), 6), ("Jones".into(), 7)]
    );
    assert_eq!(list.notes, []);
}

#[test]
fn doubtful_fields_are_named_with_their_line() {
    let list = ok(
        "board,white,black,whiteelo,blackfideid,result,date,club\n1,Adams,Clark,many,12a,won,soon,x\n2,Baker,,0,-,,,\n3,Board 3 White,Board 3 Black,,,,,\n",
    );
    let notes: Vec<(usize, &str)> = list.notes.iter().map(|note| (note.line, note.text.as_str())).collect();
    let words = [(2, "no rating of Adams"), (2, "no FIDE number of Clark"), (2, "no result"), (2, "no day"), (3, "Black has no name")];
    assert_eq!(notes.len(), words.len(), "{notes:?}");
    for ((line, text), (wanted, word)) in notes.iter().zip(words) {
        assert!(*line == wanted && text.contains(word), "{line} {text}");
    }
    assert!(list.remarks[0].text.contains("club"));
    assert_eq!(seats(&list)[2], (None, "3", String::new(), String::new()), "our own stopgap is no name");
}

#[test]
fn reports_say_who_plays_for_which_team() {
    let head = "012 Cup\n001    1      Adams, Mary\n001    2      Baker, Jo\n001    3      Clark, Al\n";
    let old = format!("{head}013 Rooks United                       1    3\n");
    let new = format!(
        "{head}310   1 Rooks United                    ROO   2793      4.0    7.5   1     1    3\n310   2 Bishops                         BIS   2793      4.0    7.5   1     2\n"
    );
    let teams = |text: &str| trf::read(text.as_bytes()).unwrap().players.into_iter().map(|p| p.team).collect::<Vec<_>>();
    let rooks = Some(String::from("Rooks United"));
    assert_eq!(teams(&old), [rooks.clone(), None, rooks.clone()]);
    assert_eq!(teams(&new), [rooks.clone(), Some(String::from("Bishops")), rooks]);
}

#[test]
fn json_as_programs_post_it() {
    let list = ok(r#"{"event": "Open", "round": 3, "pairings": [
            {"board": 2, "white": "Baker", "black": {"name": "Davis, Jo", "elo": 2100, "fideid": "400017", "team": "Rooks"}, "result": null},
            {"match": 1, "board": "1", "white": {"name": "Adams"}, "black": {"name": "Clark"}, "result": "1-0"},
            {"white": "Evans", "black": "bye"}]}"#);
    assert_eq!(
        list.pairings.iter().map(|p| (p.round, p.label.as_str(), p.line)).collect::<Vec<_>>(),
        [(Some(3), "1.1", 3), (Some(3), "2", 2)]
    );
    let davis = list.pairings[1].black.as_ref().unwrap();
    assert_eq!((davis.elo, davis.fideid, davis.team.as_deref()), (Some(2100), Some(400_017), Some("Rooks")));
    assert_eq!((list.byes.len(), list.event.as_deref(), list.notes.len()), (1, Some("Open"), 0));
    let found = wrong("{\"pairings\": [\n{\"white\": \"Adams\"},\n{\"board\": 1, \"white\": 7}]}");
    assert_eq!(found.iter().map(|m| m.0).collect::<Vec<_>>(), [2, 3], "{found:?}");
    assert!(wrong("{\"games\": []}")[0].1.contains("missing field `pairings`"));
}

/// `number  name  opponent colour result` of each round.
fn report_line(rank: usize, name: &str, cells: &[&str]) -> String {
    let head = format!("001 {rank:>4} {:>4} {name:<33} {:>4} {:>3} {:>11} {:>10} {:>4} {:>4}  ", "", "", "", "", "", "", "");
    let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>8}")).collect();
    head + &cells.join("  ") + "\n"
}

#[test]
fn a_report_pairs_in_the_order_in_which_rounds_are_published() {
    let text = String::from("012 Open\n")
        + &report_line(1, "Adams", &["4 w 0", "2 b  "])
        + &report_line(2, "Baker", &["5 b 1", "1 w  "])
        + &report_line(3, "Clark", &["0000 - H", "4 w  "])
        + &report_line(4, "Davis", &["1 b 1", "3 b  "])
        + &report_line(5, "Evans", &["2 w 0", "0000 - U"]);
    let list = ok(&text);
    let wanted = [(1, "1", "Adams", "Davis"), (1, "2", "Evans", "Baker"), (2, "1", "Clark", "Davis"), (2, "2", "Baker", "Adams")];
    let found = seats(&list);
    let found: Vec<_> = found.iter().map(|(round, label, white, black)| (round.unwrap(), *label, white.as_str(), black.as_str())).collect();
    assert_eq!(found, wanted, "Davis and Clark have a point and a half together, Baker and Adams one");
    assert_eq!(
        list.byes.iter().map(|bye| (bye.round, bye.player.pgn_name())).collect::<Vec<_>>(),
        [(Some(1), "Clark".into()), (Some(2), "Evans".into())]
    );
    assert_eq!(list.pairings[0].result, GameResult::BlackWins);
    assert!(list.remarks[0].text.contains("no board numbers"));
    assert!(wrong(&(text + "013 Rooks                               1    2\n"))[0].1.contains("team event"));
}

/// `LISTS=100000 cargo test -p flagfall-feeds lists_that_were_damaged -- --show-output` is the whole measurement.
#[test]
fn lists_that_were_damaged_are_read_or_refused_with_a_line() {
    use rand::{Rng as _, SeedableRng as _};
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(7);
    let good = [
        "board,white,black,whiteelo,whiteteam,blackteam,result\n1.1,\"Adams, Mary\",Clark,2100,A,B,1-0\n1.2,Baker,bye,,B,A,\n2.1,Evans,Frank,,C,D,- -\n",
        "\u{feff}Доска;Белые;Чёрные;Тур\r\n1;Иванов, Иван;Петров;3\r\n2;Сидоров;пропуск;3\r\n",
        "[Event \"E\"]\n[Round \"3.1.2\"]\n[White \"Adams, Mary\"]\n[Black \"Clark\"]\n[WhiteTeam \"A\"]\n\n1. e4 { [White } *\n\n[Event \"E\"]\n[Round \"3.2\"]\n[Board \"1\"]\n",
        "{\"round\": 3, \"pairings\": [{\"board\": \"3.2\", \"white\": {\"name\": \"Adams\", \"elo\": 2000}, \"black\": \"Clark\"}]}",
        "012 Cup\n132                                                                                        26/11/21\n001    1 mGM  Adams, Mary                       2735 HUN      735463 1976/07/23 3.5    2     2 b 0\n001    2      Clark                                                                        1 w 1\n013 Rooks                               1    2\n",
    ];
    let count: usize = std::env::var("LISTS").map_or(4000, |n| n.parse().unwrap());
    let (mut read_well, mut refused) = (0, 0);
    for i in 0..count {
        let mut bytes = good[i % good.len()].as_bytes().to_vec();
        for _ in 0..rng.random_range(0..6) {
            let at = rng.random_range(0..=bytes.len());
            match rng.random_range(0..5) {
                0 => bytes.truncate(at),
                1 => bytes.insert(at, rng.random()),
                2 if at < bytes.len() => bytes[at] = *b"\"\n\r,;.[]{}0-\t \xff".get(rng.random_range(0..16)).unwrap_or(&0),
                3 => {
                    let other = good[rng.random_range(0..good.len())].as_bytes();
                    let from = rng.random_range(0..other.len());
                    bytes.splice(at..at, other[from..].iter().copied());
                }
                _ if at < bytes.len() => _ = bytes.remove(at),
                _ => {}
            }
        }
        let lines = 1 + bytes.iter().filter(|b| matches!(b, b'\n' | b'\r')).count();
        match read(&bytes) {
            Ok(list) => {
                read_well += 1;
                let mut labels: Vec<_> = list.pairings.iter().map(|p| (p.round, p.label.to_lowercase())).collect();
                labels.sort();
                labels.dedup();
                assert_eq!(labels.len(), list.pairings.len(), "each board once");
                assert!(list.pairings.iter().all(|p| !p.label.is_empty() && (1..=lines).contains(&p.line)));
                assert!(list.notes.iter().chain(&list.remarks).all(|note| (1..=lines).contains(&note.line) && !note.text.is_empty()));
            }
            Err(mistakes) => {
                refused += 1;
                assert!(!mistakes.is_empty());
                assert!(mistakes.iter().all(|m| (1..=lines).contains(&m.line)), "{lines} {mistakes:?} {}", String::from_utf8_lossy(&bytes));
            }
        }
        let _ = trf::read(&bytes);
    }
    println!("{count} damaged lists: {read_well} read, {refused} refused");
    assert!(read_well > count / 10 && refused > count / 10, "{read_well} {refused}");
}
