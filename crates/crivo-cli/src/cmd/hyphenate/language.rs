//! The languages whose patterns are built in.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use crivo_report::nearest;
use hypher::Lang;
use std::ffi::OsStr;

/// Codes of ISO 639-1, and what else names the same patterns. English is American, German as spelt since 1996.
const CODES: [(&str, &[&str]); 48] = [
    ("af", &["afrikaans"]),
    ("as", &["assamese"]),
    ("be", &["belarusian"]),
    ("bg", &["bulgarian"]),
    ("bn", &["bengali"]),
    ("ca", &["catalan"]),
    ("cs", &["czech"]),
    ("da", &["danish"]),
    ("de", &["german", "de-1996"]),
    ("el", &["greek"]),
    ("en-us", &["english", "en"]),
    ("es", &["spanish"]),
    ("et", &["estonian"]),
    ("fi", &["finnish"]),
    ("fr", &["french"]),
    ("gl", &["galician"]),
    ("gu", &["gujarati"]),
    ("hi", &["hindi"]),
    ("hr", &["croatian"]),
    ("hu", &["hungarian"]),
    ("is", &["icelandic"]),
    ("it", &["italian"]),
    ("ka", &["georgian"]),
    ("kn", &["kannada"]),
    ("ku", &["kurmanji"]),
    ("la", &["latin"]),
    ("lt", &["lithuanian"]),
    ("ml", &["malayalam"]),
    ("mn", &["mongolian"]),
    ("mr", &["marathi"]),
    ("nl", &["dutch"]),
    ("no", &["norwegian", "nb", "nn"]),
    ("or", &["oriya"]),
    ("pa", &["panjabi"]),
    ("pl", &["polish"]),
    ("pt", &["portuguese", "pt-br", "pt-pt"]),
    ("ru", &["russian"]),
    ("sa", &["sanskrit"]),
    ("sk", &["slovak"]),
    ("sl", &["slovenian"]),
    ("sq", &["albanian"]),
    ("sr", &["serbian"]),
    ("sv", &["swedish"]),
    ("ta", &["tamil"]),
    ("te", &["telugu"]),
    ("tk", &["turkmen"]),
    ("tr", &["turkish"]),
    ("uk", &["ukrainian"]),
];

/// Takes all of them in any case; help lists the codes.
#[derive(Clone)]
pub(super) struct Parser;

impl TypedValueParser for Parser {
    type Value = Lang;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Lang, clap::Error> {
        StringValueParser::new().try_map(|name| parse(&name)).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(CODES.iter().map(|(code, _)| PossibleValue::new(code))))
    }
}

fn parse(name: &str) -> Result<Lang, String> {
    let names = || CODES.iter().flat_map(|&(code, others)| others.iter().copied().chain([code]));
    let is_named = |(code, others): &&(&str, &[&str])| {
        others.iter().chain([code]).any(|other| other.eq_ignore_ascii_case(name))
    };
    let found = CODES.iter().find(is_named).and_then(|(code, _)| language(code));
    found.ok_or_else(|| {
        if let Some(meant) = nearest(names(), name) {
            return format!("there is no such language; did you mean '{meant}'?");
        }
        let codes: Vec<&str> = CODES.iter().map(|(code, _)| *code).collect();
        format!("expected one of {}; for another, give its patterns with --patterns", codes.join(", "))
    })
}

fn language(code: &str) -> Option<Lang> {
    Lang::from_iso(code.as_bytes().first_chunk().copied()?)
}

/// Whether an apostrophe belongs to words: there are patterns with it, so that what it joins is not to be torn apart.
pub(super) fn has_apostrophe(language: Lang) -> bool {
    use Lang::{Afrikaans, Albanian, Belarusian, French, Greek, Italian, Ukrainian};
    matches!(language, Afrikaans | Albanian | Belarusian | French | Greek | Italian | Ukrainian)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_a_language_and_all_are_there() {
        let codes: Vec<&str> = CODES.iter().map(|(code, _)| *code).collect();
        assert!(codes.is_sorted() && codes.iter().all(|code| language(code).is_some()));
        let (first, letters) = (b'a'..=b'z', b'a'..=b'z');
        let all: std::collections::HashSet<Lang> =
            first.flat_map(|a| letters.clone().filter_map(move |b| Lang::from_iso([a, b]))).collect();
        assert_eq!(all, codes.iter().filter_map(|code| language(code)).collect());
    }
}
