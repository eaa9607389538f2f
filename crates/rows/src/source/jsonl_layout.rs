//! The layout of JSON lines, and how it is detected.

use std::borrow::Cow;

use sudobench_sudoku::puzzle::Puzzle;

use super::InputFormat;
use super::block::Block;
use super::columns::{self, Chosen, Record};
use super::error::SourceError;
use super::format::TextReader;
use super::jsonl::{self, JsonlLayout, Member};
use super::layout::{Layout, ResolvedLayout, RowLayout, RowText, Values};
use super::parsed::{ParsedBlock, Row};
use super::refused;
use super::sample::{RECORDS, Sample};

pub(super) const READER: TextReader = TextReader { order: 1, find, empty: None, may_have_count: false };

/// Returns the layout if some line at the start of the text is a JSON object, and the text starts with `{` or the user names the format.
fn find(sample: &Sample<'_>) -> Result<Option<(Layout, usize)>, SourceError> {
    let Sample { input, options, text, .. } = *sample;
    let is_named = options.format.is_some();
    if !is_named && text.trim_ascii_start().first() != Some(&b'{') {
        return Ok(None);
    }
    let objects = objects(sample);
    if objects.is_empty() {
        if !is_named {
            return Ok(None);
        }
        refused::refuse_json(input, sample.with_rest, text.is_empty())?;
        return Err(SourceError::NoObject { input: input.clone() });
    }
    let names = names_of(&objects);
    let field = |object: &[Member<'_>], name: &String| {
        let member = object.iter().find(|(other, _)| other == name);
        member.map_or(Cow::default(), |(_, value)| Cow::Owned(jsonl::sample_field(value).into_owned()))
    };
    let record = |object: &Vec<Member<'_>>| names.iter().map(|name| field(object, name)).collect();
    let records: Vec<Record<'_>> = objects.iter().map(record).collect();
    let header: Record<'_> = names.iter().map(|name| Cow::Borrowed(name.as_bytes())).collect();
    let chosen = columns::choose(input, Some(&header), &records, names.len(), options)?;
    let (puzzle_member, solution_member) = (chosen.puzzle, chosen.solution);
    let restores_zeros = options.restore_zeros;
    Ok(Some((Layout::new(JsonlLayout { names, puzzle_member, solution_member, restores_zeros }), 0)))
}

/// Returns the objects among the first [`RECORDS`] lines of the sample.
fn objects<'text>(sample: &Sample<'text>) -> Vec<Vec<Member<'text>>> {
    sample.lines().take(RECORDS).filter_map(|line| jsonl::members(line).ok()).collect()
}

/// Returns the names of all members of these objects, in the order of their first occurrence.
fn names_of(objects: &[Vec<Member<'_>>]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in objects.iter().flatten() {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

impl RowLayout for JsonlLayout {
    fn format(&self) -> InputFormat {
        InputFormat::JSONL
    }

    fn columns(&self) -> (Option<Vec<Vec<u8>>>, Chosen) {
        let names = self.names.iter().map(|name| name.as_bytes().to_vec()).collect();
        (Some(names), Chosen { puzzle: self.puzzle_member, solution: self.solution_member })
    }

    fn resolved(&self) -> ResolvedLayout {
        ResolvedLayout {
            members: Some(self.names.clone()),
            puzzle_column: Some(self.puzzle_member + 1),
            solution_column: self.solution_member.map(|member| member + 1),
            ..ResolvedLayout::default()
        }
    }

    fn row_text(&self) -> RowText {
        RowText::Object
    }

    fn parse(&self, block: &mut Block, parsed: &mut ParsedBlock) {
        self.parse(&block.bytes, block.first_line, parsed);
    }

    fn values<'t>(&self, _: &Row, text: &'t [u8], _: Option<&Puzzle>) -> Values<'t> {
        self.fields(text)
    }

    fn start_of_later(&self, sample: &Sample<'_>) -> Result<Option<usize>, (String, String)> {
        let puzzle = &self.names[self.puzzle_member];
        let names = names_of(&objects(sample));
        if !names.is_empty() && !names.contains(puzzle) {
            return Err((format!("members `{}`", names.join(", ")), format!("a member `{puzzle}`")));
        }
        Ok((sample.options.format.is_some() || !names.is_empty()).then_some(0))
    }

    fn widened(&self, sample: &Sample<'_>) -> Option<Layout> {
        let mut names = self.names.clone();
        names.extend(names_of(&objects(sample)).into_iter().filter(|name| !self.names.contains(name)));
        Some(Layout::new(JsonlLayout { names, ..self.clone() }))
    }

    fn is_row(&self, start: &[u8]) -> bool {
        jsonl::is_row(start)
    }

    fn new_names(&self, text: &[u8]) -> Vec<String> {
        let members = jsonl::members(text).unwrap_or_default().into_iter().map(|(name, _)| name);
        members.filter(|name| !self.names.contains(name)).collect()
    }
}
