#![doc = include_str!("../README.md")]

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Error, Fields, Ident, Result, parse_macro_input, parse_quote};

/// Implements `crivo::Item`: see the page of that trait.
#[proc_macro_derive(Item)]
pub fn derive_item(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    item(input).unwrap_or_else(Error::into_compile_error).into()
}

fn item(mut input: DeriveInput) -> Result<TokenStream> {
    let body = match &input.data {
        Data::Struct(data) => {
            let (pattern, names) = bind(&data.fields);
            let hash = if let (Fields::Unnamed(_), [only]) = (&data.fields, names.as_slice()) {
                quote!(::crivo::Item::hash_item(#only, spec))
            } else {
                quote!(::crivo::hash::hash_fields(spec, [#(#names),*]))
            };
            quote!(let Self #pattern = self; #hash)
        }
        Data::Enum(data) if data.variants.is_empty() => quote!(match *self {}),
        Data::Enum(data) => {
            let arms = data.variants.iter().map(|variant| {
                let (name, text) = (&variant.ident, variant.ident.to_string());
                let (pattern, names) = bind(&variant.fields);
                quote!(Self::#name #pattern => ::crivo::hash::hash_fields(spec, [&#text #(, #names)*]))
            });
            quote!(match self { #(#arms),* })
        }
        Data::Union(data) => {
            let message =
                "Item can be derived for structs and enums; a union does not say which field it holds";
            return Err(Error::new(data.union_token.span, message));
        }
    };
    for parameter in input.generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(::crivo::Item));
    }
    let name = &input.ident;
    let (generics, arguments, conditions) = input.generics.split_for_impl();
    Ok(quote! {
        impl #generics ::crivo::Item for #name #arguments #conditions {
            fn hash_item(&self, spec: &::crivo::HashSpec) -> u64 {
                #body
            }
        }
    })
}

/// A pattern that binds all fields, and the names that it binds.
fn bind(fields: &Fields) -> (TokenStream, Vec<Ident>) {
    let names: Vec<Ident> = (0..fields.len()).map(|place| format_ident!("field_{place}")).collect();
    let pattern = match fields {
        Fields::Unit => TokenStream::new(),
        Fields::Unnamed(_) => quote!((#(#names),*)),
        Fields::Named(named) => {
            let fields = named.named.iter().map(|field| &field.ident);
            quote!({ #(#fields: #names),* })
        }
    };
    (pattern, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(input: DeriveInput) -> String {
        item(input).unwrap_err().to_string()
    }

    #[test]
    fn a_union_is_refused_with_the_reason() {
        let message = error(parse_quote!(union Bits { whole: u32, half: u16 }));
        assert!(message.contains("structs and enums") && message.contains("union"), "{message}");
    }

    #[test]
    fn parameters_must_be_items() {
        let code = item(parse_quote!(
            struct Pair<A, B>(A, B);
        ))
        .unwrap()
        .to_string();
        assert!(code.contains("A : :: crivo :: Item") && code.contains("B : :: crivo :: Item"), "{code}");
    }

    #[test]
    fn a_single_unnamed_field_is_transparent() {
        let code = item(parse_quote!(
            struct User(u64);
        ))
        .unwrap()
        .to_string();
        assert!(code.contains("Item :: hash_item (field_0 , spec)"), "{code}");
        let code = item(parse_quote!(
            struct User {
                id: u64,
            }
        ))
        .unwrap()
        .to_string();
        assert!(code.contains("hash_fields"), "{code}");
    }
}
