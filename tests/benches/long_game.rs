//! A long game by human hands at 7200+30, with a clock message every second.
use flagfall_simulator::games::read_games;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::{Options, Stream, stream as simulated};

/// Chandler - Karpov, Reykjavik 1991, from Debian's source package gnuchess-book 1.02 (public domain).
const GAME: &[u8] = b"[Result \"1/2-1/2\"]

1.e4 e5 2.Nf3 Nc6 3.Nc3 Nf6 4.Bb5 Bb4 5.O-O O-O 6.d3 d6 7.Bg5 Bxc3 8.bxc3 Bd7 9.Rb1 a6 10.Ba4 Rb8 11.Bb3 h6 12.Bh4 Qe7 13.Re1 Na5
14.d4 Rbd8 15.h3 Kh7 16.Qc1 Nxb3 17.axb3 Bc8 18.Qe3 b6 19.c4 Rde8 20.b4 Rg8 21.dxe5 dxe5 22.Bg3 Nd7 23.Red1 f6 24.Nh4 Qf7 25.Rb3 Nb8
26.c5 b5 27.Rbd3 Nc6 28.c3 a5 29.bxa5 Nxa5 30.c6 Nxc6 31.Rd5 b4 32.Rc5 Nb8 33.cxb4 Na6 34.Rc3 Nxb4 35.Qa7 Na6 36.Ra1 Re6 37.f3 Qd7
38.Bf2 Rc6 39.Rxc6 Qxc6 40.Nf5 Re8 41.Ne3 Qb7 42.Nd5 Qxa7 43.Bxa7 Bb7 44.Rc1 Bxd5 45.exd5 Rd8 46.Rc6 Nb4 47.Rxc7 Rxd5 48.Rb7 Nc6
49.Be3 Nd8 50.Rb2 Ne6 51.Rd2 Rb5 52.Kf2 Kg6 53.Rd6 Rb2+ 54.Rd2 Rb4 55.Ra2 h5 56.Re2 h4 57.Rd2 Kf5 58.Rc2 Nf4 59.Bd2 Ra4 60.Kf1 Nh5
61.Kf2 Ng3 62.Be1 Ke6 63.Rb2 Nf5 64.Rb6+ Kd7 65.Rb2 Kc6 66.Rc2+ Kd5 67.Rd2+ Nd4 68.Rb2 Kc4 69.Kf1 Ra1 70.Kf2 f5 71.Bb4 Ne6 72.Bd2 Kd3
73.Be1 Nd4 74.Rd2+ Kc4 75.Rb2 e4 76.fxe4 fxe4 77.Bd2 Kd3 78.Bf4 Ra3 79.Rd2+ Kc4 80.Rb2 Nf5 81.Rc2+ Kd4 82.Rd2+ Kc3 83.Re2 Ra4 84.Re1
Ra2+ 85.Kf1 Kd3 86.Rd1+ Kc4 87.Rc1+ Kd5 88.Rd1+ Ke6 89.Re1 Ra4 90.Kf2 Kf6 91.Re2 g5 92.Bc1 Rc4 93.Re1 Rc2+ 94.Kg1 Ng3 95.Be3 Kg6
96.Bf2 Kf5 97.Be3 Ne2+ 98.Kf1 Nf4 99.Ra1 Nxg2 100.Ra5+ Ke6 101.Ra6+ Kd5 102.Ra5+ Kc4 103.Ra4+ Kc3 104.Bxg5 e3 105.Bf6+ Kb3 106.Re4
Rf2+ 107.Kg1 Rxf6 108.Kxg2 Rf2+ 109.Kg1 Rf3 110.Kg2 Rg3+ 111.Kf1 Rxh3 112.Ke2 Ka2 113.Rb4 Ka3 114.Re4 Kb3 115.Rf4 Rh1 116.Kxe3 h3
117.Kf2 Kc2 118.Kg3 Kd3 119.Rh4 1/2-1/2
";
const CONTROL: &str = "7200+30";
const SEED: u64 = 4;

/// Players who think so many times as fast as the simulator's usual ones; nobody's flag falls.
pub(crate) fn stream(speed: f64) -> Stream {
    let game = read_games(GAME).expect("the game is legal").remove(0);
    let control = CONTROL.parse().expect("a literal time control is well formed");
    simulated(&game, &Options { speed, control: Some(control), ..Options::new(Kind::Human, SEED) })
}
