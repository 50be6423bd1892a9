//! One claim of a document.

use serde::{Serialize, Serializer, ser::SerializeStruct};

use super::{Check, Unit, Verdict};

/// One claim.
#[derive(Clone, Debug)]
pub struct Row {
    /// Where the source makes it.
    pub place: &'static str,
    /// The claim.
    pub claim: String,
    /// The two numbers and the rule.
    pub check: Check,
    /// What the numbers count.
    pub unit: Unit,
    /// The source's own words, where they say more than its number.
    pub says: Option<String>,
    /// What else to know.
    pub note: Option<String>,
    /// Why the numbers may disagree without refuting the claim.
    pub cause: Option<String>,
    /// What measures it; by default the report itself.
    pub command: String,
    /// Whether it is a time, which differs from run to run.
    pub timing: bool,
    /// The uncertainty in words, where the check alone doesn't say it.
    pub uncertainty: Option<&'static str>,
}

impl Row {
    pub(super) fn new(place: &'static str, claim: impl Into<String>, check: Check) -> Self {
        Self {
            place,
            claim: claim.into(),
            check,
            unit: Unit::Plain,
            says: None,
            note: None,
            cause: None,
            command: "broadside reproduce".to_owned(),
            timing: false,
            uncertainty: None,
        }
    }

    pub(super) fn unit(self, unit: Unit) -> Self {
        Self { unit, ..self }
    }

    pub(super) fn says(self, words: impl Into<String>) -> Self {
        Self { says: Some(words.into()), ..self }
    }

    pub(super) fn note(self, words: impl Into<String>) -> Self {
        Self { note: Some(words.into()), ..self }
    }

    pub(super) fn cause(self, words: impl Into<String>) -> Self {
        Self { cause: Some(words.into()), ..self }
    }

    pub(super) fn by(self, command: impl Into<String>) -> Self {
        Self { command: command.into(), ..self }
    }

    pub(super) fn uncertainty(self, words: &'static str) -> Self {
        Self { uncertainty: Some(words), ..self }
    }

    pub(super) fn timing(self, unit: Unit) -> Self {
        Self { unit, timing: true, ..self }
    }

    /// What follows from the numbers.
    pub fn verdict(&self) -> Verdict {
        match self.check.holds() {
            Some(true) => Verdict::Reproduced,
            Some(false) if self.cause.is_some() => Verdict::Differs,
            Some(false) => Verdict::NotReproduced,
            None => Verdict::Undecided,
        }
    }

    /// What the source says.
    pub fn source(&self) -> String {
        self.says.clone().unwrap_or_else(|| self.check.source(self.unit))
    }

    /// What was measured.
    pub fn measured(&self) -> String {
        self.check.measured(self.unit)
    }

    /// How uncertain that is.
    pub fn error(&self) -> String {
        self.uncertainty.map_or_else(|| self.check.error(self.unit), str::to_owned)
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_struct("Row", 10)?;
        row.serialize_field("place", self.place)?;
        row.serialize_field("claim", &self.claim)?;
        row.serialize_field("source", &self.source())?;
        row.serialize_field("measured", &self.measured())?;
        row.serialize_field("error", &self.error())?;
        row.serialize_field("rule", self.check.rule())?;
        row.serialize_field("verdict", &self.verdict())?;
        row.serialize_field("note", &self.remark())?;
        row.serialize_field("timing", &self.timing)?;
        row.serialize_field("command", &self.command)?;
        row.end()
    }
}

impl Row {
    /// The cause, where it matters, and the note.
    pub fn remark(&self) -> Option<String> {
        let cause = self.cause.clone().filter(|_| self.verdict() == Verdict::Differs);
        let words: Vec<String> = [cause, self.note.clone()].into_iter().flatten().collect();
        (!words.is_empty()).then(|| words.join(" "))
    }
}
