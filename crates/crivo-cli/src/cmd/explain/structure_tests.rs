//! The structures with a table of their own in the literature, or with a rule that can be checked line by line.

use super::tests::{cells, explain, lines, marked, step};

#[test]
fn characteristic_matrix_as_printed() {
    let text = explain("matrix");
    let printed = |rows: [(&str, &str); 5], lines: &[&str]| {
        for ((item, bits), line) in rows.into_iter().zip(lines) {
            assert_eq!(cells(line, item).concat(), bits, "{text}");
        }
    };
    let matrix = [("a", "1001"), ("b", "0010"), ("c", "0101"), ("d", "1011"), ("e", "0010")];
    printed(matrix, &step(&text, "the characteristic matrix")[1..]);
    let permuted = step(&text, "permutation 1: b, e, a, d, c");
    printed([("b", "0010"), ("e", "0010"), ("a", "1001"), ("d", "1011"), ("c", "0101")], &permuted[1..]);
    assert_eq!(cells(permuted[6], "h_min").concat(), "acba");
    let first: Vec<usize> = permuted[1..6].iter().map(|line| marked(line).len()).collect();
    assert_eq!(first, [1, 0, 2, 0, 1], "the cells that the table highlights");
}

#[test]
fn simhash_as_printed() {
    let text = explain("simhash");
    assert!(text.contains("2/√(3 · 4) = 0.57735, angle 0.9553, 1 − θ/π = 0.695913"), "{text}");
    // The bits are the signs of the sums.
    for set in ["A", "B"] {
        let lines = step(&text, &format!("the bits of set {set}"));
        let sums = cells(lines[lines.len() - 3], "sum");
        let bits = cells(lines[lines.len() - 2], "bit");
        for (sum, bit) in sums.iter().zip(bits) {
            assert_eq!(if sum.starts_with('−') { "0" } else { "1" }, bit, "{text}");
        }
    }
}

#[test]
fn linear_counting_as_printed() {
    let text = explain("linear-counting");
    let last = step(&text, "insert Prostetnic Vogon Jeltz → 2");
    assert_eq!(cells(last[1], "").concat(), "0011000101001001");
    assert!(text.contains("−16 · ln(10/16) = 7.52; there are 8"), "{text}");
    assert!(step(&text, "insert Ford Prefect → 3")[2].contains("a collision"), "{text}");
    let full = explain("linear-counting --items a,b,c,d,e,f,g,h --cells 2");
    assert!(full.contains("the formula gives infinity"), "{full}");
}

/// Figure 4.3: x leaves the table of figure 4.2, and nothing else moves.
#[test]
fn cuckoo_removal_as_printed() {
    let text = explain("cuckoo --example removal");
    let lines = step(&text, "remove x");
    for (bucket, name) in [(0, "a"), (1, "·"), (4, "c"), (5, "b"), (6, "d"), (7, "e")] {
        let after = lines[1 + bucket].split('|').nth(1).unwrap().trim().trim_end_matches([')', ']']);
        assert!(after.ends_with(name), "{bucket}: {text}");
    }
    assert!(step(&text, "is x there?").last().unwrap().contains("no, and that is certain"), "{text}");
    assert!(step(&text, "is b there?").last().unwrap().contains("correctly"), "{text}");
}

/// Figure 37: the subsets of the four children of a vertex with eight elements.
#[test]
fn tree_labels_as_printed() {
    let text = explain("tree-labels");
    let sets = step(&text, "the sets of the vertices");
    for (line, (vertex, set)) in
        sets[1..].iter().zip([("r", "12345678"), ("u", "1357"), ("v", "1458"), ("w", "1368"), ("x", "1467")])
    {
        assert_eq!(cells(line, vertex).concat(), set, "{text}");
    }
    let edge = step(&text, "are r and u adjacent?");
    let agree = marked(edge[1]).len();
    assert!(edge[3].contains(&format!("{agree} of 16 slots agree")) && edge[3].contains("4 of 8"), "{text}");
}

/// After every insert the remainders are in the order of quotient and remainder, and no earlier than their quotient.
#[test]
fn quotient_runs_are_sorted() {
    let text = explain("quotient");
    let last = step(&text, "insert a → quotient 1, remainder 0010");
    assert_eq!(cells(last[3], "remainder"), ["·", "0010", "0101", "1001", "0100", "1100", "·", "0111"]);
    assert_eq!(cells(last[1], "is a quotient").concat(), "01101001");
    assert_eq!(cells(last[2], "ends a run").concat(), "00011101");
    assert!(
        step(&text, "is y there?").last().unwrap().contains("d has the same quotient and remainder"),
        "{text}"
    );
}

/// The drawing's cells answer as the definition says: the xor of three cells is the fingerprint.
#[test]
fn fuse_cells_give_fingerprints() {
    let text = explain("fuse --items a,b,c,d,e,f --cells 16 --query a,b,c,d,e,f");
    assert_eq!(text.matches("yes, correctly").count(), 6, "{text}");
    assert_eq!(text.matches(" aside: it is alone").count(), 6, "{text}");
    assert!(text.contains("0 items are left"), "{text}");
}

#[test]
fn heavy_hitters_are_bounded() {
    let text = explain("misra-gries");
    let cut = step(&text, "add E");
    assert_eq!([cells(cut[1], "item").concat(), cells(cut[2], "count").concat()], ["ABE·", "211·"], "{text}");
    assert!(cut[4].contains("all lose 1, and C and D drop out"), "{text}");
    assert!(
        step(&text, "how often C?")[4].contains("between 1 and 3") && text.contains("exactly 4"),
        "{text}"
    );
    let text = explain("space-saving");
    let last = step(&text, "add C");
    assert!(last.len() == 5, "{text}");
    for line in text.lines().filter(|line| line.trim_start().starts_with("count")).skip(3) {
        // The smallest counter is taken over with its count, so no count is lost.
        assert!(cells(line, "count").len() == 3);
    }
    let counts = text.lines().filter(|line| line.trim_start().starts_with("count")).nth(11).unwrap();
    let sum: u32 = cells(counts, "count").iter().map(|it| it.parse::<u32>().unwrap()).sum();
    assert_eq!(sum, 12, "{text}");
}

#[test]
fn majorities_are_confirmed_or_refuted() {
    let text = explain("majority");
    assert!(text.contains("ann has 4 of 7 votes, 57.1 %: the majority"), "{text}");
    let text = explain("majority --example none");
    assert!(text.contains("cid has 1 of 5 votes, 20 %: a false positive"), "{text}");
    assert!(explain("majority --items a,b").contains("no candidate is left"));
}

#[test]
fn count_sketch_answers_with_the_median() {
    let text = explain("count-sketch");
    assert!(text.contains("the rows say 1, 8, 1; the median is 1, and right"), "{text}");
    assert!(text.contains("the rows say 8, 8, 5; the median is 8, the truth is 5"), "{text}");
}

/// The weights of what is kept add up to what came, and the median is the value that their sum reaches first.
#[test]
fn kll_levels_keep_the_weight() {
    let text = explain("kll");
    let lines = step(&text, "which value has the share 0.5 of 25");
    let weights: u32 = cells(lines[2], "weight").iter().map(|it| it.parse::<u32>().unwrap()).sum();
    assert_eq!(weights, 25, "{text}");
    let ranks: Vec<u32> = cells(lines[3], "rank").iter().map(|it| it.parse().unwrap()).collect();
    let place = ranks.iter().position(|&rank| rank >= 13).unwrap();
    assert_eq!(marked(lines[1]), [format!("<{}>", cells(lines[1], "value")[place])], "{text}");
}

#[test]
fn bottom_k_keeps_the_smallest() {
    let text = explain("bottom-k --items a,b,c,d,e,f,a");
    let kept = step(&text, "insert f");
    let sorted = cells(kept[1], "");
    assert!(sorted.is_sorted() && sorted.len() == 4, "{text}");
    assert!(step(&text, "insert a → 0.714")[2].contains("there is room"), "{text}");
    assert!(explain("bottom-k --items a,b").contains("2 distinct items, exactly"));
    let sets = explain("bottom-k --example sets");
    assert!(sets.contains("estimated similarity 1/4 = 0.25; the truth is 4/8 = 0.5"), "{sets}");
}

#[test]
fn reservoirs_are_the_library_s() {
    let text = explain("reservoir --seed 5");
    let mut sample = crivo::Reservoir::<String>::for_k(3, 5).unwrap();
    for (number, letter) in (1..).zip('a'..='j') {
        sample.insert(letter.into());
        let shown = step(&text, &format!("item {number}: {letter}"));
        assert_eq!(cells(shown[1], "").join("").replace('·', ""), sample.sample().concat(), "{text}");
    }
    assert!(text.contains("each of 10 items is in the sample of 3 with probability 30 %"), "{text}");
}

/// Lopes' three texts, the published values, and Java's function byte by byte.
#[test]
fn hash_functions_as_printed() {
    let text = explain("hash");
    for (item, values) in [("BBB", "66 2112 65538"), ("BAa", "66 2111 65538"), ("AaB", "65 2112 65538")] {
        let lines = step(&text, &format!("Java: {item} → 65538"));
        assert_eq!(cells(lines[2], "31h + b").join(" "), values, "{text}");
    }
    let polynomial = step(&text, "DJB31MA");
    for (line, item) in polynomial[1..4].iter().zip(["BBB", "BAa", "AaB"]) {
        assert_eq!(
            (cells(line, item)[0], marked(line).len()),
            ("65538", 3),
            "a seed does not part them: {text}"
        );
    }
    assert_eq!(cells(polynomial[4], "pairs that collide").concat(), "333", "{text}");
    for heading in ["Jenkins' one-at-a-time", "Murmur3", "SHA-1", "SipHash"] {
        let pairs = cells(step(&text, heading)[4], "pairs that collide").concat();
        assert_eq!(pairs.trim_matches('0'), "", "{heading}: {text}");
    }
    let text = lines(&["hash", "--items", "a,test,The quick brown fox jumps over the lazy dog"], 1000);
    let jenkins = step(&text, "Jenkins' one-at-a-time");
    assert_eq!(cells(jenkins[1], "a"), ["ca2e9442"], "{text}");
    assert!(jenkins[3].ends_with("519e91f5"), "{text}");
    let murmur = step(&text, "Murmur3");
    assert_eq!(cells(murmur[2], "test")[0], "ba6bd213", "{text}");
    assert!(murmur[3].contains(" 2e4ff723 "), "{text}");
    let words = step(&text, "SHA-1")[3].rsplit("  ").take(5).map(str::trim).collect::<Vec<_>>();
    assert!(
        words.into_iter().rev().collect::<String>() == "2fd4e1c67a2d28fced849ee1bb76e7391b93eb12",
        "{text}"
    );
}

/// The forged text has the value from this seed alone, and its digits are those that are drawn.
#[test]
fn signatures_are_forged() {
    for seed in ["5381", "7"] {
        let text = explain(&format!("hash --items Alice --query Mallory --seed {seed}"));
        let lines = step(&text, "forge a text that begins with Mallory and has the value of Alice");
        let digits = cells(lines[1], "digit");
        let forged = lines[3].rsplit_once(": ").unwrap().1.strip_suffix(" has the value").unwrap();
        let forged = forged.replace(r"\\", r"\");
        let value = crivo::hash::classic::djb31ma(forged.as_bytes(), seed.parse().unwrap());
        assert_eq!(value, crivo::hash::classic::djb31ma(b"Alice", seed.parse().unwrap()), "{text}");
        assert!(digits.len() == 7, "{text}");
        for (digit, letter) in digits.iter().zip(forged[7..].bytes()) {
            assert_eq!(digit.parse(), Ok(letter - b'@'), "{text}");
        }
        assert_eq!(cells(step(&text, "DJB31MA")[3], "pairs that collide").concat(), "010", "{text}");
    }
    assert!(!explain("hash --items , --query x").contains("forge a text"), "there is nothing to forge");
}

/// Numbers in Portuguese have a decimal comma, and the printed numbers are there too.
#[test]
fn portuguese_says_the_same() {
    assert!(explain("simhash --lang pt").contains("1 − θ/π = 0,695913"));
    assert!(explain("linear-counting --lang pt").contains("−16 · ln(10/16) = 7,52; são 8"));
    let text = explain("linear-bloom --lang pt");
    assert!(
        text.contains("inserir a com 0,3 → 1, 3, 7") && text.contains("0,3 = o mínimo, e está certo"),
        "{text}"
    );
    assert!(explain("hash --lang pt").contains("a semente; a de Java é 0"));
    assert!(explain("hyperloglog --lang pt").contains("16 · ln(16/10) = 7,52, arredondado 8; são 8"));
    assert!(
        explain("morris --lang pt --items e:1000000").contains("32767"),
        "without a mark between thousands"
    );
}
