//! What Crivo writes is read by the peers themselves, with equal answers. The tests need a Python with the package datasketches, the one
//! in `CRIVO_PEER_PYTHON`, which `.ci/run` sets, or python3; and a redis-server.

use crate::golden;
use crivo::MisraGries;
use crivo::rng::Rng;
use crivo_interop::{CountMin, Frequent, Hll, Kll, KllItem, TDigest, Theta, UpdateTheta, Width};
use std::fmt::{Display, Write};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

struct Questions {
    folder: PathBuf,
    lines: String,
}

impl Questions {
    fn ask(&mut self, name: &str, bytes: &[u8], kind: &str, question: &str, expected: impl Display) {
        fs::write(self.folder.join(name), bytes).unwrap();
        writeln!(self.lines, "{name} {kind} {question} {expected}").unwrap();
    }

    fn ask_quantiles<T: KllItem + Display>(&mut self, name: &str, kind: &str, value: impl Fn(u64) -> T) {
        let mut rng = Rng::new(11);
        for items in [1, 5, 4000u64] {
            let [mut a, mut b] = [1, 2].map(|seed| Kll::with_seed(20, seed).unwrap());
            for sketch in [&mut a, &mut b] {
                (0..items).for_each(|_| sketch.insert(value(rng.below(1 << 30))).unwrap());
            }
            a.merge(&b).unwrap();
            let (name, bytes) = (format!("{name}-{items}.kll"), a.to_bytes());
            self.ask(&name, &bytes, kind, "values", a.total());
            self.ask(&name, &bytes, kind, "least", a.min().unwrap());
            self.ask(&name, &bytes, kind, "greatest", a.max().unwrap());
            for q in [0.25, 0.5, 0.99] {
                let answer = a.quantile(q).unwrap();
                self.ask(&name, &bytes, kind, &format!("quantile={q}"), answer.value());
            }
        }
    }
}

/// Frequent items of our own sketch and of a merge, and a Count-Min sketch.
fn ask_about_items(questions: &mut Questions) {
    for counters in [20, 2000] {
        let mut texts = MisraGries::<String>::for_counters(counters).unwrap();
        let mut longs = MisraGries::<i64>::for_counters(counters).unwrap();
        for item in 0..500u64 {
            texts.add(&format!("page-{item}"), 1 + 3000 / (item + 1));
            longs.add(&(item as i64 - 7), 1 + 3000 / (item + 1));
        }
        let mut texts = Frequent::from_misra_gries(&texts).unwrap();
        texts.merge(&texts.clone()).unwrap();
        let longs = Frequent::from_misra_gries(&longs).unwrap();
        let names = [format!("texts-{counters}.frequent"), format!("longs-{counters}.frequent")];
        for item in 0..510 {
            let text = format!("page-{item}");
            let question = format!("frequency={text}");
            let frequency = texts.frequency(&text).value();
            questions.ask(&names[0], &texts.to_bytes(), "frequent_strings_sketch", &question, frequency);
            let question = format!("frequency={}", item - 7);
            let frequency = longs.frequency(&(item - 7)).value();
            questions.ask(&names[1], &longs.to_bytes(), "frequent_items_sketch", &question, frequency);
        }
        questions.ask(&names[0], &texts.to_bytes(), "frequent_strings_sketch", "total", texts.total());
    }
    let mut counts = CountMin::with_size(4, 100).unwrap();
    (0..300u64).for_each(|item| counts.add(&format!("page-{item}"), 1 + 3000 / (item + 1)).unwrap());
    for item in 0..310 {
        let (question, text) = (format!("frequency=page-{item}"), format!("page-{item}"));
        let frequency = counts.frequency(&text).value();
        questions.ask("counts.countmin", &counts.to_bytes(), "count_min_sketch", &question, frequency);
    }
}

#[test]
fn the_peer_reads_what_is_written() {
    let python = std::env::var("CRIVO_PEER_PYTHON").unwrap_or_else(|_| "python3".into());
    let imports = Command::new(&python).args(["-c", "import datasketches"]).output();
    if !imports.is_ok_and(|output| output.status.success()) {
        println!("skipped: {python} has no package datasketches; CRIVO_PEER_PYTHON may name another");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("peer");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let mut questions = Questions { folder, lines: String::new() };

    for (lg_k, items) in [(5, 0u64), (5, 1), (5, 40), (12, 3000), (12, 100_000), (7, 50_001)] {
        let mut sketch = UpdateTheta::for_lg_k(lg_k).unwrap();
        (0..items).for_each(|item| sketch.insert(&item));
        let sketch = sketch.sketch();
        let expected = sketch.estimate().value();
        let kind = "compact_theta_sketch";
        questions.ask(&format!("{lg_k}-{items}.theta"), &sketch.to_bytes(), kind, "estimate", expected);
        questions.ask(
            &format!("{lg_k}-{items}-v4.theta"),
            &sketch.to_compact_bytes(),
            kind,
            "estimate",
            expected,
        );
    }
    for width in [Width::Four, Width::Six, Width::Eight] {
        for (lg_k, items) in [(4, 0u64), (4, 9), (10, 5), (10, 50), (10, 90), (10, 30_000), (14, 1_000_000)] {
            let mut sketch = Hll::for_lg_k(lg_k).unwrap().with_width(width);
            (0..items).for_each(|item| sketch.insert(&item));
            let name = format!("{lg_k}-{items}-{}.hll", width.bits());
            let question = if sketch.is_sparse() { "near" } else { "estimate" };
            questions.ask(&name, &sketch.to_bytes(), "hll_sketch", question, sketch.estimate().value());
        }
    }
    questions.ask_quantiles("floats", "kll_floats_sketch", |value| (value >> 8) as f32);
    questions.ask_quantiles("doubles", "kll_doubles_sketch", |value| value as f64 / 16.0);
    questions.ask_quantiles("texts", "kll_items_sketch", |value| format!("{value:010}"));

    ask_about_items(&mut questions);
    for (kind, floats) in [("tdigest_double", None), ("tdigest_float", Some("cpp-floats-many.tdigest"))] {
        for items in [1, 9, 4000u32] {
            // Floats go on with the peer's digest, since only a file makes one of floats.
            let empty = || TDigest::for_k(100).unwrap();
            let mut digest = floats.map_or_else(empty, |name| TDigest::from_bytes(&golden(name)).unwrap());
            (0..items).for_each(|item| digest.insert(f64::from(item * 31 % items)).unwrap());
            let name = format!("{kind}-{items}.tdigest");
            questions.ask(&name, &digest.to_bytes(), kind, "total", digest.total());
            questions.ask(&name, &digest.to_bytes(), kind, "least", digest.min().unwrap());
            questions.ask(&name, &digest.to_bytes(), kind, "greatest", digest.max().unwrap());
            for q in [0.1, 0.5, 0.9] {
                let found = digest.quantile(q).unwrap();
                let bounds = format!("{}..{}", found.lower(), found.upper());
                questions.ask(&name, &digest.to_bytes(), kind, &format!("between={q}"), bounds);
            }
        }
    }

    let Questions { folder, lines } = questions;
    fs::write(folder.join("questions.txt"), &lines).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peer.py");
    let output = Command::new(&python).arg(script).arg(&folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("answers agree"));

    // What the peer merged from our sketch and its own, of other items or some of the same.
    for line in lines.lines().filter(|line| line.contains(".theta ") || line.contains(".hll ")) {
        let name = line.split(' ').next().unwrap();
        let items: u64 = name.split(['-', '.']).nth(1).unwrap().parse().unwrap();
        let bytes = fs::read(folder.join(format!("{name}.merged"))).unwrap();
        let merged = if name.contains(".theta") {
            Theta::from_bytes(&bytes).unwrap().estimate_at(0.999_999)
        } else {
            Hll::from_bytes(&bytes).unwrap().estimate_at(0.999_999)
        };
        let truth = items.max(1000) as f64;
        assert!(merged.as_ref().unwrap().contains(truth), "{name}: {merged:?}");
    }
}

/// Sends a command to a server of Redis; returns the number that it answers, or 0 for OK.
#[cfg(unix)]
fn ask_redis(link: &mut std::os::unix::net::UnixStream, words: &[&[u8]]) -> u64 {
    use std::io::{BufRead, BufReader, Write};
    let mut command = format!("*{}\r\n", words.len()).into_bytes();
    for word in words {
        command.extend(format!("${}\r\n", word.len()).into_bytes());
        command.extend_from_slice(word);
        command.extend(b"\r\n");
    }
    link.write_all(&command).unwrap();
    let mut line = String::new();
    BufReader::new(link).read_line(&mut line).unwrap();
    assert!(line.starts_with([':', '+']), "{line}");
    line[1..].trim().parse().unwrap_or(0)
}

/// `PFCOUNT` answers from our bytes, and `PFADD` of the same items finds that it knows them.
#[cfg(unix)]
#[test]
fn redis_reads_what_is_written() {
    use crivo_interop::RedisHll;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = std::env::temp_dir().join(format!("crivo-redis-{}", std::process::id()));
    let socket = path.to_str().unwrap();
    let settings = ["--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder.to_str().unwrap()];
    let Ok(mut server) =
        Command::new("redis-server").args(settings).stdout(std::process::Stdio::null()).spawn()
    else {
        println!("skipped: there is no redis-server");
        return;
    };
    let connect = || {
        std::thread::sleep(std::time::Duration::from_millis(20));
        std::os::unix::net::UnixStream::connect(&path).ok()
    };
    let mut link = (0..500).find_map(|_| connect()).expect("the server opens its socket");
    for items in [0u32, 1, 300, 50_000] {
        let mut sketch = RedisHll::new();
        (0..items).for_each(|item| sketch.insert(format!("item {item}")));
        ask_redis(&mut link, &[b"SET", b"ours", &sketch.to_bytes()]);
        let count = ask_redis(&mut link, &[b"PFCOUNT", b"ours"]);
        let estimate = sketch.estimate();
        // Redis has Ertl's estimator before its bias of order 1/m is removed.
        let bias = 1.1 / 16_384.0 * f64::from(items);
        assert!((estimate.value() - count as f64).abs() <= 1.0 + bias, "{items}: {count} and {estimate}");
        for item in (0..items).step_by(97) {
            let item = format!("item {item}");
            assert_eq!(ask_redis(&mut link, &[b"PFADD", b"ours", item.as_bytes()]), 0, "{item}");
        }
    }
    server.kill().unwrap();
    server.wait().unwrap();
    let _ = fs::remove_file(path);
}
