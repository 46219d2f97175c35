//! The page's modules as one file: a phone on a slow network waits for one answer, not for a chain of them.
//!
//! It knows no JavaScript, only how the page's files are written: an import is one line, `import { a, b } from './x.js';`, and what is exported is
//! declared with `export` in front.
use std::collections::HashSet;
use std::fmt::Write as _;

/// `entry` and all that it imports; `read` gives a file. `None` where one is missing.
pub(crate) fn bundle(entry: &str, read: &impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut out = String::new();
    put(entry, true, read, &mut HashSet::new(), &mut out)?;
    Some(out)
}

fn put(name: &str, first: bool, read: &impl Fn(&str) -> Option<String>, known: &mut HashSet<String>, out: &mut String) -> Option<()> {
    if !known.insert(String::from(name)) {
        return Some(());
    }
    let text = read(name)?;
    let mut own = String::new();
    let mut exported = Vec::new();
    for line in text.lines() {
        if let Some((names, from)) = line.strip_prefix("import ").and_then(|rest| rest.split_once(" from './")) {
            let from = from.split('\'').next()?;
            put(from, false, read, known, out)?;
            _ = writeln!(own, "const {names} = {};", variable(from));
        } else if let Some(declared) = line.strip_prefix("export ") {
            let words = declared.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').filter(|word| !word.is_empty());
            exported
                .extend(words.skip_while(|word| ["async", "class", "const", "function", "let"].contains(word)).take(1).map(String::from));
            _ = writeln!(own, "{declared}");
        } else if !line.trim_start().starts_with("//") {
            // What is said to people who read the files needs no network.
            _ = writeln!(own, "{line}");
        }
    }
    if first {
        // It may wait at its top level: it is no function.
        out.push_str(&own);
    } else {
        _ = writeln!(out, "const {} = (() => {{\n{own}return {{ {} }};\n}})();", variable(name), exported.join(", "));
    }
    Some(())
}

fn variable(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    format!("from_{plain}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_become_one_file_each_once_and_before_whoever_needs_it() {
        let read = |name: &str| {
            Some(String::from(match name {
                "main.js" => "import { b } from './b.js';\nimport { a, A } from './a.js';\nawait b(a, A);",
                "b.js" => "import { a } from './a.js';\nconst own = 1;\nexport async function b() {\n  return a + own;\n}",
                "a.js" => "// Says a.\nexport const a = 1;\nexport class A {}",
                _ => return None,
            }))
        };
        let made = "const from_a_js = (() => {\nconst a = 1;\nclass A {}\nreturn { a, A };\n})();\n\
            const from_b_js = (() => {\nconst { a } = from_a_js;\nconst own = 1;\nasync function b() {\n  return a + own;\n}\nreturn { b };\n})();\n\
            const { b } = from_b_js;\nconst { a, A } = from_a_js;\nawait b(a, A);\n";
        assert_eq!(bundle("main.js", &read).as_deref(), Some(made));
        assert_eq!(bundle("c.js", &read), None);
    }
}
