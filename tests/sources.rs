//! The source layer end to end, in memory: bytes in, rows out.
#![forbid(unsafe_code)]

use sudobench::source::{Options, Rows, Source};

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

#[test]
fn kaggle() {
    let text = format!("puzzle,solution\n{PUZZLE},{SOLUTION}\r\nfoo,\n\n{PUZZLE},{SOLUTION}");
    let mut source = Source::from_reader(std::io::Cursor::new(text), Options::default()).unwrap();
    println!("{:?}", source.layout());
    let mut rows = Rows::default();
    while let Some(block) = source.next_block(Vec::new()).unwrap() {
        source.layout().parse(&block, &mut rows);
        println!("{rows:#?}");
    }
}
