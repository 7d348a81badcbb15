//! The worked examples of the literature, with what was printed there.

/// One of them.
#[derive(Debug)]
pub(super) struct Example {
    pub(super) name: &'static str,
    pub(super) source: &'static str,
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
    /// Its value under each function.
    Values(&'static [u32]),
}

use Given::{Bits, Buckets, Positions, Values};

impl Example {
    pub(super) fn given(&self, name: &str) -> Option<&'static Given> {
        self.given.iter().find(|(given, _)| *given == name).map(|(_, given)| given)
    }
}

/// What most have not.
const NONE: Example = Example {
    name: "",
    source: "",
    items: &[],
    remove: "",
    query: "",
    cells: 0,
    hashes: 0,
    first: 0,
    given: &[],
};

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
        source: "Lopes 2017, figure 4",
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
        source: "Ferreira 2017, example 2.1",
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
    source: "Lopes 2017, algorithms 6 to 8 with the cells of figure 4",
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
    source: "Lopes 2017, figure 13",
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
    source: "Ferreira 2017, examples 3.1 and 3.2",
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
    source: "Lopes 2017, figure 25",
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

pub(super) const CUCKOO: &[Example] = &[Example {
    name: "silva",
    source: "Silva 2022, figures 4.1 and 4.2",
    items: &["a,b,c,d,e,x"],
    query: "x,b,y",
    cells: 8,
    hashes: 1,
    given: &[
        ("a", Buckets([0, 3])),
        ("b", Buckets([1, 5])),
        ("c", Buckets([5, 4])),
        ("d", Buckets([6, 2])),
        ("e", Buckets([7, 3])),
        ("x", Buckets([1, 7])),
        ("y", Buckets([2, 6])),
    ],
    ..NONE
}];

pub(super) const MIN_HASH: &[Example] = &[
    Example {
        name: "lopes",
        source: "Lopes 2017, figure 18",
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
        source: "Lopes 2017, table 5",
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

pub(super) const DYADIC: &[Example] = &[Example {
    name: "lopes",
    source: "Lopes 2017, figure 14; the values beside 7 are ours",
    items: &["7,5:2,9,12:3,15"],
    query: "5-14,0-7",
    cells: 16,
    ..NONE
}];

pub(super) const MORRIS: &[Example] = &[Example {
    name: "twenty",
    source: "the counter of 2^n − 1, over twenty events",
    items: &["event:20"],
    ..NONE
}];
