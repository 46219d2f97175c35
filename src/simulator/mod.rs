//! A board and a clock on a pty, played from a PGN.
