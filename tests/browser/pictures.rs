//! Pictures of the page for people, in `target/pictures`. Asserts only that the page came up.
use super::stage::{Browser, Hall, Screen};
use serde_json::json;

const ITALIAN: &str = "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6 O-O O-O Re1 a6 Bb3 Ba7 h3 h6 Nbd2 Re8 Nf1 Be6 Bc2 d5 exd5 Bxd5 Ng3";
const GRUENFELD: &str = "d4 Nf6 c4 g6 Nc3 d5 cxd5 Nxd5 e4 Nxc3 bxc3 Bg7 Bc4 c5 Ne2 Nc6 Be3 O-O O-O Bg4 f3 Na5 Bd3 cxd4 cxd4 Be6";
const MATE: &str = "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#";
const ENDING: &str = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3 e5 Nb3 Be6 f3 Be7 Qd2 O-O O-O-O Nbd7 g4 b5 g5 b4 Ne2 Ne8 f4 a5 f5 a4 Nbd4 exd4 \
    Nxd4 b3 Kb1 bxc2+ Nxc2 Bb3 axb3 axb3 Na3";

pub(super) fn full_hall(hall: &mut Hall) {
    hall.begin("1", "standard", "40/5400+30:1800+30");
    hall.players("1", "Lindqvist, Maja", "Okonkwo, Daniel");
    hall.play("1", ITALIAN, 5400, 5400);
    hall.begin("2", "blitz", "180+2");
    hall.players("2", "Вишневская, Анна", "Bartholomäus-Hohenstein, Maximilian");
    hall.play("2", GRUENFELD, 260, 240);
    hall.make("2", "d4d5");
    hall.begin("3", "blitz", "180+2");
    hall.play("3", MATE, 180, 180);
    hall.clock("3", 158, 162, None, "device");
    hall.tell("3", json!({"type": "result", "result": "1-0", "reason": "checkmate", "source": "position"}));
    hall.begin("4", "rapid", "900+10");
    hall.play("4", ENDING, 900, 900);
    hall.clock("4", 700, 690, Some("black"), "estimate");
    hall.begin("5", "standard", "5400+30");
    hall.play("5", "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7", 5400, 5400);
    hall.tell("5", json!({"type": "link", "state": "down"}));
    hall.begin("6", "standard", "5400+30");
    hall.tell("6", json!({"type": "placement", "placement": "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR", "settled": true}));
    hall.clock("6", 5400, 5400, Some("white"), "device");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn pictures_for_people() {
    for (screen, size) in [(Screen::Desktop, "desktop"), (Screen::Phone, "phone")] {
        for (dark, shade) in [(false, "light"), (true, "dark")] {
            let Some(browser) = Browser::start("pictures_for_people", screen, dark).await else { return };
            let mut hall = Hall::open().await;
            full_hall(&mut hall);
            browser.goto(&hall.url("/")).await.unwrap();
            browser.wait_for("[data-board='6']").await;
            browser.picture(&format!("all-{size}-{shade}")).await;
            browser.goto(&hall.url("/#2")).await.unwrap();
            browser.wait_for(".move.made").await;
            browser.picture(&format!("one-{size}-{shade}")).await;
            browser.goto(&hall.url("/?lang=ru#4")).await.unwrap();
            browser.wait_for(".move[aria-current]").await;
            browser.ask("document.querySelector('[data-ply=\"24\"]').click();").await;
            browser.picture(&format!("leafing-{size}-{shade}")).await;
            browser.end().await;
        }
    }
}
