//! Several boards on one RS-232 line.
