//! The input without near-duplicates, as it was written.

use super::Unit;
use super::documents::Collection;
use super::print::{Work, dropped};
use crate::cmd::header::Header;
use crate::input::{Input, Wants};
use crate::session::Session;
use anyhow::{Result, bail};
use crivo::similarity::Group;
use std::collections::HashSet;
use std::ops::ControlFlow;

/// Writes it to the file that was named, or to where answers go.
pub(super) fn print_kept(
    all: &Collection,
    groups: &[Group],
    input: &Input,
    work: &Work,
    session: &Session,
) -> Result<()> {
    let copy = |write: &mut dyn FnMut(&[u8]) -> Result<()>| {
        if work.question.unit == Unit::Record {
            copy_records(all, groups, input, work.record_end, write)
        } else {
            write_names(all, groups, input, write)
        }
    };
    match &work.target {
        Some(target) => target.write_with(session, |writer| copy(&mut |bytes| Ok(writer.write_all(bytes)?))),
        None => copy(&mut |bytes| session.pass(bytes)),
    }
}

/// Reads the input again, and writes all but the records to drop.
fn copy_records(
    all: &Collection,
    groups: &[Group],
    input: &Input,
    record_end: u8,
    write: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let mut drop: Vec<u64> =
        groups.iter().flat_map(dropped).map(|document| all.names.row(document)).collect();
    drop.sort_unstable();
    let mut drop = drop.into_iter().peekable();
    let end = [record_end];
    let (mut header, mut row, mut is_at_end) = (Header::default(), 0, true);
    if let Some(first) = input.sources.first() {
        write(first.mark(&input.watch)?)?;
    }
    input.clone().read(Wants::default().and_records(), |batch| {
        if header.see(batch)? {
            write(batch.head)?;
            is_at_end = batch.head.ends_with(&end);
        }
        for piece in batch.pieces() {
            row += 1;
            if drop.next_if_eq(&(row - 1)).is_some() {
                continue;
            }
            if !is_at_end {
                // The last record of a file may lack its line end.
                write(&end)?;
            }
            write(piece)?;
            is_at_end = piece.ends_with(&end);
        }
        Ok(ControlFlow::Continue(()))
    })?;
    if row != all.search.len() as u64 + all.empty {
        bail!("the input has changed while it was read; start again");
    }
    Ok(())
}

/// The names of all files but those to drop.
fn write_names(
    all: &Collection,
    groups: &[Group],
    input: &Input,
    write: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let drop: HashSet<&[u8]> =
        groups.iter().flat_map(dropped).map(|document| all.names.bytes(document)).collect();
    for path in input.sources.iter().filter_map(|source| source.path()) {
        let name = path.as_os_str().as_encoded_bytes();
        if !drop.contains(name) {
            write(&[name, b"\n"].concat())?;
        }
    }
    Ok(())
}
