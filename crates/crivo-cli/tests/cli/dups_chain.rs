//! Documents that are alike through others.

use crate::support::Dir;

/// Each document is alike to its neighbours alone.
#[test]
fn what_is_dropped_is_like_what_is_kept() {
    let dir = Dir::new();
    let words =
        |start: u32| (start..start + 41).map(|word| word.to_string()).collect::<Vec<_>>().join(" ") + "\n";
    dir.write("chain", (0..10).map(|document| words(2 * document)).collect::<String>());
    let groups = |flags: &str| {
        let answers = dir.run(&format!("dups chain --format lines --json {flags}")).json();
        let groups = answers.iter().filter(|answer| answer["type"] == "duplicates");
        groups.map(|group| (group["keep"].clone(), group["drop"].clone())).collect::<Vec<_>>()
    };
    // Of 39 runs of three words, neighbours share 37, and those two apart 35: 0.9 and 0.81 alike.
    let expected =
        [(0, [1, 2]), (3, [4, 5]), (6, [7, 8])].map(|(keep, drop)| (keep.into(), drop.as_slice().into()));
    assert_eq!(groups(""), expected);
    let chained: Vec<u32> = (1..10).collect();
    assert_eq!(groups("--chain"), [(0.into(), chained.into())]);
    dir.run("dups chain --format lines -o kept -q").text();
    assert_eq!(dir.read("kept"), [0, 3, 6, 9].map(|document| words(2 * document)).concat().into_bytes());
}
