//! One measurement for all labels that tell edges alone, with errors of both sorts.

use crivo::HashSpec;
use crivo::graph::{Edge, LabelParams};
use crivo::rng::Rng;

use crate::experiments::errors::{FALSE_ALARM, Law, Place, Run};
use crate::experiments::prelude::*;
use crate::significant;

/// A graph: its edges, and pairs that are none but as like edges as can be.
pub(super) struct Sample {
    pub(super) edges: Vec<Edge>,
    pub(super) others: Vec<Edge>,
}

/// Labels to be measured.
pub(super) trait Labelled: Sized {
    const ID: &'static str;
    const TITLE: &'static str;
    const REFERENCE: &'static str;
    const THEORY: &'static str;
    const COST: Cost;

    fn sample(n: u32, rng: &mut Rng) -> Sample;

    /// The size for these rates of both errors.
    fn params(n: u32, sample: &Sample, rate: f64) -> Result<LabelParams>;

    fn freeze(n: u32, sample: &Sample, params: LabelParams, spec: HashSpec) -> Result<Self>;

    fn joined(&self, edge: Edge) -> Result<bool>;

    /// The rates of spurious and missed edges that it states.
    fn rates(&self) -> [f64; 2];

    fn bits(&self) -> u32;
}

const SIZES: [u32; 5] = [40, 100, 200, 400, 1000];
const RATE: f64 = 0.01;
const TARGETS: [f64; 4] = [0.2, 0.1, 0.01, 0.001];

pub(super) const fn experiment<L: Labelled>() -> Experiment {
    Experiment {
        id: L::ID,
        title: L::TITLE,
        source: Source::Crivo,
        reference: L::REFERENCE,
        question: "How many edges are missed and how many are spurious, for graphs of any size, and how many bits per vertex do given rates of \
both cost?",
        theory: L::THEORY,
        cost: L::COST,
        timed: false,
        structures: const { &[L::ID.split_at(2).1] },
        contradicts: false,
        faults: const {
            &[
                Fault {
                    name: "every fiftieth answer turned around",
                    run: |settings, progress| {
                        measure::<L>(settings, progress, Flaw { every: 50, ..Flaw::NONE })
                    },
                },
                Fault {
                    name: "labels for a rate that falls as the graph grows",
                    run: |settings, progress| {
                        measure::<L>(settings, progress, Flaw { shrinks: true, ..Flaw::NONE })
                    },
                },
                Fault {
                    name: "labels for twice the rate",
                    run: |settings, progress| {
                        measure::<L>(settings, progress, Flaw { loosened: 2.0, ..Flaw::NONE })
                    },
                },
            ]
        },
        run: |settings, progress| measure::<L>(settings, progress, Flaw::NONE),
    }
}

/// A planted fault.
#[derive(Clone, Copy)]
struct Flaw {
    /// One answer in this number is turned around.
    every: usize,
    /// Whether labels are made for a rate that falls as the graph grows.
    shrinks: bool,
    /// How many times the rate that is asked for labels are made for.
    loosened: f64,
}

impl Flaw {
    const NONE: Self = Self { every: usize::MAX, shrinks: false, loosened: 1.0 };
}

/// Labels of one size and target.
struct Sort {
    vertices: u32,
    target: f64,
    /// Spurious, then missed.
    places: [Place; 2],
    bits: u32,
}

impl Sort {
    fn measure<L: Labelled>(
        vertices: u32,
        target: f64,
        graphs: u64,
        flaw: Flaw,
        rng: &mut Rng,
    ) -> Result<Self> {
        let (mut runs, mut rates, mut bits) = ([Vec::new(), Vec::new()], [0.0; 2], 0);
        // All graphs have the same degrees, where it matters: one size is right for all.
        let made_for = flaw.loosened * if flaw.shrinks { target / f64::from(vertices) } else { target };
        let params = L::params(vertices, &L::sample(vertices, rng), made_for)?;
        for _ in 0..graphs {
            let sample = L::sample(vertices, rng);
            let labels = L::freeze(vertices, &sample, params, HashSpec::seeded(rng.next_u64()))?;
            (rates, bits) = (labels.rates(), labels.bits());
            for ((pairs, is_wrong), runs) in
                [(&sample.others, true), (&sample.edges, false)].into_iter().zip(&mut runs)
            {
                let mut wrong = 0;
                for (number, &pair) in pairs.iter().enumerate() {
                    let is_turned = number % flaw.every == flaw.every - 1;
                    wrong += u64::from((labels.joined(pair)? ^ is_turned) == is_wrong);
                }
                let asked = pairs.len() as u64;
                // Pairs of one graph share labels: the spread between graphs is what counts.
                runs.push(Run { asked, wrong, told: (wrong as f64 / asked as f64).into() });
            }
        }
        let mut what =
            ["spurious", "missed"].into_iter().zip(rates).zip(runs).map(|((what, expected), runs)| {
                let name = format!("{what} edges of {vertices} vertices made for {} %", 100.0 * target);
                Place { name, x: f64::from(vertices), expected, step: 0.0, runs }
            });
        let places = std::array::from_fn(|_| what.next().expect("there are two"));
        Ok(Self { vertices, target, places, bits })
    }
}

fn measure<L: Labelled>(settings: &Settings, progress: &mut Progress, flaw: Flaw) -> Result<Outcome> {
    let graphs = if settings.size == Size::Quick { 30 } else { 1000 };
    let mut rng = settings.rng(L::ID);
    progress.start((SIZES.len() + TARGETS.len()) as u64);
    let mut measured = |vertices: u32, target: f64| {
        let sort = Sort::measure::<L>(vertices, target, graphs, flaw, &mut rng);
        progress.step();
        sort
    };
    let sizes = SIZES.iter().map(|&n| measured(n, RATE)).collect::<Result<Vec<_>>>()?;
    let targets = TARGETS.iter().map(|&target| measured(200, target)).collect::<Result<Vec<_>>>()?;
    Ok(Outcome {
        atlas: targets.iter().find(|sort| sort.target == RATE).map(entry),
        tables: vec![table("sizes", &sizes), table("bits", &targets)],
        plots: vec![sizes_plot(&sizes), bits_plot(&targets)],
        verdicts: judge(&sizes, &targets),
        notes: vec![format!("{graphs} random graphs at each place, each with its own hash function.")],
    })
}

/// The line of the atlas: labels for a rate of 1 %.
fn entry(sort: &Sort) -> Entry {
    let [spurious, missed] = sort.places.each_ref().map(|place| significant(place.percent(), 3));
    Entry {
        setting: format!("{} vertices at a target of {} %", sort.vertices, 100.0 * sort.target),
        error: format!("{spurious} % spurious and {missed} % missed edges"),
        size: format!("{} bits per vertex", sort.bits),
        coverage: "no intervals".to_owned(),
    }
}

fn table(name: &'static str, sorts: &[Sort]) -> Table {
    let columns = [
        "vertices",
        "target (%)",
        "spurious, theory (%)",
        "spurious, measured (%)",
        "missed, theory (%)",
        "missed, measured (%)",
        "label (bits per vertex)",
    ];
    let mut table = Table::new(name, columns);
    for Sort { vertices, target, places: [spurious, missed], bits } in sorts {
        let rates = [spurious, missed].map(|place| [100.0 * place.expected, place.percent()]).concat();
        let row = [f64::from(*vertices), 100.0 * target].into_iter().chain(rates).chain([f64::from(*bits)]);
        table.push(row.map(Cell::from));
    }
    table
}

fn sizes_plot(sorts: &[Sort]) -> Plot {
    let theory = |which: usize| {
        let point = move |sort: &Sort| Point::new(sort.places[which].x, 100.0 * sort.places[which].expected);
        Series::new(
            ["spurious edges, theory", "missed edges, theory"][which],
            Style::Curve,
            sorts.iter().map(point),
        )
        .coloured(which)
    };
    let seen = |which: usize| {
        Series::new(
            "measured (95 % interval)",
            Style::Points,
            sorts.iter().map(|sort| sort.places[which].point()),
        )
        .coloured(which)
    };
    let top = sorts.iter().flat_map(|sort| &sort.places).map(|place| place.bars().1).fold(2.0, f64::max);
    Plot::new("sizes", "Errors of labels made for 1 % of either sort")
        .axes("vertices n (count)", "errors (%)")
        .log_x()
        .between(0.0, top)
        .with([theory(0), seen(0), theory(1), seen(1)])
}

fn bits_plot(sorts: &[Sort]) -> Plot {
    let at = |which: usize| {
        sorts.iter().map(move |sort| Point::new(sort.places[which].percent(), f64::from(sort.bits)))
    };
    Plot::new("bits", "Bits that rates of both errors cost")
        .axes("errors (%)", "label (bits per vertex)")
        .log_x()
        .with([
            Series::new("spurious edges", Style::Joined, at(0)),
            Series::new("missed edges", Style::Joined, at(1)),
        ])
}

fn judge(sizes: &[Sort], targets: &[Sort]) -> Vec<Verdict> {
    let all = || sizes.iter().chain(targets);
    let false_alarm = FALSE_ALARM / (4 * all().count()) as f64;
    let follows = |which: usize| all().map(move |sort| sort.places[which].follows(Law::Mean, false_alarm));
    let target = all().flat_map(|sort| {
        sort.places.iter().map(|place| {
            let stated = 100.0 * place.expected;
            Check {
                place: place.name.clone(),
                value: stated,
                expected: 100.0 * sort.target,
                lower: f64::NEG_INFINITY,
                upper: 100.0 * sort.target,
            }
        })
    });
    let same = sizes.iter().all(|sort| sort.bits == sizes[0].bits);
    vec![
        Verdict::within("The rate of spurious edges is the stated one.", " %", follows(0)),
        Verdict::within("The rate of missed edges is the stated one.", " %", follows(1)),
        Verdict::within("The stated rates do not exceed the targets.", " %", target),
        Verdict::new(
            "A label does not grow with the graph.",
            same,
            format!(
                "{} bits per vertex at 1 %, of {} and of {} vertices.",
                sizes[0].bits,
                SIZES[0],
                SIZES[SIZES.len() - 1]
            ),
        ),
    ]
}
