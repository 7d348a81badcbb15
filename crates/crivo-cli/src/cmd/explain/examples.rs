//! The worked examples of the literature, with what was printed there.

/// One of them.
#[derive(Debug)]
pub(super) struct Example {
    pub(super) name: &'static str,
    /// As the user would write them.
    pub(super) items: &'static [&'static str],
    pub(super) remove: &'static str,
    pub(super) query: &'static str,
    pub(super) cells: u64,
    pub(super) hashes: u32,
    /// The number of the first cell.
    pub(super) first: u64,
    given: &'static [(&'static str, Given)],
}

/// What was printed about an item.
#[derive(Debug)]
pub(super) enum Given {
    /// Its cells, in the order of the functions.
    Positions(&'static [u64]),
    /// The first bits of its hash.
    Bits(&'static str),
    /// Its two buckets.
    Buckets([u64; 2]),
    /// Its quotient and its remainder.
    Fingerprint(u64, u64),
    /// Its value under each function.
    Values(&'static [u32]),
}

use Given::{Bits, Buckets, Fingerprint, Positions, Values};

impl Example {
    pub(super) fn given(&self, name: &str) -> Option<&'static Given> {
        self.given.iter().find(|(given, _)| *given == name).map(|(_, given)| given)
    }
}

/// What most have not.
const NONE: Example =
    Example { name: "", items: &[], remove: "", query: "", cells: 0, hashes: 0, first: 0, given: &[] };

/// The cells of the names in figures 4 and 8.
const TRAVELLERS: &[(&str, Given)] = &[
    ("Arthur Dent", Positions(&[6, 11])),
    ("Tricia McMillan", Positions(&[10, 9])),
    ("Zaphod Beeblebrox", Positions(&[4, 12])),
    ("Ford Prefect", Positions(&[3, 1])),
    ("Marvin", Positions(&[14, 4])),
    ("Slartibartfast", Positions(&[14, 5])),
    ("Fenchurch", Positions(&[11, 3])),
];

pub(super) const BLOOM: &[Example] = &[
    Example {
        name: "lopes",
        items: &["Arthur Dent,Tricia McMillan,Zaphod Beeblebrox,Ford Prefect,Marvin"],
        query: "Ford Prefect,Slartibartfast,Fenchurch",
        cells: 16,
        hashes: 2,
        first: 1,
        given: TRAVELLERS,
        ..NONE
    },
    Example {
        name: "ferreira",
        items: &["a,b,c"],
        query: "a,d",
        cells: 11,
        hashes: 3,
        first: 1,
        given: LETTERS,
        ..NONE
    },
];

const LETTERS: &[(&str, Given)] = &[
    ("a", Positions(&[1, 3, 7])),
    ("b", Positions(&[3, 7, 10])),
    ("c", Positions(&[4, 7, 10])),
    ("d", Positions(&[1, 4, 10])),
];

pub(super) const COUNTING: &[Example] = &[Example {
    name: "lopes",
    items: &["Arthur Dent,Tricia McMillan,Zaphod Beeblebrox,Ford Prefect,Marvin"],
    remove: "Marvin",
    query: "Zaphod Beeblebrox,Slartibartfast,Fenchurch,Marvin",
    cells: 16,
    hashes: 2,
    first: 1,
    given: TRAVELLERS,
}];

pub(super) const COUNT_MIN: &[Example] = &[Example {
    name: "lopes",
    items: &["Arthur Dent:3,Tricia McMillan:2,Zaphod Beeblebrox:2,Ford Prefect:5,Marvin"],
    query: "Ford Prefect,Marvin,Fenchurch",
    cells: 8,
    hashes: 2,
    given: &[
        ("Arthur Dent", Positions(&[5, 2])),
        ("Tricia McMillan", Positions(&[1, 0])),
        ("Zaphod Beeblebrox", Positions(&[5, 3])),
        ("Ford Prefect", Positions(&[2, 0])),
        ("Marvin", Positions(&[5, 3])),
        ("Fenchurch", Positions(&[1, 7])),
    ],
    ..NONE
}];

pub(super) const LINEAR_BLOOM: &[Example] = &[Example {
    name: "ferreira",
    items: &["a:0.3,b:0.5,c:0.7"],
    query: "a,a:0.3,d,d:0.4",
    cells: 11,
    hashes: 3,
    first: 1,
    given: LETTERS,
    ..NONE
}];

pub(super) const HYPERLOGLOG: &[Example] = &[Example {
    name: "lopes",
    items: &[
        "Arthur Dent,Tricia McMillan,Marvin,Ford Prefect,Zaphod Beeblebrox,Fenchurch,Slartibartfast,Prostetnic Vogon Jeltz",
    ],
    cells: 16,
    given: &[
        ("Arthur Dent", Bits("1100 011101111010")),
        ("Tricia McMillan", Bits("0011 100101101000")),
        ("Marvin", Bits("1111 010100110011")),
        ("Ford Prefect", Bits("0011 110010100000")),
        ("Zaphod Beeblebrox", Bits("1111 001010111011")),
        ("Fenchurch", Bits("1001 101010110101")),
        ("Slartibartfast", Bits("0111 010101001000")),
        ("Prostetnic Vogon Jeltz", Bits("0010 000111110111")),
    ],
    ..NONE
}];

/// The buckets of figures 4.1 to 4.3.
const NESTS: &[(&str, Given)] = &[
    ("a", Buckets([0, 3])),
    ("b", Buckets([1, 5])),
    ("c", Buckets([5, 4])),
    ("d", Buckets([6, 2])),
    ("e", Buckets([7, 3])),
    ("x", Buckets([1, 7])),
    ("y", Buckets([2, 6])),
];

pub(super) const CUCKOO: &[Example] = &[
    Example {
        name: "silva",
        items: &["a,b,c,d,e,x"],
        query: "x,b,y",
        cells: 8,
        hashes: 1,
        given: NESTS,
        ..NONE
    },
    Example {
        name: "removal",
        items: &["a,b,c,d,e,x"],
        remove: "x",
        query: "x,b",
        cells: 8,
        hashes: 1,
        given: NESTS,
        ..NONE
    },
];

pub(super) const QUOTIENT: &[Example] = &[Example {
    name: "runs",
    items: &["b,e,f,c,d,a"],
    remove: "c",
    query: "a,c,x,y",
    cells: 8,
    hashes: 4,
    given: &[
        ("a", Fingerprint(1, 0b0010)),
        ("b", Fingerprint(1, 0b0101)),
        ("c", Fingerprint(1, 0b1001)),
        ("d", Fingerprint(2, 0b0100)),
        ("e", Fingerprint(4, 0b1100)),
        ("f", Fingerprint(7, 0b0111)),
        ("x", Fingerprint(4, 0b0001)),
        ("y", Fingerprint(2, 0b0100)),
    ],
    ..NONE
}];

pub(super) const FUSE: &[Example] =
    &[Example { name: "peeling", items: &["fig,plum,pear,nut,kiwi"], cells: 12, ..NONE }];

pub(super) const COUNT_SKETCH: &[Example] = &[Example {
    name: "travellers",
    items: &["Arthur Dent:3,Tricia McMillan:2,Zaphod Beeblebrox:2,Ford Prefect:5,Marvin"],
    query: "Ford Prefect,Marvin,Fenchurch",
    cells: 8,
    hashes: 3,
    ..NONE
}];

pub(super) const MAJORITY: &[Example] = &[
    Example { name: "votes", items: &["ann,bob,ann,cid,ann,ann,bob"], ..NONE },
    Example { name: "none", items: &["ann,bob,ann,bob,cid"], ..NONE },
];

/// A stream in which A comes four times, B three times, and others once or twice.
const LETTERS_IN_A_ROW: &str = "A,B,A,C,D,A,B,E,A,B,F,C";

pub(super) const HEAVY: &[Example] =
    &[Example { name: "letters", items: &[LETTERS_IN_A_ROW], query: "A,C,F", cells: 4, ..NONE }];

pub(super) const HEAVY_3: &[Example] =
    &[Example { name: "letters", items: &[LETTERS_IN_A_ROW], query: "A,B,C", cells: 3, ..NONE }];

pub(super) const KLL: &[Example] = &[Example {
    name: "numbers",
    items: &["31,41,59,26,53,58,97,93,23,84,62,64,33,83,27,95,2,88,41,97,16,93,99,37,51"],
    cells: 8,
    ..NONE
}];

pub(super) const LINEAR_COUNTING: &[Example] =
    &[Example { name: "lopes", items: HYPERLOGLOG[0].items, cells: 16, given: HYPERLOGLOG[0].given, ..NONE }];

pub(super) const BOTTOM_K: &[Example] = &[
    Example { name: "letters", items: &["a,b,c,d,e,f,a,g,h,b"], cells: 4, ..NONE },
    Example { name: "sets", items: &["a,b,c,d,e,f", "c,d,e,f,g,h"], cells: 4, ..NONE },
];

pub(super) const MATRIX: &[Example] = &[Example {
    name: "lopes",
    items: &["a,d", "c", "b,d,e", "a,c,d"],
    hashes: 1,
    // The permutation (b, e, a, d, c).
    given: &[
        ("b", Values(&[1])),
        ("e", Values(&[2])),
        ("a", Values(&[3])),
        ("d", Values(&[4])),
        ("c", Values(&[5])),
    ],
    ..NONE
}];

pub(super) const SIM_HASH: &[Example] =
    &[Example { name: "lopes", items: &["a,d,e", "b,c,d,e"], hashes: 8, ..NONE }];

pub(super) const RESERVOIR: &[Example] =
    &[Example { name: "ten", items: &["a,b,c,d,e,f,g,h,i,j"], cells: 3, ..NONE }];

pub(super) const TREE_LABELS: &[Example] = &[
    Example { name: "lopes", items: &["r-u,r-v,r-w,r-x,u-a,u-b,u-c,u-d"], cells: 16, ..NONE },
    Example { name: "levels", items: &["r-a,r-b,a-c,a-d,c-e"], cells: 16, ..NONE },
];

pub(super) const MIN_HASH: &[Example] = &[
    Example {
        name: "lopes",
        items: &[
            "Arthur Dent,Tricia McMillan,Zaphod Beeblebrox,Ford Prefect,Marvin,Fenchurch",
            "Zaphod Beeblebrox,Ford Prefect,Marvin,Fenchurch,Slartibartfast,Prostetnic Vogon Jeltz",
        ],
        hashes: 8,
        given: &[
            ("Arthur Dent", Values(&[197, 98, 11, 86, 71, 82, 57, 204])),
            ("Tricia McMillan", Values(&[137, 68, 172, 6, 132, 40, 238, 106])),
            ("Zaphod Beeblebrox", Values(&[247, 6, 253, 138, 225, 220, 229, 120])),
            ("Ford Prefect", Values(&[71, 182, 221, 96, 237, 63, 209, 201])),
            ("Marvin", Values(&[11, 193, 29, 192, 186, 182, 113, 150])),
            ("Fenchurch", Values(&[118, 207, 1, 251, 80, 34, 116, 143])),
            ("Slartibartfast", Values(&[208, 8, 198, 81, 195, 181, 195, 153])),
            ("Prostetnic Vogon Jeltz", Values(&[171, 178, 130, 196, 145, 237, 73, 88])),
        ],
        ..NONE
    },
    Example {
        name: "bands",
        items: &["S1", "S2", "S3", "S4", "S5"],
        hashes: 8,
        given: &[
            ("S1", Values(&[6, 1, 8, 0, 2, 0, 5, 4])),
            ("S2", Values(&[1, 3, 3, 9, 0, 0, 1, 4])),
            ("S3", Values(&[7, 7, 8, 4, 6, 3, 1, 9])),
            ("S4", Values(&[6, 1, 5, 1, 2, 1, 5, 4])),
            ("S5", Values(&[2, 3, 3, 9, 0, 0, 1, 4])),
        ],
        ..NONE
    },
];

pub(super) const DYADIC: &[Example] =
    &[Example { name: "lopes", items: &["7,5:2,9,12:3,15"], query: "5-14,0-7", cells: 16, ..NONE }];

pub(super) const HASH: &[Example] = &[
    Example { name: "lopes", items: &["BBB,BAa,AaB"], cells: 11, hashes: 4, ..NONE },
    Example {
        name: "mpei",
        items: &["Alice: 10 EUR"],
        query: "Mallory: 1000 EUR ref",
        cells: 11,
        hashes: 4,
        ..NONE
    },
];

pub(super) const MORRIS: &[Example] = &[Example { name: "twenty", items: &["event:20"], ..NONE }];
