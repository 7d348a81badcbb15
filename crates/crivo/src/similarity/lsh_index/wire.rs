//! The bytes of an index (`docs/FORMAT.md`): its signatures. The tables follow from them.

use super::LshIndex;
use crate::codec::{self, DecodeOptions, put_u64_varint};
use crate::kind::Kind;
use crate::similarity::LshParams;
use crate::similarity::form::Form;
use crate::sketch::Wire;
use crate::{Error, Result};
use alloc::vec::Vec;

impl Wire for LshIndex {
    fn to_bytes(&self) -> Vec<u8> {
        let mut params = Vec::new();
        self.params.put(&mut params);
        self.form.put(&mut params);
        let mut documents: Vec<u32> = (0..self.len() as u32).collect();
        documents.sort_unstable_by_key(|&document| self.ids.at(document));
        let mut payload = Vec::with_capacity(self.len() * (2 + 4 * self.form.slots()));
        let mut next = 0;
        for document in documents {
            let id = self.ids.at(document);
            put_u64_varint(&mut payload, id - next);
            next = id.wrapping_add(1);
            payload.extend(self.slots_at(document).iter().flat_map(|slot| slot.to_le_bytes()));
        }
        codec::seal(Kind::LshIndex, Some(&self.spec), &params, &payload)
    }

    fn from_bytes_with(bytes: &[u8], options: &DecodeOptions) -> Result<Self> {
        let mut envelope = codec::open(Kind::LshIndex, bytes, options)?;
        let bands = LshParams::read(&mut envelope.params)?;
        let form = Form::read(&mut envelope.params, bands.slots())?;
        envelope.params.finish()?;
        let mut index = Self::empty(bands, form, envelope.spec);
        codec::check_memory(index.memory_bytes() as u64, options)?;

        let payload = &mut envelope.payload;
        let bytes_of_slots = 4 * form.slots();
        index.reserve(payload.rest().len() / (bytes_of_slots + 1));
        codec::check_memory(index.memory_bytes() as u64, options)?;
        let mut next = Some(0u64);
        let mut slots = Vec::new();
        while !payload.rest().is_empty() {
            let gap = payload.u64_varint()?;
            let id = next.and_then(|next| next.checked_add(gap));
            let id = id.ok_or_else(|| Error::malformed("an id beyond 64 bits; copy the file again"))?;
            next = id.checked_add(1);
            let (words, _) = payload.bytes(bytes_of_slots)?.as_chunks();
            slots.clear();
            slots.extend(words.iter().map(|&word| u32::from_le_bytes(word)));
            index.insert_slots(id, &slots)?;
            // The tables grow with the keys, and adding them up takes a while.
            if index.len().is_multiple_of(1024) {
                codec::check_memory(index.memory_bytes() as u64, options)?;
            }
        }
        codec::check_memory(index.memory_bytes() as u64, options)?;
        Ok(index)
    }
}
