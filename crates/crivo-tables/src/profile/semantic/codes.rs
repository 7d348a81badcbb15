//! Texts that have a meaning because a list says so.

/// The codes of ISO 3166-1 alpha-2, in order.
const COUNTRIES: &str = "ADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZCACCCDCFCGCHCI\
    CKCLCMCNCOCRCUCVCWCXCYCZDEDJDKDMDODZECEEEGEHERESETFIFJFKFMFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGYHKHMHNHRHT\
    HUIDIEILIMINIOIQIRISITJEJMJOJPKEKGKHKIKMKNKPKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMHMKMLMMMNMOMPMQMRMSMTMU\
    MVMWMXMYMZNANCNENFNGNINLNONPNRNUNZOMPAPEPFPGPHPKPLPMPNPRPSPTPWPYQARERORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSST\
    SVSXSYSZTCTDTFTGTHTJTKTLTMTNTOTRTTTVTWTZUAUGUMUSUYUZVAVCVEVGVIVNVUWFWSYEYTZAZMZW";

/// The codes of the currencies in use by ISO 4217, in order.
const CURRENCIES: &str = "AEDAFNALLAMDAOAARSAUDAWGAZNBAMBBDBDTBGNBHDBIFBMDBNDBOBBRLBSDBTNBWPBYNBZDCADCDFCHFCLPCNY\
    COPCRCCUPCVECZKDJFDKKDOPDZDEGPERNETBEURFJDFKPGBPGELGHSGIPGMDGNFGTQGYDHKDHNLHTGHUFIDRILSINRIQDIRRISKJMDJODJPYKES\
    KGSKHRKMFKPWKRWKWDKYDKZTLAKLBPLKRLRDLSLLYDMADMDLMGAMKDMMKMNTMOPMRUMURMVRMWKMXNMYRMZNNADNGNNIONOKNPRNZDOMRPABPEN\
    PGKPHPPKRPLNPYGQARRONRSDRUBRWFSARSBDSCRSDGSEKSGDSHPSLESOSSRDSSPSTNSYPSZLTHBTJSTMTTNDTOPTRYTTDTWDTZSUAHUGXUSDUYU\
    UZSVESVNDVUVWSTXAFXCDXOFXPFYERZARZMWZWG";

/// The words for yes and no, in lower case.
const YES_AND_NO: [&str; 18] = [
    "yes", "no", "y", "n", "t", "f", "on", "off", "ja", "nein", "sim", "não", "nao", "si", "sí", "oui",
    "non", "nei",
];

fn is_among(codes: &str, length: usize, text: &str) -> bool {
    let codes = codes.as_bytes().chunks_exact(length);
    text.len() == length && codes.into_iter().any(|code| code == text.as_bytes())
}

pub(super) fn is_country(text: &str) -> bool {
    is_among(COUNTRIES, 2, text)
}

pub(super) fn is_currency(text: &str) -> bool {
    is_among(CURRENCIES, 3, text)
}

pub(super) fn is_yes_or_no(text: &str) -> bool {
    YES_AND_NO.contains(&text.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_are_in_order() {
        for (codes, length, number) in [(COUNTRIES, 2, 249), (CURRENCIES, 3, 153)] {
            let codes: Vec<&[u8]> = codes.as_bytes().chunks(length).collect();
            assert!(
                codes.is_sorted_by(|one, next| one < next) && codes.iter().all(|code| code.len() == length)
            );
            assert_eq!(codes.len(), number);
        }
    }
}
