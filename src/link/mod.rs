//! open -> run -> hang-up -> back off -> reopen.
