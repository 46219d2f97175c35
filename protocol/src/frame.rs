//! Bytes in any portions become messages; resynchronises on damage.
