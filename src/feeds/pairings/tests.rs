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
    assert!(wrong("012 A report\n001    1")[0].1.contains("event.players"));
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
    let mut players = 0;
    for file in files.filter_map(Result::ok).map(|f| f.path()).filter(|p| p.extension().is_some_and(|e| e == "trf")) {
        let bytes = std::fs::read(&file).unwrap();
        let lines = text(&bytes).lines().filter(|l| l.starts_with("001")).count();
        let report = trf::read(&bytes).unwrap_or_else(|m| panic!("{}: {m:?}", file.display()));
        assert_eq!(report.players.len(), lines, "{}", file.display());
        assert!(report.name.is_some(), "{}", file.display());
        players += lines;
    }
    assert!(players > 500, "{players}");
}
