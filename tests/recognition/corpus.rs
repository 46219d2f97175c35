//! The fuzz target's committed corpus, replayed by its own body; needs neither cargo-fuzz nor a C++ compiler.
#[path = "../fuzz/bodies.rs"]
mod bodies;

#[test]
fn placements_corpus() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fuzz/corpus/placements");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the corpus is committed").map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    assert!(files.len() >= 5, "{folder} has only {} files", files.len());
    for file in files {
        // The name is printed by a failing test only.
        println!("{}", file.display());
        bodies::placements(&std::fs::read(file).expect("readable"), |call| call());
    }
}
