use crate::support::{Dir, exact_distinct};

#[test]
fn a_keyed_sketch_needs_its_key() {
    let dir = Dir::new();
    dir.write("in", "a\nb\n");
    dir.write("key", "0123456789abcdef");
    dir.write("hex", "30313233343536373839616263646566\n");
    dir.write("other", "0123456789abcdeX");
    dir.run("filter build in -o f.crv --secret-file key --fpr 0.000001").text();
    dir.run("filter query f.crv in").fails_with(&["f.crv", "--secret-file"]);
    dir.run("filter query f.crv in --secret-file other").fails_with(&["f.crv", "key"]);
    assert_eq!(dir.run("filter query f.crv in --secret-file key").text(), "a\nb\n");
    assert_eq!(dir.run("filter query f.crv in --secret-file hex").text(), "a\nb\n");

    let header = dir.run("info f.crv").text();
    assert!(header.contains("siphash") && header.contains("--secret-file"), "{header}");
    assert!(!header.contains("0123456789abcdef"));
    assert!(dir.run("info f.crv --secret-file key").text().contains("bits"));
    dir.run("info f.crv --secret-file other").fails_with(&["f.crv", "fingerprint"]);

    dir.run("merge f.crv f.crv -o g.crv").fails_with(&["--secret-file"]);
    dir.run("merge f.crv f.crv -o g.crv --secret-file hex").text();
    assert_eq!(dir.read("f.crv"), dir.read("g.crv"));
    assert_eq!(exact_distinct(&dir.run("distinct in --json --secret-file key")), 2);
}

#[test]
fn seeds_make_other_sketches() {
    let dir = Dir::new();
    dir.write("in", "a\nb\n");
    dir.run("distinct in --save one.crv --seed 1").text();
    dir.run("distinct in --save two.crv --seed 2").text();
    assert_ne!(dir.read("one.crv"), dir.read("two.crv"));
    dir.run("distinct in --save hex.crv --seed 0x2").text();
    assert_eq!(dir.read("hex.crv"), dir.read("two.crv"));
    dir.run("merge one.crv two.crv -o x.crv").fails_with(&["two.crv", "one.crv", "hash", "seed"]);
}

#[test]
fn bad_keys_are_refused_without_showing_them() {
    let dir = Dir::new();
    dir.write("in", "a\n");
    dir.write("short", "tell-nobody");
    let run = dir.run("distinct in --secret-file short");
    run.fails_with(&["short", "16 bytes", "32 hexadecimal", "/dev/urandom > FILE"]);
    assert!(!run.stderr.contains("tell-nobody"));
    dir.write("long", [b'a'; 5_000]);
    dir.run("distinct in --secret-file long").fails_with(&["long", "16 bytes", "more than 1024"]);
    dir.run("distinct in --secret-file nosuch").fails_with(&["nosuch", "no such file"]);
    dir.run("distinct in --secret-file short --seed 1").fails_with(&["cannot be used with"]);
}
