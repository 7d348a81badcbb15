//! Links of documents lead somewhere.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What a document links to, and where one can link into it.
#[derive(Default)]
struct Page {
    links: Vec<String>,
    anchors: BTreeSet<String>,
}

impl Page {
    fn read(text: &str) -> Self {
        let mut page = Self::default();
        let mut heading = None;
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(dest_url.into_string());
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => page.add_anchor(&heading.take().unwrap()),
                Event::Text(words) | Event::Code(words) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&words);
                    }
                }
                Event::Html(tag) | Event::InlineHtml(tag) => {
                    for attribute in ["src=\"", "srcset=\"", "href=\""] {
                        let values = tag.split(attribute).skip(1);
                        page.links.extend(values.filter_map(|it| Some(it.split_once('"')?.0.to_owned())));
                    }
                }
                _ => {}
            }
        }
        page
    }

    /// As GitHub and mdBook name a heading; the second of a name gets a number.
    fn add_anchor(&mut self, heading: &str) {
        let kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
        let name: String = heading.to_lowercase().chars().filter(kept).collect();
        let name = name.replace(' ', "-");
        let again = (1..).map(|i| format!("{name}-{i}"));
        let free = std::iter::once(name.clone()).chain(again).find(|it| !self.anchors.contains(it));
        self.anchors.extend(free);
    }
}

/// All Markdown below a folder, but not what is built there.
fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            documents(&path, found);
        } else if path.extension().is_some_and(|it| it == "md") {
            found.push(path);
        }
    }
}

/// The link, if it leads nowhere.
fn is_broken(link: &str, from: &Path, pages: &BTreeMap<PathBuf, Page>) -> bool {
    let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
    let path = if file.is_empty() { from.to_owned() } else { from.parent().unwrap().join(file) };
    let Ok(path) = path.canonicalize() else { return true };
    anchor.is_some_and(|anchor| pages.get(&path).is_none_or(|page| !page.anchors.contains(anchor)))
}

#[test]
fn every_link_leads_somewhere() {
    let root = super::root().canonicalize().unwrap();
    let mut paths = Vec::new();
    documents(&root, &mut paths);
    let read = |path: PathBuf| {
        let page = Page::read(&fs::read_to_string(&path).unwrap());
        (path, page)
    };
    let pages: BTreeMap<PathBuf, Page> = paths.into_iter().map(read).collect();
    let (mut checked, mut broken) = (0, Vec::new());
    for (path, page) in &pages {
        for link in page.links.iter().filter(|link| !link.contains("://") && !link.starts_with("mailto:")) {
            checked += 1;
            if is_broken(link, path, &pages) {
                broken.push(format!("{}: {link}", path.strip_prefix(&root).unwrap().display()));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
    assert!(pages.len() > 100 && checked > 500, "only {checked} links in {} documents", pages.len());
}

#[test]
fn a_link_into_nothing_is_found() {
    let here = super::root().join("README.md").canonicalize().unwrap();
    let page = Page::read("# A `b`, c\n# A b c\n[x](#a-b-c-1) <img src=\"y.svg\"/>");
    assert_eq!(page.anchors, ["a-b-c", "a-b-c-1"].map(String::from).into());
    assert_eq!(page.links, ["#a-b-c-1", "y.svg"]);
    let pages = BTreeMap::from([(here.clone(), page)]);
    let broken =
        ["#a-b-c", "#a-b-d", "README.md#a-b-c", "no.md", "docs"].map(|link| is_broken(link, &here, &pages));
    assert_eq!(broken, [false, true, false, true, false]);
}
