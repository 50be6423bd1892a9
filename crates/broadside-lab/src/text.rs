//! Numbers and bytes as text.

/// A number with a comma before every three digits of its whole part.
pub(crate) fn thousands(number: &str) -> String {
    let digits = number.trim_start_matches('-');
    let (whole, decimals) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut grouped = number[..number.len() - digits.len()].to_owned();
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + decimals
}

/// Bytes as lower-case hexadecimal digits.
///
/// ```
/// assert_eq!(broadside_lab::hex(&[0, 1, 0xab]), "0001ab");
/// ```
pub fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_three() {
        assert_eq!(["7", "100", "1000", "-12345678"].map(thousands), ["7", "100", "1,000", "-12,345,678"]);
        assert_eq!(["-1234.5", "-0.0630", "123456"].map(thousands), ["-1,234.5", "-0.0630", "123,456"]);
    }
}
