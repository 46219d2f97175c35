//! One file a consumer.
