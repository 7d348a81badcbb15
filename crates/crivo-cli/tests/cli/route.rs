//! `crivo filter route`: a tree of filters by their folders.

use crate::support::Dir;
use std::fs;

/// Two folders of three sites, each with a hundred keys of its own.
fn sites(dir: &Dir, capacity: u32) -> Vec<String> {
    let mut files = Vec::new();
    for folder in ["north", "south"] {
        fs::create_dir(dir.path(folder)).unwrap();
        for site in 1..=3 {
            let name = format!("{folder}/{site}");
            dir.write(&name, (0..100).map(|key| format!("{name}-{key}\n")).collect::<String>());
            let size = format!("--capacity {capacity} --fpr 0.000001 --quiet");
            dir.run(&format!("filter build {name} -o {name}.crv {size}")).text();
            files.push(format!("{name}.crv"));
        }
    }
    files
}

/// The filters that say yes one by one are those that the tree finds, whether its unions exclude anything or not.
#[test]
fn a_route_leads_to_the_filters_that_report_the_key() {
    for capacity in [600, 5] {
        let dir = Dir::new();
        let files = sites(&dir, capacity);
        let keys: Vec<String> = files
            .iter()
            .map(|file| file.replace(".crv", "-7"))
            .chain((0..40).map(|i| format!("x{i}")))
            .collect();
        dir.write("keys", keys.join("\n"));
        let route = dir.run(&format!("filter route {} --keys keys --json", files.join(" "))).json();
        let mut found: Vec<(&str, &str)> = route
            .iter()
            .filter(|answer| !answer["file"].is_null())
            .map(|answer| (answer["file"].as_str(), answer["key"].as_str()))
            .filter_map(|(file, key)| file.zip(key))
            .collect();
        let mut expected = Vec::new();
        for file in &files {
            let answers = dir.run(&format!("filter query {file} --keys keys --json")).json();
            let keys = answers.iter().filter_map(|answer| answer["record"].as_str().map(str::to_owned));
            expected.extend(keys.map(|key| (file.clone(), key)));
        }
        expected.sort();
        found.sort_unstable();
        let expected: Vec<(&str, &str)> = expected.iter().map(|(file, key)| (&**file, &**key)).collect();
        assert_eq!(found, expected, "{capacity}");
        let totals = route.last().unwrap();
        assert_eq!(
            (&totals["keys"], &totals["filters"], &totals["places"]),
            (&46.into(), &6.into(), &9.into())
        );
        let asked = totals["asked"].as_u64().unwrap();
        // The root alone for a key that is nowhere; the root, two folders and three sites for the others.
        assert_eq!(asked == 40 + 6 * 6, capacity == 600, "{asked}");
        assert!(asked <= 46 * 9);
    }
}

#[test]
fn answers_name_the_files() {
    let dir = Dir::new();
    let files = sites(&dir, 600).join(" ");
    let run = dir.run(&format!("filter route {files} --key north/2-7 --key nowhere"));
    let text = run.text();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("north/2-7  north/2.crv  (false-positive rate "), "{text}");
    assert_eq!(
        lines[1..],
        ["nowhere    no filter    (certain)", "7 filters asked for 2 keys, 12 without the tree"]
    );
    let none = dir.run(&format!("filter route {files} --key nowhere"));
    assert_eq!(none.code, Some(1));
    let piped = dir.run_with(&format!("filter route {files}"), b"north/1-1\n\n");
    assert!(piped.text().ends_with("\n1 missing value, certainly in no filter\n"), "{piped:?}");
    // One filter is a tree too, and a folder of one file is no place.
    let totals = dir.run("filter route south/1.crv --key south/1-3 --json").json();
    assert_eq!((&totals[1]["places"], &totals[1]["asked"]), (&2.into(), &2.into()));
    let totals = dir.run("filter route ./south/1.crv north/2.crv north/3.crv --key south/1-1 --json").json();
    assert_eq!(totals[1]["places"], 5);
}

#[test]
fn filters_that_make_no_tree_are_told() {
    let dir = Dir::new();
    sites(&dir, 600);
    dir.run("filter build north/1 -o small.crv").text();
    dir.run("filter route north/1.crv small.crv --key a").fails_with(&[
        "small.crv and north/1.crv",
        "--capacity",
        "bits",
    ]);
    dir.run("filter build north/1 -o seed.crv --capacity 600 --fpr 0.000001 --seed 7").text();
    dir.run("filter route north/1.crv seed.crv --key a").fails_with(&["seed.crv and north/1.crv", "--seed"]);
    dir.run("filter build north/1 -o cuckoo.crv --kind cuckoo").text();
    dir.run("filter route north/1.crv cuckoo.crv --key a").fails_with(&["cuckoo-filter", "bloom-filter"]);
    dir.run("filter route north/1.crv north/1.crv --key a").fails_with(&["named twice"]);
    dir.run("filter route north/1.crv ./north/1.crv --key a").fails_with(&["named twice"]);
    dir.run("filter route north/1 --key a").fails_with(&["not a Crivo sketch"]);
    dir.run("filter route north --key a").fails_with(&["is a directory"]);
    dir.run("filter route north/1.crv --key a --column b").fails_with(&["leave out --column"]);
    dir.run("filter route north/1.crv --key a --keys north/1").fails_with(&["cannot be used with"]);
    dir.run("filter route --key a").fails_with(&["<FILTER>"]);
}
