//! `crivo kmers`: graphs, counts, components, parts and unitigs of sequences.

use crate::support::{Dir, data, gzip, zstd};
use crivo::rng::Rng;

fn bases(rng: &mut Rng, count: usize) -> String {
    (0..count).map(|_| char::from(b"ACGT"[usize::try_from(rng.below(4)).unwrap()])).collect()
}

/// Reads of 60 bases, every ten bases, of two genomes that share no 21-mer; in turns.
fn two_genomes(rng: &mut Rng) -> Vec<String> {
    let genomes = [bases(rng, 800), bases(rng, 500)];
    let mut reads = Vec::new();
    for start in (0..=740).step_by(10) {
        reads.push(genomes[0][start..start + 60].to_string());
        if start <= 440 {
            reads.push(genomes[1][start..start + 60].to_string());
        }
    }
    reads
}

fn fasta(reads: &[String]) -> String {
    reads.iter().enumerate().map(|(i, read)| format!(">r{i} of some length\n{read}\n")).collect()
}

fn fastq(reads: &[String]) -> String {
    reads
        .iter()
        .enumerate()
        .map(|(i, read)| format!("@r{i}\n{read}\n+\n{}\n", "I".repeat(read.len())))
        .collect()
}

#[test]
fn every_way_to_write_reads_gives_the_same_graph() {
    let dir = Dir::new();
    let reads = two_genomes(&mut Rng::new(1));
    let text = fasta(&reads);
    let folded: String = reads.iter().map(|read| format!(">x\n{}\n{}\n", &read[..17], &read[17..])).collect();
    dir.write("a.fa", &text);
    dir.write("a.fq", fastq(&reads));
    dir.write("crlf.fa", text.replace('\n', "\r\n"));
    dir.write("folded.fa", folded.to_lowercase());
    dir.write("a.gz", gzip(text.as_bytes()));
    dir.write("a.zst", zstd(fastq(&reads).as_bytes()));
    dir.run("kmers build -k 21 a.fa --save a.crv").text();
    let expected = dir.read("a.crv");
    for name in ["a.fq", "crlf.fa", "folded.fa", "a.gz", "a.zst"] {
        dir.run(&format!("kmers build -k 21 {name} --save b.crv --force")).text();
        assert!(dir.read("b.crv") == expected, "{name}");
    }
    dir.run_with("kmers build -k 21 --save b.crv --force", text.as_bytes()).text();
    assert!(dir.read("b.crv") == expected, "standard input");
}

#[test]
fn a_graph_tells_its_size_and_merges() {
    let dir = Dir::new();
    let reads = two_genomes(&mut Rng::new(2));
    dir.write("a.fa", fasta(&reads[..60]));
    dir.write("b.fa", fasta(&reads[60..]));
    dir.write("short.fa", ">one\nACGT\n>two\n\n>three\nACGTNACGTNACGTNACGTNACGTN\n");
    let answer = &dir.run("kmers build -k 21 a.fa b.fa short.fa --json").json()[0];
    let [sequences, short, kmers] =
        ["sequences", "short", "kmers"].map(|name| answer[name].as_u64().unwrap());
    assert_eq!((sequences, short, kmers), (reads.len() as u64 + 3, 3, reads.len() as u64 * 40), "{answer}");
    let different = answer["different"]["value"].as_f64().unwrap();
    assert!((different - 1260.0).abs() < 60.0, "780 + 480: {answer}");
    let text = dir.run("kmers build -k 21 a.fa b.fa short.fa --exact --save e.crv").text();
    assert!(text.contains("e.crv: exact-de-bruijn of 123 sequences"), "{text}");
    assert!(text.contains("\n1,260 different 21-mers\n"), "{text}");
    assert!(text.ends_with("3 sequences without 21 known bases in a row\n"), "{text}");
    let info = dir.run("info e.crv").text();
    assert!(info.contains("exact-de-bruijn") && info.contains("1,260"), "{info}");
    for (file, name) in [("a.fa", "a.crv"), ("b.fa", "b.crv")] {
        dir.run(&format!("kmers build -k 21 --kmers 2000 {file} --save {name}")).text();
    }
    dir.run("kmers build -k 21 --kmers 2000 a.fa b.fa --save both.crv").text();
    dir.run("merge a.crv b.crv -o merged.crv").text();
    assert_eq!(dir.read("merged.crv"), dir.read("both.crv"));
    dir.run("merge e.crv e.crv -o no.crv").fails_with(&["e.crv", "cannot be merged"]);
    dir.run("filter query a.crv a.fa").fails_with(&["a.crv", "de-bruijn"]);
}

#[test]
fn kmers_are_counted() {
    let dir = Dir::new();
    dir.write("a.fa", ">a\nGATTACA\n>b\nGATTACA\n>c\nTGTAATC\n>d\nGATTA\n");
    // TGTAATC is GATTACA on the other strand.
    let text = dir.run("kmers count -k 5 a.fa --csv --kmers 1000").text();
    assert_eq!(text, "times,kmers\n1,0\n2,0\n3,2\n4,1\n");
    let answers = dir.run("kmers count -k 5 a.fa --json").json();
    assert_eq!((&answers[2]["times"], &answers[2]["kmers"]), (&3.into(), &2.into()), "{answers:?}");
    assert_eq!(answers[4]["kmers"], 10, "{answers:?}");
    let frequencies = dir.run("kmers count -k 5 a.fa --kmers 1000 --kmer TAATC --kmer CCCCC --json").json();
    assert_eq!(
        (&frequencies[0]["key"], &frequencies[0]["frequency"]["value"]),
        (&"TAATC".into(), &4.0.into())
    );
    assert_eq!(frequencies[1]["frequency"]["value"], 0.0);
    let text = dir.run("kmers count -k 5 a.fa --save c.crv").text();
    assert!(
        text.contains("3×  2")
            && text.contains('█')
            && text.contains("10 k-mers, 3 different (95 %: 3), of 4 sequences"),
        "{text}"
    );
    assert!(dir.run("info c.crv").text().contains("count-min"));
    dir.run("kmers count -k 5 a.fa --kmer GATT").fails_with(&["GATT", "4 bases", "5"]);
    dir.run("kmers count -k 5 a.fa --kmer GATTN").fails_with(&["letter 5", "'N'"]);
    let text = dir.run("kmers count -k 5 a.fa --most 2 --kmers 1000").text();
    assert!(text.contains("3 k-mers more than 2 times"), "{text}");
    let text = dir.run("kmers count -k 5 a.fa --most 3 --kmers 1000 --csv").text();
    assert_eq!(text, "times,kmers\n1,0\n2,0\n3,2\n>3,1\n");
    let answers = dir.run("kmers count -k 5 a.fa --most 3 --json").json();
    assert_eq!((&answers[3]["more_than"], &answers[3]["kmers"]), (&3.into(), &1.into()), "{answers:?}");
    assert_eq!(answers[4]["different"]["value"], 3.0, "{answers:?}");
}

#[test]
fn reads_of_two_genomes_are_parted() {
    let dir = Dir::new();
    let reads = two_genomes(&mut Rng::new(3));
    let text = fasta(&reads) + ">short\nACGT\n";
    dir.write("a.fa", &text);
    let shown = dir.run("kmers components -k 21 a.fa --bits 20").text();
    assert_eq!(shown.lines().nth(2), Some("2 components of 121 reads"), "{shown}");
    assert!(shown.starts_with("1  75    62 %\n2  45  37.2 %\n"), "{shown}");
    assert!(shown.ends_with("1 read without 21 known bases in a row\n"), "{shown}");
    let answers = dir.run("kmers components -k 21 a.fa --bits 20 --json").json();
    assert_eq!((&answers[0]["reads"], &answers[2]["components"]), (&75.into(), &2.into()), "{answers:?}");
    let said = dir.run_with("kmers partition -k 21 --bits 20 -o parts", text.as_bytes()).text();
    assert_eq!(said, "parts: 121 reads in 2 components\n");
    let part = |name: &str| String::from_utf8(dir.read(&format!("parts/{name}.fa"))).unwrap();
    assert_eq!(part("1").matches('>').count(), 75);
    assert_eq!(part("2").matches('>').count(), 45);
    assert_eq!(part("others"), ">short\nACGT\n");
    assert!(part("1").starts_with(">r0 of some length\n") && part("2").starts_with(">r1 of some length\n"));
    dir.run("kmers partition -k 21 a.fa -o parts").fails_with(&["parts", "exists already"]);
    dir.run("kmers partition -k 21 a.fa -o no/parts").fails_with(&["no", "no directory"]);
    dir.run("kmers partition -k 21 a.fa").fails_with(&["--output", "--labels"]);
    // With a saved graph, exact or not.
    for flags in ["--exact", "--bits 20"] {
        dir.run(&format!("kmers build -k 21 a.fa {flags} --save g.crv --force")).text();
        dir.run("kmers partition -k 21 a.fa --from g.crv --labels l.tsv --force").text();
        let labels = String::from_utf8(dir.read("l.tsv")).unwrap();
        assert!(
            labels.starts_with("read\tcomponent\nr0 of some length\t1\nr1 of some length\t2\n"),
            "{labels}"
        );
        assert!(labels.ends_with("short\t0\n") && labels.lines().count() == 122, "{labels}");
    }
    let shown = dir.run("kmers components a.fa --from g.crv").text();
    assert!(shown.ends_with("1 read without 21 known bases in a row\n"), "{shown}");
    dir.run("kmers components -k 31 a.fa --from g.crv").fails_with(&["g.crv", "21-mers", "-k is 31"]);
    dir.write("other.txt", "x\n");
    dir.run("filter build other.txt -o f.crv").text();
    dir.run("kmers components a.fa --from f.crv").fails_with(&["f.crv", "no graph of k-mers"]);
    // Nothing is left of what failed.
    assert!(dir.names().iter().all(|name| !name.starts_with('.')), "{:?}", dir.names());
}

#[test]
fn a_crowded_graph_is_given_up() {
    let dir = Dir::new();
    dir.write("a.fa", fasta(&two_genomes(&mut Rng::new(4))));
    for line in ["kmers build -k 21 a.fa --kmers 100", "kmers count -k 21 a.fa --kmers 100"] {
        let said = dir.run(line);
        assert!(
            said.code == Some(0) && said.stderr.contains("more k-mers than --kmers said"),
            "{}",
            said.stderr
        );
        dir.run(&format!("{line} --quiet")).text();
    }
    dir.run("kmers components -k 21 a.fa --bits 1").fails_with(&["--bits"]);
}

#[test]
fn unitigs_are_the_genome() {
    let dir = Dir::new();
    let mut rng = Rng::new(5);
    let genome = bases(&mut rng, 700);
    let reads: Vec<String> = (0..=640).step_by(20).map(|start| genome[start..start + 60].into()).collect();
    dir.write("a.fa", fasta(&reads));
    let said = dir.run("kmers unitigs -k 21 a.fa -o u.fa").text();
    assert_eq!(said, "u.fa: 1 unitig of 680 different 21-mers\nthe longest has 700 bases\n");
    let written = String::from_utf8(dir.read("u.fa")).unwrap();
    let turned: String = genome
        .chars()
        .rev()
        .map(|base| match base {
            'A' => 'T',
            'C' => 'G',
            'G' => 'C',
            _ => 'A',
        })
        .collect();
    assert_eq!(written, format!(">1 700 bases\n{}\n", genome.min(turned)));
    assert_eq!(dir.run("kmers unitigs -k 21 a.fa -o - --quiet").text(), written);
    let said = dir.run("kmers unitigs -k 21 a.fa -o -");
    assert_eq!(said.stderr, "crivo: 1 unitig of 680 different 21-mers; the longest has 700 bases\n");
    dir.run("kmers unitigs -k 21 a.fa -o - --json").fails_with(&["--json", "standard output"]);
    dir.run("kmers unitigs -k 21 a.fa -o u.fa").fails_with(&["u.fa", "--force"]);
    let answer = &dir.run("kmers unitigs -k 21 a.fa -o u.fa --force --json").json()[0];
    assert_eq!(
        (&answer["unitigs"], &answer["bases"], &answer["kmers"]),
        (&1.into(), &700.into(), &680.into())
    );
}

#[test]
fn bad_files_are_named() {
    let dir = Dir::new();
    dir.write("text.txt", "hello\nworld\n");
    dir.write("cut.fq", "@a\nACGTACGT\n+\nIII");
    dir.write("bad.fq", "@a\nACGT\n+\nIIII\n@b\nACGT\nIIII\n@c\n");
    dir.write("cut.gz", &gzip(fasta(&two_genomes(&mut Rng::new(6))).as_bytes())[..400]);
    dir.write("empty.fa", "");
    dir.run("kmers build text.txt").fails_with(&["text.txt", "FASTA", "FASTQ"]);
    dir.run("kmers build cut.fq").fails_with(&["cut.fq", "line"]);
    dir.run("kmers build bad.fq").fails_with(&["bad.fq", "line"]);
    dir.run("kmers build cut.gz").fails_with(&["cut.gz", "gzip"]);
    dir.run("kmers build none.fa").fails_with(&["none.fa", "no such file"]);
    dir.run("kmers build -k 64 empty.fa").fails_with(&["64"]);
    dir.run("kmers build --bits 0 empty.fa").fails_with(&["0 bits"]);
    dir.run("kmers build --max-memory 1KiB --kmers 1e6 empty.fa").fails_with(&["--max-memory"]);
    dir.write("long.fa", format!(">a\n{}\n", bases(&mut Rng::new(7), 20_000)));
    dir.run("kmers build --exact --max-memory 2MiB long.fa").fails_with(&["--max-memory"]);
    dir.run("kmers build --exact --max-memory 4MiB long.fa").text();
    dir.run("kmers build --exact --bits 6 empty.fa").fails_with(&["--exact"]);
    let answer = &dir.run("kmers build empty.fa --json").json()[0];
    assert_eq!((&answer["sequences"], &answer["different"]["value"]), (&0.into(), &0.0.into()), "{answer}");
    assert!(dir.run("kmers components empty.fa").text().starts_with("0 components of 0 reads"));
}

/// The README of the data has counted them.
#[test]
fn real_reads_are_counted() {
    let Some(reads) = data("genomes/khmer_25k.fq.gz") else { return };
    let dir = Dir::new();
    let answer = &dir.run(&format!("kmers build -k 21 {reads} --json")).json()[0];
    assert_eq!((&answer["sequences"], &answer["kmers"]), (&25_000.into(), &1_223_896.into()), "{answer}");
    let different = answer["different"]["value"].as_f64().unwrap();
    assert!((different / 1_221_348.0 - 1.0).abs() < 0.003, "five standard deviations: {answer}");
    assert!(answer["fpr"]["value"].as_f64().unwrap() < 0.058, "{answer}");
    let answers = dir.run(&format!("kmers count -k 21 {reads} --json")).json();
    let end = answers.last().unwrap();
    let (counted, most) = (&end["different"]["value"], &end["different"]["upper"]);
    assert!((counted.as_f64().unwrap()..=most.as_f64().unwrap()).contains(&1_221_348.0), "{end}");
    assert!(end["over_counted"].as_f64().unwrap() < 0.001, "{end}");
    let twice = answers[1]["kmers"].as_u64().unwrap();
    assert!(twice.abs_diff(1872) < 100, "{answers:?}");
}

#[test]
fn frequencies_do_not_stop_at_two_bytes() {
    let dir = Dir::new();
    dir.write("a.fa", format!(">a\n{}\n", "A".repeat(70_000)));
    assert_eq!(
        dir.run("kmers count -k 4 a.fa --kmer AAAA").text().lines().next().unwrap(),
        "69,997 × AAAA  (at least 95 %: 69,997)"
    );
    assert_eq!(dir.run("kmers count -k 4 a.fa --kmer TTTT --json").json()[0]["frequency"]["value"], 69_997.0);
}

/// The filter through which different k-mers are counted leaves some out: the bar holds the truth.
#[test]
fn the_number_of_different_kmers_has_a_bar() {
    const BASES: usize = 400_000;
    let dir = Dir::new();
    // A generator of bases without repeats of 20 and more, but by accident once in 4^20/400,000² files.
    let mut state = 1u64;
    let bases: String = (0..BASES)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from(b"ACGT"[(state >> 62) as usize])
        })
        .collect();
    dir.write("a.fa", format!(">a\n{bases}\n"));
    // Planned for half of them, the filter leaves out many.
    let run = dir.run("kmers count -k 31 a.fa --kmers 200000 --json --quiet");
    let answers = run.json();
    let different = &answers.last().unwrap()["different"];
    let [value, lower, upper] = ["value", "lower", "upper"].map(|name| different[name].as_f64().unwrap());
    let truth = (BASES - 30) as f64;
    assert!(value < truth && lower <= truth && truth <= upper, "{different}");
    assert_eq!(different["guarantee"], "approximate");
    let text = dir.run("kmers count -k 31 a.fa --kmers 200000 --quiet").text();
    assert!(text.lines().any(|line| line.contains(" different (95 %: ") && line.contains(" to ")), "{text}");
}
