//! `#[derive(Fail)]` for an enumeration whose variants say `#[fail(display = "TEXT", FIELD…)]`: all that `chess` takes from `failure`.
use proc_macro::{Delimiter, TokenStream, TokenTree};

/// [`Display`](std::fmt::Display) and [`Error`](std::error::Error) by the variants' own texts.
#[proc_macro_derive(Fail, attributes(fail))]
pub fn fail(input: TokenStream) -> TokenStream {
    implemented(input)
        .unwrap_or_else(|| "compile_error!(\"expected an enumeration with #[fail(display = …)] on each variant\");".to_owned())
        .parse()
        .unwrap_or_default()
}

fn implemented(input: TokenStream) -> Option<String> {
    let mut tokens = input.into_iter().skip_while(|token| token.to_string() != "enum").skip(1);
    let name = tokens.next()?;
    let TokenTree::Group(variants) = tokens.next()? else { return None };
    let (mut arms, mut words) = (String::new(), None);
    for token in variants.stream() {
        match token {
            // An attribute: this derive's, or a comment.
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => words = display(group.stream()).or(words),
            TokenTree::Ident(variant) => {
                let (text, fields) = words.take()?;
                arms += &format!("Self::{variant} {{ {fields} .. }} => ::core::write!(f, {text}, {fields}),");
            }
            _ => {}
        }
    }
    Some(format!(
        "impl ::core::fmt::Display for {name} {{ fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {{ match self {{ {arms} }} }} }}
         impl ::std::error::Error for {name} {{}}"
    ))
}

/// Of `fail(display = "TEXT", A, B)` the text, and `A, B,`.
fn display(attribute: TokenStream) -> Option<(String, String)> {
    let mut tokens = attribute.into_iter();
    if tokens.next()?.to_string() != "fail" {
        return None;
    }
    let TokenTree::Group(arguments) = tokens.next()? else { return None };
    // Behind `display` and `=`.
    let mut arguments = arguments.stream().into_iter().skip(2);
    let text = arguments.next()?.to_string();
    let fields = arguments.filter(|token| matches!(token, TokenTree::Ident(_))).map(|field| format!("{field},")).collect();
    Some((text, fields))
}
