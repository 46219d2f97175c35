//! How a Bluetooth LE board is known, and how it is written to.
/// The Nordic UART service, which these boards advertise; boards of other makers use the same one.
pub const SERVICE: &str = "6e400001-b5a3-f393-e0a9-e50e24dcca9e";
/// The host writes here, with or without response.
pub const HOST_WRITES: &str = "6e400002-b5a3-f393-e0a9-e50e24dcca9e";
/// The board notifies here.
pub const BOARD_NOTIFIES: &str = "6e400003-b5a3-f393-e0a9-e50e24dcca9e";
/// A write of so many bytes fits whatever the link has agreed on.
pub const WRITE_MAX: usize = 20;
/// The main version number of a board that speaks this dialect.
pub const MAIN_VERSION: u8 = 1;
