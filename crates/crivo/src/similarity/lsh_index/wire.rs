//! The bytes of an index (`docs/FORMAT.md`): its signatures. The tables follow from them.

use super::LshIndex;
use crate::codec::{self, DecodeOptions, put_u64_varint};
use crate::kind::Kind;
use crate::similarity::LshParams;
use crate::similarity::signature::Scheme;
use crate::sketch::Wire;
use crate::{Error, Result};
use alloc::format;
use alloc::vec::Vec;

impl Wire for LshIndex {
    fn to_bytes(&self) -> Vec<u8> {
        let mut params = Vec::new();
        for number in [self.params.bands(), self.params.rows(), self.signature_slots() as u32] {
            put_u64_varint(&mut params, number.into());
        }
        params.push(self.scheme as u8);
        let mut documents: Vec<u32> = (0..self.len() as u32).collect();
        documents.sort_unstable_by_key(|&document| self.ids[document as usize]);
        let mut payload = Vec::with_capacity(self.len() * (2 + 4 * self.signature_slots()));
        let mut next = 0;
        for document in documents {
            let id = self.ids[document as usize];
            put_u64_varint(&mut payload, id - next);
            next = id.wrapping_add(1);
            payload.extend(self.slots_at(document).iter().flat_map(|slot| slot.to_le_bytes()));
        }
        codec::seal(Kind::LshIndex, Some(&self.spec), &params, &payload)
    }

    fn from_bytes_with(bytes: &[u8], options: &DecodeOptions) -> Result<Self> {
        let mut envelope = codec::open(Kind::LshIndex, bytes, options)?;
        let mut number = || {
            let number = envelope.params.u64_varint()?;
            u32::try_from(number).map_err(|_| Error::malformed(format!("a size of {number} in the params")))
        };
        let (bands, rows, width) = (number()?, number()?, number()?);
        let scheme = envelope.params.u8()?;
        envelope.params.finish()?;
        let scheme = Scheme::from_id(scheme)
            .ok_or_else(|| Error::malformed(format!("unknown scheme {scheme} of signatures")))?;
        let made = LshParams::exact(bands, rows)
            .and_then(|params| Self::with_scheme(params, scheme, width as usize, envelope.spec));
        let mut index = made.map_err(|error| Error::malformed(format!("{error}")))?;
        codec::check_memory(index.memory_bytes() as u64, options)?;

        let payload = &mut envelope.payload;
        let bytes_of_slots = 4 * width as usize;
        index.reserve(payload.rest().len() / (bytes_of_slots + 1));
        codec::check_memory(index.memory_bytes() as u64, options)?;
        let mut next = Some(0u64);
        let mut slots = Vec::with_capacity(width as usize);
        while !payload.rest().is_empty() {
            let gap = payload.u64_varint()?;
            let id = next.and_then(|next| next.checked_add(gap));
            let id = id.ok_or_else(|| Error::malformed("an id beyond 64 bits; copy the file again"))?;
            next = id.checked_add(1);
            let (words, _) = payload.bytes(bytes_of_slots)?.as_chunks();
            slots.clear();
            slots.extend(words.iter().map(|&word| u32::from_le_bytes(word)));
            index.insert_slots(id, &slots)?;
            codec::check_memory(index.memory_bytes() as u64, options)?;
        }
        Ok(index)
    }
}
