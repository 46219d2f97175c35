//! What the Debian packages are made of. The packages themselves: `tests/packages`.
use super::{file, run};
use std::fs;
use std::path::Path;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn text(path: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(path)).unwrap()
}

/// The commands that `--help` lists for `path`, with those below them, each as its words.
fn commands(path: &[&str]) -> Vec<Vec<String>> {
    let help = run(&[path, &["--help"]].concat()).1;
    let listed = help.lines().skip_while(|l| *l != "Commands:").skip(1).take_while(|l| !l.is_empty());
    let names = listed.filter(|l| l.starts_with("  ") && !l.starts_with("   ")).filter_map(|l| l.split_whitespace().next());
    let mut found = vec![path.iter().map(|&word| word.to_owned()).collect()];
    for name in names.filter(|name| *name != "help") {
        found.extend(commands(&[path, &[name]].concat()));
    }
    found
}

#[test]
fn every_command_has_its_manual_page_and_no_other_has() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(&["man", folder.path().to_str().unwrap()]).0, 0);
    let mut pages: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    pages.sort();
    let name = |words: &Vec<String>| [&[String::from("flagfall")], &words[..]].concat().join("-") + ".1";
    let mut expected: Vec<_> = commands(&[]).iter().map(name).collect();
    expected.sort();
    assert_eq!(pages, expected);
    assert!(pages.len() > 10, "{pages:?}");
    for page in pages {
        let page = fs::read_to_string(folder.path().join(&page)).unwrap();
        assert!(page.contains(".SH NAME") && page.contains(".SH SYNOPSIS"), "{page}");
    }
}

#[test]
fn completions_of_every_shell_know_every_command() {
    for shell in ["bash", "zsh", "fish"] {
        let (code, out, _) = run(&["completions", shell]);
        assert_eq!(code, 0);
        for command in commands(&[]) {
            assert!(command.iter().all(|word| out.contains(word.as_str())), "{shell}: {command:?}");
        }
    }
}

#[test]
fn the_packaged_configuration_is_the_defaults_and_its_examples_are_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let packaged = text("packaging/flagfall.toml");
    let check = |name: &str, content: &str| {
        let path = file(folder.path(), name, content);
        let (code, out, err) = run(&["check", path.to_str().unwrap()]);
        assert_eq!(code, 0, "{err}");
        out.split_once('\n').unwrap().1.to_owned()
    };
    let defaults = check("empty.toml", "");
    assert_eq!(check("packaged.toml", &packaged), defaults);
    // An example is a line that begins with `#` and no space.
    let uncommented: Vec<_> = packaged.lines().map(|l| if l.starts_with("# ") { "" } else { l.trim_start_matches('#') }).collect();
    assert_ne!(check("uncommented.toml", &uncommented.join("\n")), defaults);
}

#[test]
fn the_package_is_described_as_it_is() {
    let manifest: toml::Table = toml::from_str(&text("Cargo.toml")).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    assert!(
        text("packaging/changelog").starts_with(&format!("flagfall ({version}-1) ")),
        "packaging/changelog does not begin with {version}"
    );
    let deb = &manifest["package"]["metadata"]["deb"];
    let words = deb["extended-description"].as_str().unwrap();
    assert!(words.contains("ARMv7") && words.contains("not Pi 1"), "{words}");
    let mut packaged = 0;
    for asset in deb["assets"].as_array().unwrap() {
        let source = asset[0].as_str().unwrap();
        // What is built, and what packaging/build makes, is not there yet.
        if source.starts_with("target/") || source.contains('*') {
            continue;
        }
        assert!(Path::new(ROOT).join(source).is_file(), "{source} is packaged but is not there");
        packaged += 1;
    }
    assert!(packaged >= 3);
    for unit in deb["systemd-units"].as_array().unwrap() {
        let unit = format!("systemd/{}.service", unit["unit-name"].as_str().unwrap());
        assert!(Path::new(ROOT).join(&unit).is_file(), "{unit} is packaged but is not there");
    }
}

#[test]
fn the_shell_scripts_of_the_packages_are_well_formed() {
    for script in ["packaging/build", "packaging/third-party", "packaging/debian/postinst", "packaging/debian/postrm"] {
        let shell = if text(script).starts_with("#!/bin/sh") { "sh" } else { "bash" };
        let output = std::process::Command::new(shell).arg("-n").arg(Path::new(ROOT).join(script)).output().unwrap();
        assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
