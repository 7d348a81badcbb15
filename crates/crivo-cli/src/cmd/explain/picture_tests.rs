//! Steps, slides and pictures.

use super::terminal::Look;
use super::tests::lists;
use super::{Explain, Explained, KINDS, KindInfo, Shown, walk};
use crate::testing::{Folder, run};
use crivo_report::display_width;
use std::rc::Rc;

/// Each part waits for a line; q ends.
#[test]
fn steps_come_one_by_one() {
    for (typed, last, prompts) in
        [("\n\n\n\n\n\n", "= 5 of 11", 6), ("\n\nq\n", "2. insert b", 3), ("", "Bloom filter of 11", 1)]
    {
        let (report, recorded) = run::<Explain>(&["bloom", "--example", "ferreira"]).unwrap();
        let Shown::Drawing(drawing, ..) = report.0 else { panic!("no drawing") };
        let look = Look { colours: false, utf8: true };
        let rest = walk(Rc::into_inner(drawing).unwrap(), look, &recorded.session, typed.as_bytes()).unwrap();
        recorded.session.finish(&Explained(rest)).unwrap();
        let text = recorded.printed();
        assert!(text.contains(last), "{text}");
        assert_eq!(text.matches("Enter: next step").count(), prompts, "{text}");
        assert_eq!(text.contains("= 5 of 11"), prompts == 6, "{text}");
    }
}

/// A page has a slide for the opening, each step and the results, names no other file, and shows names as text.
#[test]
fn slides_are_whole() {
    for kind in KINDS {
        for language in ["en", "pt"] {
            let list = lists(kind.name).pop().unwrap();
            let arguments =
                [kind.name, "--lang", language, "--html", "-", "--items", &list, "--items", &list];
            let Shown::File(page) = run::<Explain>(&arguments).unwrap().0.0 else { panic!("no page") };
            assert!(page.contains(&format!("<html lang=\"{language}")), "{page}");
            let sections = page.matches("<section>").count();
            assert_eq!(sections, page.matches("<h2>").count() + 2, "{}", kind.name);
            assert!(
                !page.contains("http:") && !page.contains("https:") && !page.contains("src=\""),
                "{page}"
            );
            assert_eq!(page.matches("<script>").count(), 1, "{page}");
        }
    }
}

/// Well-formed, with a title, and no text wider than its cell or than the picture. A letter of equal width is six tenths of
/// its height wide, a wide one at most 1.2.
#[test]
fn pictures_are_whole() {
    let folder = Folder::new();
    for KindInfo { name: kind, .. } in KINDS {
        for (list, language) in lists(kind).into_iter().zip(["en", "pt"].into_iter().cycle()) {
            let arguments = [kind, "--lang", language, "--svg", "-", "--items", &list, "--items", &list];
            let report = run::<Explain>(&arguments).unwrap().0;
            let Shown::File(picture) = report.0 else { panic!("no picture of {kind}") };
            check_picture(&picture);
        }
        let said = folder.printed::<Explain>(&format!("{kind} --svg @drawn.svg --force"));
        assert!(said.contains(" drawn to ") && said.ends_with("drawn.svg\n"), "{said}");
        check_picture(&String::from_utf8(folder.read("drawn.svg")).unwrap());
    }
}

fn check_picture(svg: &str) {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "svg");
    let child = |name: &str| root.children().find(|it| it.tag_name().name() == name).and_then(|it| it.text());
    assert!(child("title").is_some() && child("desc").is_some() && child("style").is_some());
    let number = |node: &roxmltree::Node<'_, '_>, name: &str| -> f64 {
        node.attribute(name).unwrap().parse().unwrap()
    };
    let [width, height] = ["width", "height"].map(|name| number(&root, name));
    let mut cell = None;
    for node in root.descendants() {
        let class = node.attribute("class").unwrap_or_default();
        match node.tag_name().name() {
            "rect" => {
                let [x, y] =
                    ["x", "y"].map(|name| node.attribute(name).map_or(0.0, |it| it.parse().unwrap()));
                assert!(
                    x + number(&node, "width") <= width && y + number(&node, "height") <= height,
                    "{svg}"
                );
                if class.starts_with("cell") {
                    cell = Some((x, number(&node, "width")));
                }
            }
            "text" if class.starts_with("value") => {
                let (left, room) = cell.unwrap();
                let letters = display_width(node.text().unwrap()) as f64;
                assert!(letters * 0.6 * 14.0 <= room, "{} in {room}: {svg}", node.text().unwrap());
                assert!((left..=left + room).contains(&number(&node, "x")));
            }
            "text" => {
                let letters = display_width(node.text().unwrap()) as f64;
                let text_width = if ["head", "label"].contains(&class) {
                    letters * 0.6 * 13.0
                } else {
                    letters * 0.5 * 15.0
                };
                let start = number(&node, "x") - if class == "head" { text_width / 2.0 } else { 0.0 };
                assert!(start >= 0.0 && start + text_width <= width, "{}: {svg}", node.text().unwrap());
                assert!(number(&node, "y") < height);
            }
            _ => {}
        }
    }
}
