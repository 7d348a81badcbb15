//! Distinct users of each tenant, counted on all cores within a limit of memory.

use crivo::{ExaLogLog, Item, PerKey, Result};
use rayon::prelude::*;

/// The identity of a visitor: the derived item is the tuple of the fields.
#[derive(Item)]
struct Visitor {
    user: u64,
    device: &'static str,
}

struct Visit {
    tenant: u32,
    visitor: Visitor,
}

fn per_tenant(visits: &[Visit]) -> Result<PerKey<u32, ExaLogLog>> {
    let empty = PerKey::new(ExaLogLog::for_error(0.02)?, 64 << 20)?;
    let parts = visits.par_iter().try_fold(
        || empty.clone(),
        |mut part, visit| part.insert(&visit.tenant, &visit.visitor).map(|_| part),
    );
    parts.try_reduce(|| empty.clone(), |mut all, part| all.merge(part).map(|()| all))
}

fn visits() -> Vec<Visit> {
    let visit = |step: u64| {
        let visitor = Visitor { user: step % 10_000, device: ["phone", "laptop"][step as usize % 2] };
        Visit { tenant: (step % 7) as u32, visitor }
    };
    (0..1_000_000).map(visit).collect()
}

fn main() -> Result<()> {
    let tenants = per_tenant(&visits())?;
    for (tenant, visitors) in tenants.iter() {
        println!("tenant {tenant}: {}", visitors.estimate());
    }
    match tenants.rest() {
        Some((visitors, keys)) => println!("{keys} other tenants together: {}", visitors.estimate()),
        None => println!("every tenant has its own counter, in {} bytes", tenants.memory_bytes()),
    }
    Ok(())
}

#[test]
fn every_tenant_has_all_its_visitors() {
    let tenants = per_tenant(&visits()).unwrap();
    assert_eq!(tenants.len(), 7);
    // The user decides the device, so that there are 10,000 visitors, each of whom visits every tenant.
    let outside = tenants.iter().filter(|(_, visitors)| !visitors.estimate().contains(10_000.0)).count();
    assert!(outside <= 2, "{outside} of seven intervals at 95 % miss");
}
