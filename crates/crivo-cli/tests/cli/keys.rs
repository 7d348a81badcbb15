use crate::support::{Dir, exact_distinct};

#[test]
fn a_keyed_sketch_needs_its_key() {
    let dir = Dir::new();
    dir.write("in", "a\nb\n");
    dir.write_key("key", "0123456789abcdef");
    dir.write_key("hex", "30313233343536373839616263646566\n");
    dir.write_key("other", "0123456789abcdeX");
    dir.run("filter build in -o f.crv --secret-file key --fpr 0.000001").text();
    dir.run("filter query f.crv --keys in").fails_with(&["f.crv", "--secret-file"]);
    dir.run("filter query f.crv --keys in --secret-file other").fails_with(&["f.crv", "key"]);
    assert_eq!(dir.run("filter query f.crv --keys in --secret-file key").text(), "a\nb\n");
    assert_eq!(dir.run("filter query f.crv --keys in --secret-file hex").text(), "a\nb\n");

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

/// The file with its checksum made right, as anybody can.
fn resealed(mut body: Vec<u8>) -> Vec<u8> {
    let checksum = crivo::HashSpec::rapid(0x6368_6563_6b73_756d).hash_bytes(&body);
    body.extend(checksum.to_le_bytes());
    body
}

#[test]
fn nobody_without_the_key_changes_a_file() {
    let dir = Dir::new();
    dir.write("in", "a\nb\n");
    dir.write_key("key", "0123456789abcdef");
    for kind in ["bloom", "cuckoo"] {
        dir.run(&format!("filter build in -o f.crv --secret-file key --kind {kind} --force")).text();
        let file = dir.read("f.crv");
        assert_eq!(dir.run("verify f.crv --secret-file key --json").json()[0]["authentic"], true);
        assert!(dir.run("verify f.crv --secret-file key").text().contains("authentic"));
        assert!(dir.run("info f.crv --secret-file key").text().contains("its tag fits the key"));
        assert_eq!(dir.run("info f.crv --json").json()[0]["authentic"], serde_json::Value::Null);

        let mut body = file[..file.len() - 8].to_vec();
        let place = body.len() - 17;
        body[place] ^= 1;
        dir.write("f.crv", resealed(body));
        for line in [
            "filter query f.crv --keys in",
            "filter query f.crv --keys in --json",
            "filter insert f.crv in",
            "info f.crv",
        ] {
            dir.run(&format!("{line} --secret-file key")).fails_with(&["f.crv", "tag", "without the key"]);
        }
        let run = dir.run("verify f.crv --secret-file key");
        assert_eq!(run.code, Some(1), "{run:?}");

        // Without its tag, as early versions wrote files.
        let mut body = file[..file.len() - 24].to_vec();
        body[5] &= !2;
        dir.write("old.crv", resealed(body));
        let warned = |line: &str| {
            let run = dir.run(line);
            assert_eq!(run.code, Some(0), "{line}: {run:?}");
            assert!(run.stderr.contains("old.crv: is not authenticated"), "{line}: {run:?}");
            String::from_utf8(run.stdout).unwrap()
        };
        assert_eq!(warned("filter query old.crv --keys in --secret-file key"), "a\nb\n");
        assert!(warned("verify old.crv --secret-file key").contains("not authenticated"));
        assert!(warned("info old.crv --secret-file key").contains("no: it has no tag"));
        warned("merge old.crv -o again.crv --secret-file key --force");
        assert_eq!(dir.read("again.crv"), file);
    }
}

#[cfg(unix)]
#[test]
fn a_key_that_others_may_read_is_remarked_on() {
    let dir = Dir::new();
    dir.write("in", "a\n");
    dir.write_key("key", "0123456789abcdef");
    dir.run("distinct in --secret-file key").text();
    for mode in [0o640, 0o604] {
        let permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(dir.path("key"), permissions).unwrap();
        let run = dir.run("distinct in --secret-file key");
        assert_eq!(
            run.stderr,
            "crivo: key: other users may read this key; take that away with: chmod 600 key\n"
        );
    }
    // As a shell takes it.
    for (name, word) in [("it's-$a-key", r"'it'\''s-$a-key'"), ("-k", "./-k")] {
        std::fs::rename(dir.path("key"), dir.path(name)).unwrap();
        let run = dir.run(&format!("distinct in --secret-file={name}"));
        assert!(run.stderr.ends_with(&format!("chmod 600 {word}\n")), "{}", run.stderr);
        std::fs::rename(dir.path(name), dir.path("key")).unwrap();
    }
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
    dir.write_key("short", "tell-nobody");
    let run = dir.run("distinct in --secret-file short");
    run.fails_with(&["short", "16 bytes", "32 hexadecimal", "/dev/urandom > FILE"]);
    assert!(!run.stderr.contains("tell-nobody"));
    dir.write_key("long", [b'a'; 5_000]);
    dir.run("distinct in --secret-file long").fails_with(&["long", "16 bytes", "more than 1024"]);
    dir.run("distinct in --secret-file nosuch").fails_with(&["nosuch", "no such file"]);
    dir.run("distinct in --secret-file short --seed 1").fails_with(&["cannot be used with"]);
}
