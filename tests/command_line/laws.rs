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

#[test]
fn an_article_is_printed_with_what_is_below_it_and_a_key_with_all_that_leads_to_it() {
    let articles = |args: &[&str]| -> Vec<String> {
        let (code, out, err) = run(&[&["laws", "--format", "json"], args].concat());
        assert_eq!(code, 0, "{err}");
        let rows: Vec<Value> = serde_json::from_str(&out).unwrap();
        rows.iter().map(|row| row["article"].as_str().unwrap().to_owned()).collect()
    };
    let of_75 = articles(&["7.5"]);
    assert!(of_75.len() > 3 && of_75.iter().all(|article| article == "7.5" || article.starts_with("7.5.")), "{of_75:?}");
    let illegal = articles(&["illegal-move", "--rules", "fide-2023"]);
    assert!(illegal.iter().any(|article| article.starts_with("7.5.")) && illegal.len() < 10, "{illegal:?}");
    let (code, out, _) = run(&["laws", "6.2.1.2", "--format", "markdown"]);
    assert!(code == 0 && out.trim_start().starts_with("### Article 6.2.1.2"), "{out}");
    let (code, _, err) = run(&["laws", "7.55"]);
    assert!(code == 64 && err.contains("7.55"), "{code} {err}");
}
