//! The pages in a real browser: Debian's Chromium, driven through chromedriver. Where that is missing each test says on one line that it was skipped.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may, and its clocks and hands have a time of their own")]
mod archive;
mod card;
mod console;
mod demo;
mod device;
mod film;
mod hall;
mod operator;
mod page;
mod pages;
mod pictures;
mod position;
mod report;
mod ringing;
mod screens;
mod stage;
mod undo;
mod weight;
