//! Stores a histogram as text: HdrHistogram's V2 encoding, deflated, in base64, as in the logs of HdrHistogram.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer};

/// The reason why a text is not a histogram, or why a histogram could not be encoded as text.
#[derive(Debug, thiserror::Error)]
#[error("not a histogram in HdrHistogram's V2 encoding: {0}")]
pub struct HistogramTextError(String);

/// Encodes a histogram as text.
///
/// # Errors
///
/// [`HistogramTextError`] if the encoder fails. This doesn't happen, because the encoder writes to memory.
pub(crate) fn histogram_to_text(histogram: &Histogram<u64>) -> Result<String, HistogramTextError> {
    let mut bytes = Vec::new();
    V2DeflateSerializer::new()
        .serialize(histogram, &mut bytes)
        .map_err(|error| HistogramTextError(error.to_string()))?;
    Ok(STANDARD.encode(bytes))
}

/// Decodes a histogram.
///
/// # Errors
///
/// [`HistogramTextError`] if the text is not a histogram.
pub fn histogram_from_text(text: &str) -> Result<Histogram<u64>, HistogramTextError> {
    let bytes = STANDARD.decode(text).map_err(|error| HistogramTextError(error.to_string()))?;
    Deserializer::new()
        .deserialize(&mut bytes.as_slice())
        .map_err(|error| HistogramTextError(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudobench_rows::Latency;

    #[test]
    fn a_histogram_round_trips() {
        let mut latency = Latency::new(&[]);
        for elapsed_ns in [1, 500, 500, 1_000_000_000] {
            latency.record(elapsed_ns, true);
        }
        let text = histogram_to_text(latency.histogram()).unwrap();
        assert!(text.starts_with("HISTF"), "the cookie that other tools look for: {text}");
        assert_eq!(histogram_from_text(&text).unwrap(), *latency.histogram());
    }

    #[test]
    fn invalid_histograms_are_errors() {
        assert!(histogram_from_text("HISTF").is_err());
        assert!(histogram_from_text("no base64!").is_err());
    }
}
