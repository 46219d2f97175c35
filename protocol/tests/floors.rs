//! No module imports one that stands on it: the floors of the crate, lowest first, as `README.md` has them.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::fs;
use std::path::Path;

const FLOORS: [&str; 11] = ["frame", "square", "parse", "assembler", "pegasus", "clock", "memory", "message", "command", "receiver", "bus"];

fn check(folder: &Path, floor: Option<usize>, wrong: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let floor = floor.or_else(|| FLOORS.iter().position(|name| *name == stem));
        if path.is_dir() {
            check(&path, floor, wrong);
            continue;
        }
        if stem == "lib" {
            continue;
        }
        let Some(floor) = floor else { panic!("{} stands on no floor", path.display()) };
        let text = fs::read_to_string(&path).unwrap();
        let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
        for (number, line) in code.enumerate() {
            let named = line.split("crate::").skip(1).filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next());
            for name in named {
                let on = FLOORS.iter().position(|known| *known == name);
                assert!(on.is_some(), "{}:{}: a group of modules is not read here", path.display(), number + 1);
                if on > Some(floor) {
                    wrong.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
                }
            }
        }
    }
}

#[test]
fn modules_import_only_what_stands_below_them() {
    let mut wrong = Vec::new();
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), None, &mut wrong);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
