//! What the crate promises, against a slow and plain search and against figures known from elsewhere.

mod bounds;
mod certificate;
mod claims;
mod equilibria;
mod known;
mod masks;
mod oracle;
mod policies;
mod stopping;
