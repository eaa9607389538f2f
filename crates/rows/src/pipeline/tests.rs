use std::sync::atomic::AtomicUsize;

use super::*;

struct Count {
    next: u64,
    end: u64,
    fails_at: Option<u64>,
}
impl Reader<u64, anyhow::Error> for Count {
    fn fill(&mut self, slot: &mut u64) -> anyhow::Result<ControlFlow<()>> {
        if self.fails_at == Some(self.next) {
            anyhow::bail!("unreadable at {}", self.next);
        }
        if self.next == self.end {
            return Ok(ControlFlow::Break(()));
        }
        *slot = self.next;
        self.next += 1;
        Ok(ControlFlow::Continue(()))
    }
}

/// A worker that computes squares. It takes longer for every seventh number, so that later slots are finished before earlier ones.
struct Square;
impl Worker<u64, u64> for Square {
    fn work(&mut self, slot: &mut u64, _: &mut dyn FnMut(&mut u64)) {
        if slot.is_multiple_of(7) {
            std::thread::sleep(std::time::Duration::from_micros(200));
        }
        *slot *= *slot;
    }
}

#[derive(Default)]
struct Collect {
    seen: Vec<u64>,
    breaks_after: Option<usize>,
    fails_after: Option<usize>,
}
impl Writer<u64, anyhow::Error> for Collect {
    type Part = u64;

    fn write_part(&mut self, part: &mut u64) -> anyhow::Result<()> {
        self.write(part).map(drop)
    }

    fn write(&mut self, slot: &mut u64) -> anyhow::Result<ControlFlow<()>> {
        self.seen.push(*slot);
        if self.fails_after == Some(self.seen.len()) {
            anyhow::bail!("disk full");
        }
        let broken = self.breaks_after == Some(self.seen.len());
        Ok(if broken { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}

fn squares(count: u64) -> Vec<u64> {
    (0..count).map(|number| number * number).collect()
}

fn run_with(threads: usize, mut reader: Count, writer: &mut Collect) -> anyhow::Result<()> {
    let mut workers: Vec<Square> = (0..threads).map(|_| Square).collect();
    run(&mut reader, &mut workers, writer, &AtomicBool::new(false))
}

#[test]
fn the_order_is_kept_for_any_number_of_threads() {
    for threads in [1, 2, 3, 8] {
        let mut writer = Collect::default();
        run_with(threads, Count { next: 0, end: 500, fails_at: None }, &mut writer).unwrap();
        assert_eq!(writer.seen, squares(500));
    }
}

#[test]
fn rows_before_a_failure_are_written() {
    let mut writer = Collect::default();
    let error = run_with(2, Count { next: 0, end: 500, fails_at: Some(123) }, &mut writer).unwrap_err();
    assert_eq!(error.to_string(), "unreadable at 123");
    assert_eq!(writer.seen, squares(123));
}

#[test]
fn a_writer_that_fails_or_breaks_ends_the_run() {
    let endless = || Count { next: 0, end: u64::MAX, fails_at: None };
    let mut full = Collect { fails_after: Some(10), ..Collect::default() };
    assert_eq!(run_with(2, endless(), &mut full).unwrap_err().to_string(), "disk full");
    let mut satisfied = Collect { breaks_after: Some(10), ..Collect::default() };
    run_with(2, endless(), &mut satisfied).unwrap();
    assert_eq!(satisfied.seen, squares(10));
}

/// A worker that writes the numbers below its slot's number, each as a part. Slots up to 4 take long, so that later slots wait for them.
struct Below;
impl Worker<u64, u64> for Below {
    fn work(&mut self, slot: &mut u64, write_part: &mut dyn FnMut(&mut u64)) {
        if *slot < 5 {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        (0..*slot).for_each(|mut part| write_part(&mut part));
    }
}

#[test]
fn parts_are_written_in_order_before_their_slot() {
    let below = |threads: usize, reader: &mut Count, writer: &mut Collect| {
        let mut workers: Vec<Below> = (0..threads).map(|_| Below).collect();
        run(reader, &mut workers, writer, &AtomicBool::new(false))
    };
    let wanted: Vec<u64> = (0..40).flat_map(|number| 0..=number).collect();
    for threads in [1, 2, 8] {
        let mut writer = Collect::default();
        below(threads, &mut Count { next: 0, end: 40, fails_at: None }, &mut writer).unwrap();
        assert_eq!(writer.seen, wanted, "{threads} threads");
        // Slot n writes n parts and then its own number, so slots 0 to 6 write 28 numbers. The 30th number is a part of slot 7: its
        // failure ends the run. The 28th number is the own number of slot 6: its `Break` ends the run although parts of later slots are
        // ready.
        let mut full = Collect { fails_after: Some(30), ..Collect::default() };
        let mut endless = Count { next: 0, end: u64::MAX, fails_at: None };
        assert_eq!(below(threads, &mut endless, &mut full).unwrap_err().to_string(), "disk full");
        assert_eq!(full.seen, wanted[..30]);
        let mut satisfied = Collect { breaks_after: Some(28), ..Collect::default() };
        below(threads, &mut Count { next: 0, end: u64::MAX, fails_at: None }, &mut satisfied).unwrap();
        assert_eq!(satisfied.seen, wanted[..28]);
    }
}

#[test]
fn a_stop_finishes_blocks_already_read() {
    struct StopAt<'s>(&'s AtomicBool, &'s AtomicUsize);
    impl Worker<u64, u64> for StopAt<'_> {
        fn work(&mut self, slot: &mut u64, _: &mut dyn FnMut(&mut u64)) {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.fetch_or(*slot == 20, Ordering::Relaxed);
        }
    }
    for threads in [1, 2, 8] {
        let (stop, worked) = (AtomicBool::new(false), AtomicUsize::new(0));
        let mut writer = Collect::default();
        let mut reader = Count { next: 0, end: u64::MAX, fails_at: None };
        let mut workers: Vec<StopAt> = (0..threads).map(|_| StopAt(&stop, &worked)).collect();
        run(&mut reader, &mut workers, &mut writer, &stop).unwrap();
        assert!(writer.seen.len() > 20, "{threads} threads");
        assert_eq!(writer.seen.len(), worked.into_inner(), "{threads} threads");
        assert!(writer.seen.iter().copied().eq(0..reader.next), "{threads} threads: {:?}", writer.seen);
    }
}

#[test]
#[should_panic = "a run needs at least one worker"]
fn without_workers_the_pipeline_panics() {
    let (mut reader, mut writer) = (Count { next: 0, end: 5, fails_at: None }, Collect::default());
    let _ = run(&mut reader, &mut [] as &mut [Square], &mut writer, &AtomicBool::new(false));
}
