//! Which variants are measured.

use regex_lite::Regex;

use super::Fault;
use sudobench_sudoku::solver::{self, Variant};

/// How variants are chosen: by name, or by pattern among those that `solvers` lists.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Names; empty means all that are listed.
    pub names: Vec<String>,
    /// Keeps variants whose name it matches.
    pub include: Option<Regex>,
    /// Leaves out variants whose name it matches.
    pub exclude: Option<Regex>,
}

impl Selection {
    /// The variants chosen, in the order of their names as typed, else of the registry; each once.
    ///
    /// # Errors
    /// [`Fault`] where a name is unknown.
    pub fn variants(&self) -> Result<Vec<&'static Variant>, Fault> {
        let mut chosen: Vec<&'static Variant> = Vec::new();
        for name in &self.names {
            let known = || solver::listed().map(|variant| variant.name).collect::<Vec<_>>().join(", ");
            let variant = solver::find(name)
                .ok_or_else(|| Fault(format!("there is no solver `{name}`; there are {}", known())))?;
            if !chosen.iter().any(|other| other.name == variant.name) {
                chosen.push(variant);
            }
        }
        if self.names.is_empty() {
            chosen = solver::listed().collect();
        }
        let included = |name| self.include.as_ref().is_none_or(|pattern| pattern.is_match(name));
        let excluded = |name| self.exclude.as_ref().is_some_and(|pattern| pattern.is_match(name));
        chosen.retain(|variant| included(variant.name) && !excluded(variant.name));
        Ok(chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_order_and_patterns_filter() {
        let all = Selection::default().variants().unwrap();
        assert_eq!(all.len(), solver::listed().count());
        let names = vec!["null".to_owned(), "null".to_owned()];
        let twice = Selection { names, ..Selection::default() };
        assert_eq!(twice.variants().unwrap().len(), 1);
        let without = Selection { exclude: Some(Regex::new("^nu").unwrap()), ..twice };
        assert!(without.variants().unwrap().is_empty());
        let unknown = Selection { names: vec!["magic".to_owned()], ..Selection::default() };
        assert!(unknown.variants().unwrap_err().to_string().starts_with("there is no solver `magic`"));
    }
}
