//! `flagfall laws`: both languages, every format, one edition or all.
use super::run;
use serde_json::Value;

#[test]
fn one_edition_is_printed_in_either_language() {
    let (code, out, _) = run(&["laws", "--rules", "russia-1.16", "--lang", "ru"]);
    assert_eq!(code, 0);
    assert!(out.contains("1.16.3 (russia-1.16)") && out.contains("замечание"), "{out}");
    assert!(!out.contains("fide-"), "{out}");
    let (_, out, _) = run(&["laws", "--rules", "russia-1.16"]);
    assert!(out.contains("first: remark; second: warning; third: loss"), "{out}");
}

#[test]
fn json_has_every_row_in_both_languages() {
    let (code, out, _) = run(&["laws", "--format", "json"]);
    assert_eq!(code, 0);
    let rows: Vec<Value> = serde_json::from_str(&out).unwrap();
    for article in ["6.2.1.2", "7.5.5", "9.2", "III.3.1", "6.13", "1.16.8"] {
        assert!(rows.iter().any(|row| row["article"] == article), "{article}");
    }
    assert!(rows.iter().all(|row| row["sensors"]["en"].is_string() && row["flagfall"]["ru"].is_string() && row["standing"][0].is_string()));
}

#[test]
fn markdown_is_what_the_document_holds() {
    let document = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/laws.md")).unwrap();
    for lang in ["en", "ru"] {
        let (_, out, _) = run(&["laws", "--format", "markdown", "--lang", lang]);
        assert!(document.contains(&out), "{lang}");
    }
}

#[test]
fn an_edition_that_does_not_exist_is_a_mistake_of_usage() {
    let (code, _, err) = run(&["laws", "--rules", "fide-2099"]);
    assert_eq!(code, 64);
    assert!(err.contains("fide-2099") && err.contains("russia-1.16"), "{err}");
}
