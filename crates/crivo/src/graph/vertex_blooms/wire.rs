//! The size and the state of a graph, and its file format (`docs/FORMAT.md`).

use super::{VertexBlooms, starts_of};
use crate::bits::BitVec;
use crate::codec::put_u64_varint;
use crate::graph::Direction;
use crate::kind::Kind;
use crate::sketch::{Core, Fact, OfSize, Params, Payload, narrow};
use crate::{BloomParams, Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

#[derive(Clone)]
pub(crate) struct VerticesSize {
    direction: Direction,
    hashes: u32,
    vertices: u64,
}

impl Params for VerticesSize {
    const REMEDY: &str = "build both for the same vertices, sizes and direction";
    const NAMES: &[&str] = &["direction", "hashes", "vertices"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.direction.tag().into(), self.hashes.into(), self.vertices]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let hashes = narrow(numbers[1])?;
        BloomParams::exact(1, hashes)?;
        Ok(Self { direction: Direction::from_tag(numbers[0])?, hashes, vertices: numbers[2] })
    }

    fn facts(&self) -> Vec<Fact> {
        vec![Fact::text("direction", self.direction.name()), Fact::count("vertices", self.vertices)]
    }
}

impl OfSize for VertexBlooms {
    type Params = VerticesSize;

    fn params(&self) -> VerticesSize {
        let Self { direction, hashes, .. } = *self;
        VerticesSize { direction, hashes, vertices: self.vertices.len() as u64 }
    }
}

impl Core for VertexBlooms {
    const KIND: Kind = Kind::VertexBlooms;

    fn heap_bytes(&self) -> usize {
        8 * (self.vertices.capacity() + self.starts.capacity()) + self.bits.memory_bytes()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        for vertex in &self.vertices {
            payload.extend(vertex.to_le_bytes());
        }
        for ends in self.starts.windows(2) {
            put_u64_varint(payload, ends[1] - ends[0]);
        }
        self.bits.to_bytes(payload);
    }

    fn read(size: VerticesSize, file: &mut Payload<'_>) -> Result<Self> {
        let VerticesSize { direction, hashes, vertices: count } = size;
        // A vertex takes at least nine bytes.
        if count > file.bytes.rest().len() as u64 / 9 {
            return Err(Error::malformed(format!(
                "the file is corrupt: the payload is too short for {count} vertices"
            )));
        }
        let mut vertices = Vec::with_capacity(count as usize);
        for _ in 0..count {
            vertices.push(file.bytes.u64()?);
        }
        if !vertices.is_sorted_by(|one, next| one < next) {
            return Err(Error::malformed("the file is corrupt: the hashes of the vertices do not ascend"));
        }
        let sizes = (0..count).map(|_| file.bytes.u64_varint()).collect::<Result<Vec<u64>>>()?;
        let damaged =
            || Error::malformed("the file is corrupt: the number of bits does not match the filters");
        let starts = starts_of(sizes.into_iter()).ok_or_else(damaged)?;
        let end = starts[vertices.len()];
        file.check_memory(size_of::<Self>() as u64 + 8 * (2 * count + 1) + end.div_ceil(64) * 8)?;
        let bits = BitVec::from_bytes(end, file.bytes.take_rest()).ok_or_else(damaged)?;
        Ok(Self { direction, hashes, spec: file.spec, vertices, starts, bits })
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::count("bits", self.bits.len()),
            Fact::count("hashes", self.hashes.into()),
            Fact::number("fill", self.fill()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        if self.vertices != other.vertices {
            let (ours, theirs) = (self.vertices.len(), other.vertices.len());
            return Err(Error::incompatible("vertices", ours, theirs, VerticesSize::REMEDY));
        }
        if self.starts != other.starts {
            let (ours, theirs) = (self.bits.len(), other.bits.len());
            return Err(Error::incompatible("bits", ours, theirs, VerticesSize::REMEDY));
        }
        self.bits.union_with(&other.bits);
        Ok(())
    }
}
