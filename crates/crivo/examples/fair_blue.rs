//! Stochastic Fair Blue: a router finds the flows that do not slow down when packets are dropped, in a few counters.
//! Lopes 2017, section 2.1.7; Feng, Kandlur, Saha and Shin 2001.
//!
//! ```sh
//! cargo run -p crivo --example fair_blue
//! ```

use crivo::HashSpec;
use crivo::hash::Probes;
use crivo::rng::Rng;

/// The levels of the filter, and the bins of each: a flow has one bin in each level.
const LEVELS: usize = 3;
const BINS: u64 = 23;
/// The packets that may wait in one bin, and that the link sends in one step.
const ROOM: u32 = 20;
const SENT: usize = 200;
/// How far the probability of a drop moves in one step.
const STEP: f64 = 0.01;
/// The flows that halve their rate after a drop, and the flow that never does.
const FLOWS: usize = 100;
const GREEDY: usize = FLOWS;

#[derive(Clone, Copy, Default)]
struct Bin {
    waiting: u32,
    drop: f64,
}

struct FairBlue {
    levels: [[Bin; BINS as usize]; LEVELS],
    spec: HashSpec,
}

impl FairBlue {
    /// The bins of a flow, one in each level, as in a partitioned Bloom filter.
    fn bins(&mut self, flow: usize) -> impl Iterator<Item = &mut Bin> {
        let probes = Probes::new(self.spec.hash(&(flow as u64)), BINS);
        self.levels.iter_mut().zip(probes).map(|(level, bin)| &mut level[bin as usize])
    }

    /// The probability of a drop: the smallest of the flow's bins. A flow that shares one bin with a greedy flow has others.
    fn drop_probability(&mut self, flow: usize) -> f64 {
        self.bins(flow).map(|bin| bin.drop).fold(1.0, f64::min)
    }

    /// Takes in a packet unless it is dropped.
    fn receive(&mut self, flow: usize, rng: &mut Rng) -> bool {
        for bin in self.bins(flow) {
            if bin.waiting >= ROOM {
                bin.drop = (bin.drop + STEP).min(1.0);
            } else if bin.waiting == 0 {
                bin.drop = (bin.drop - STEP / 10.0).max(0.0);
            }
        }
        let is_received = rng.unit() >= self.drop_probability(flow);
        if is_received {
            self.bins(flow).for_each(|bin| bin.waiting += 1);
        }
        is_received
    }

    fn send(&mut self, flow: usize) {
        self.bins(flow).for_each(|bin| bin.waiting -= 1);
    }
}

fn main() {
    let mut rng = Rng::new(1);
    let mut router = FairBlue { levels: Default::default(), spec: HashSpec::seeded(9) };
    let mut rates = [2.0f64; FLOWS + 1];
    rates[GREEDY] = 100.0;
    let mut queue = Vec::new();
    let mut delivered = [0u32; FLOWS + 1];
    for _ in 0..20_000 {
        for (flow, rate) in rates.iter_mut().enumerate() {
            let packets = *rate as u32 + u32::from(rng.unit() < rate.fract());
            let received = (0..packets).filter(|_| router.receive(flow, &mut rng)).count();
            queue.extend([flow].repeat(received));
            if flow != GREEDY {
                *rate = if received < packets as usize { (*rate / 2.0).max(0.1) } else { *rate + 0.02 };
            }
        }
        for _ in 0..SENT.min(queue.len()) {
            let flow = queue.swap_remove(rng.below(queue.len() as u64) as usize);
            router.send(flow);
            delivered[flow] += 1;
        }
    }
    let all: u32 = delivered.iter().sum();
    let greedy = router.drop_probability(GREEDY);
    let punished = (0..FLOWS).filter(|&flow| router.drop_probability(flow) > 0.5).count();
    let share = 100.0 * f64::from(delivered[GREEDY]) / f64::from(all);
    println!("the greedy flow could fill half of the link and gets {share:.1} % of it");
    println!("its drop probability is {greedy:.2}; {punished} of {FLOWS} other flows suffer with it");
    assert!(greedy > 0.9 && punished <= 3 && share < 10.0);
}
