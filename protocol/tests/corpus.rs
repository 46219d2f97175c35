//! The fuzz targets' committed corpus, replayed by their own bodies; needs neither cargo-fuzz nor a C++ compiler.
#[path = "../fuzz/bodies.rs"]
mod bodies;

fn replay(target: &str, body: impl Fn(&[u8])) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus/").to_owned() + target;
    let mut files: Vec<_> =
        std::fs::read_dir(&folder).expect("the corpus is committed").map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    assert!(files.len() >= 5, "{folder} has only {} files", files.len());
    for file in files {
        // The name is printed by a failing test only.
        println!("{}", file.display());
        body(&std::fs::read(file).expect("readable"));
    }
}

#[test]
fn decoder_corpus() {
    replay("decoder", bodies::decoder);
}

#[test]
fn commands_corpus() {
    replay("commands", bodies::commands);
}

#[test]
fn memory_and_bus_corpus() {
    replay("memory_and_bus", bodies::memory_and_bus);
}

#[test]
fn pegasus_corpus() {
    replay("pegasus", bodies::pegasus);
}
