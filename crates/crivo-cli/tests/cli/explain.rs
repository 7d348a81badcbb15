//! Structures drawn step by step.

use crate::support::{Dir, Run};

#[test]
fn a_drawing_fits_the_terminal() {
    let dir = Dir::new();
    assert!(dir.run("explain").text().contains("\nminhash "));
    for width in ["80", "30"] {
        let output = dir.command("explain bloom").env("COLUMNS", width).env("LC_ALL", "C").output().unwrap();
        let text = Run::new("explain bloom", output).text();
        assert!(text.is_ascii() && text.contains("->"), "{text}");
        assert!(text.lines().all(|line| line.len() <= width.parse().unwrap()), "{text}");
    }
}

#[test]
fn wrong_usage_is_told() {
    let dir = Dir::new();
    for (line, words) in [
        ("explain blum", &["blum", "bloom", "minhash"][..]),
        ("explain --items a", &["KIND"]),
        ("explain bloom --cells 20", &["--items"]),
        ("explain bloom --items a --example lopes", &["--example"]),
        ("explain bloom --force", &["--svg"]),
        ("explain bloom --svg a.svg --html a.html", &["--svg", "--html"]),
        ("explain bloom --step", &["a terminal", "--html"]),
        ("explain bloom --lang fr", &["fr", "en", "pt"]),
    ] {
        dir.run(line).fails_with(words);
    }
}

#[test]
fn a_picture_replaces_only_when_told() {
    let dir = Dir::new();
    assert_eq!(dir.run("explain bloom --svg bloom.svg").text(), "8 steps drawn to bloom.svg\n");
    dir.run("explain bloom --svg bloom.svg").fails_with(&["--force"]);
    dir.run("explain bloom --example ferreira --svg bloom.svg --force").text();
    assert!(String::from_utf8(dir.read("bloom.svg")).unwrap().contains("Ferreira"));
    assert_eq!(dir.names(), ["bloom.svg"]);
}

/// The pictures of the guide are what their commands draw.
#[test]
fn the_pictures_of_the_guide_are_up_to_date() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (file, line) in [
        ("bloom.svg", "bloom --example ferreira"),
        ("matrix.pt.svg", "matrix --lang pt"),
        ("cuckoo.svg", "cuckoo --items fig,plum,pear,nut,kiwi,date --remove fig"),
    ] {
        let kept = std::fs::read_to_string(root.join("docs/guide/images").join(file)).unwrap();
        let drawn = Dir::new().run(&format!("explain {line} --svg -")).text();
        assert!(kept == drawn, "draw docs/guide/images/{file} again: crivo explain {line}");
    }
}

/// People look for structures by several names.
#[test]
fn synonyms_are_known() {
    let dir = Dir::new();
    for (name, kind) in [("hll", "hyperloglog"), ("kmv", "bottom-k"), ("characteristic-matrix", "matrix")] {
        assert_eq!(dir.run(&format!("explain {name}")).text(), dir.run(&format!("explain {kind}")).text());
    }
}
