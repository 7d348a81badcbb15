//! `crivo kmers`: graphs, counts, components, parts and unitigs of sequences.

use crate::support::{Dir, data, gzip, zstd};
use crivo::rng::Rng;

/// Reads of 60 bases, every ten bases, of a genome.
fn reads(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let genome: Vec<u8> = (0..800).map(|_| b"ACGT"[usize::try_from(rng.below(4)).unwrap()]).collect();
    let read = |start: usize| format!(">r{start}\n{}\n", String::from_utf8_lossy(&genome[start..start + 60]));
    (0..=740).step_by(10).map(read).collect()
}

#[test]
fn pipes_and_packed_files_give_the_same_graph() {
    let dir = Dir::new();
    let text = reads(1);
    dir.write("a.fa", &text);
    dir.write("a.gz", gzip(text.as_bytes()));
    dir.write("a.zst", zstd(text.as_bytes()));
    dir.run("kmers build -k 21 a.fa -o a.crv").text();
    let expected = dir.read("a.crv");
    for name in ["a.gz", "a.zst"] {
        dir.run(&format!("kmers build -k 21 {name} -o b.crv --force")).text();
        assert!(dir.read("b.crv") == expected, "{name}");
    }
    dir.run_with("kmers build -k 21 -o b.crv --force", text.as_bytes()).text();
    assert!(dir.read("b.crv") == expected, "standard input");
    dir.write("cut.gz", &gzip(text.as_bytes())[..400]);
    dir.run("kmers build cut.gz").fails_with(&["cut.gz", "gzip"]);
}

#[test]
fn graphs_merge_and_others_are_refused() {
    let dir = Dir::new();
    for (file, seed) in [("a", 1), ("b", 2)] {
        dir.write(&format!("{file}.fa"), reads(seed));
        dir.run(&format!("kmers build -k 21 --kmers 2000 {file}.fa -o {file}.crv")).text();
    }
    dir.run("kmers build -k 21 --kmers 2000 a.fa b.fa -o both.crv").text();
    dir.run("merge a.crv b.crv -o merged.crv").text();
    assert_eq!(dir.read("merged.crv"), dir.read("both.crv"));
    dir.run("kmers build -k 21 a.fa --exact -o e.crv").text();
    let info = dir.run("info e.crv").text();
    assert!(info.contains("exact-de-bruijn") && info.contains("780"), "{info}");
    dir.run("merge e.crv e.crv -o no.crv").fails_with(&["e.crv", "cannot be merged"]);
    dir.run("filter query a.crv --keys a.fa").fails_with(&["a.crv", "de-bruijn"]);
    dir.run("filter build a.fa -o f.crv").text();
    dir.run("kmers components a.fa --from f.crv").fails_with(&["f.crv", "not a graph of k-mers"]);
    dir.run("kmers count -k 5 a.fa --save c.crv").text();
    assert!(dir.run("info c.crv").text().contains("count-min"));
}

#[test]
fn parts_appear_whole() {
    let dir = Dir::new();
    let said = dir.run_with("kmers partition -k 21 --bits 20 -o parts", reads(3).as_bytes()).text();
    assert_eq!(said, "parts: 75 reads in 1 component\n");
    assert_eq!(dir.read("parts/1.fa"), reads(3).as_bytes());
    dir.run_with("kmers partition -k 21 --bits 1 -o crowded", reads(3).as_bytes()).fails_with(&["--bits"]);
    // Nothing is left of what failed.
    assert!(dir.names().iter().all(|name| name == "parts"), "{:?}", dir.names());
}

#[test]
fn wrong_usage_is_told() {
    let dir = Dir::new();
    dir.write("a.fa", "");
    dir.run("kmers partition -k 21 a.fa").fails_with(&["--output", "--labels"]);
    dir.run("kmers build -k 64 a.fa").fails_with(&["64"]);
    dir.run("kmers build --exact --bits 6 a.fa").fails_with(&["--exact"]);
    dir.run("kmers count -k 5 a.fa --csv --kmer GATTA").fails_with(&["--csv", "--kmer"]);
    dir.run("kmers count -k 5 a.fa --csv --json").fails_with(&["--csv", "--json"]);
}

/// The README of the data has counted them.
#[test]
fn real_reads_are_counted() {
    let Some(reads) = data("genomes/khmer_25k.fq.gz") else { return };
    let dir = Dir::new();
    let answer = &dir.run(&format!("kmers build -k 21 {reads} --json")).json()[0];
    assert_eq!((&answer["sequences"], &answer["kmers"]), (&25_000.into(), &1_223_896.into()), "{answer}");
    let different = answer["distinct"]["value"].as_f64().unwrap();
    assert!((different / 1_221_348.0 - 1.0).abs() < 0.003, "five standard deviations: {answer}");
    assert!(answer["fpr"]["value"].as_f64().unwrap() < 0.058, "{answer}");
    let answers = dir.run(&format!("kmers count -k 21 {reads} --json")).json();
    let end = answers.last().unwrap();
    let (counted, most) = (&end["distinct"]["value"], &end["distinct"]["upper"]);
    assert!((counted.as_f64().unwrap()..=most.as_f64().unwrap()).contains(&1_221_348.0), "{end}");
    assert!(end["over_counted"].as_f64().unwrap() < 0.001, "{end}");
    let twice = answers[1]["kmers"].as_u64().unwrap();
    assert!(twice.abs_diff(1872) < 100, "{answers:?}");
}
