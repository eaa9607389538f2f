use super::*;
use std::sync::atomic::AtomicUsize;

struct Count {
    next: u64,
    end: u64,
    fails_at: Option<u64>,
}
impl Reader<u64> for Count {
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

/// Squares, and dawdles over every seventh so that slots overtake each other.
struct Square;
impl Worker<u64> for Square {
    fn work(&mut self, slot: &mut u64) {
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
impl Writer<u64> for Collect {
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
fn the_order_is_kept_whatever_the_threads() {
    for threads in [1, 2, 3, 8] {
        let mut writer = Collect::default();
        run_with(threads, Count { next: 0, end: 500, fails_at: None }, &mut writer).unwrap();
        assert_eq!(writer.seen, squares(500));
    }
}

#[test]
fn what_was_read_before_a_failure_is_written() {
    let mut writer = Collect::default();
    let error = run_with(2, Count { next: 0, end: 500, fails_at: Some(123) }, &mut writer).unwrap_err();
    assert_eq!(error.to_string(), "unreadable at 123");
    assert_eq!(writer.seen, squares(123));
}

#[test]
fn a_writer_that_fails_or_has_enough_ends_the_run() {
    let endless = || Count { next: 0, end: u64::MAX, fails_at: None };
    let mut full = Collect { fails_after: Some(10), ..Collect::default() };
    assert_eq!(run_with(2, endless(), &mut full).unwrap_err().to_string(), "disk full");
    let mut satisfied = Collect { breaks_after: Some(10), ..Collect::default() };
    run_with(2, endless(), &mut satisfied).unwrap();
    assert_eq!(satisfied.seen, squares(10));
}

#[test]
fn a_stop_finishes_what_was_read() {
    struct StopAt<'s>(&'s AtomicBool, &'s AtomicUsize);
    impl Worker<u64> for StopAt<'_> {
        fn work(&mut self, slot: &mut u64) {
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
fn no_workers_are_an_error_before_anything_is_read() {
    let (mut reader, mut writer) = (Count { next: 0, end: 5, fails_at: None }, Collect::default());
    let ran = run(&mut reader, &mut [] as &mut [Square], &mut writer, &AtomicBool::new(false));
    assert_eq!(ran.unwrap_err().to_string(), "a run needs at least one worker");
    assert_eq!((reader.next, writer.seen.len()), (0, 0));
}

#[test]
fn a_panic_anywhere_ends_the_run_instead_of_leaving_others_waiting() {
    struct Fragile(u64);
    impl Worker<u64> for Fragile {
        fn work(&mut self, slot: &mut u64) {
            assert_ne!(*slot, self.0, "worker");
        }
    }
    impl Reader<u64> for Fragile {
        fn fill(&mut self, slot: &mut u64) -> anyhow::Result<ControlFlow<()>> {
            *slot += 1;
            assert_ne!(*slot, self.0, "reader");
            Ok(ControlFlow::Continue(()))
        }
    }
    impl Writer<u64> for Fragile {
        fn write(&mut self, slot: &mut u64) -> anyhow::Result<ControlFlow<()>> {
            assert_ne!(*slot, self.0, "writer");
            Ok(ControlFlow::Continue(()))
        }
    }
    for fragile in ["reader", "worker", "writer"] {
        for threads in [1, 2, 8] {
            let at = |part| if part == fragile { 20 } else { u64::MAX };
            let mut workers: Vec<Fragile> = (0..threads).map(|_| Fragile(at("worker"))).collect();
            let (mut reader, mut writer) = (Fragile(at("reader")), Fragile(at("writer")));
            let stop = AtomicBool::new(false);
            let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                run(&mut reader, &mut workers, &mut writer, &stop)
            }));
            assert!(ended.is_err(), "{fragile}, {threads} threads");
        }
    }
}

#[test]
fn there_are_two_slots_a_worker_whatever_the_input_and_its_order() {
    static SLOTS: AtomicUsize = AtomicUsize::new(0);
    struct Counted(u64);
    impl Default for Counted {
        fn default() -> Counted {
            SLOTS.fetch_add(1, Ordering::Relaxed);
            Counted(0)
        }
    }
    struct Endless(u64);
    impl Reader<Counted> for Endless {
        fn fill(&mut self, slot: &mut Counted) -> anyhow::Result<ControlFlow<()>> {
            slot.0 = self.0;
            self.0 += 1;
            Ok(ControlFlow::Continue(()))
        }
    }
    /// Takes long for the first: all others wait for its turn, as many as there are slots for.
    struct SlowFirst;
    impl Worker<Counted> for SlowFirst {
        fn work(&mut self, slot: &mut Counted) {
            let pause = if slot.0 == 0 { 20 } else { 0 };
            std::thread::sleep(std::time::Duration::from_millis(pause));
        }
    }
    struct Last(u64);
    impl Writer<Counted> for Last {
        fn write(&mut self, slot: &mut Counted) -> anyhow::Result<ControlFlow<()>> {
            assert_eq!(slot.0, self.0);
            self.0 += 1;
            Ok(if self.0 == 1000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        }
    }
    let mut writer = Last(0);
    let mut workers = [SlowFirst, SlowFirst, SlowFirst];
    run(&mut Endless(0), &mut workers, &mut writer, &AtomicBool::new(false)).unwrap();
    assert_eq!(writer.0, 1000);
    assert_eq!(SLOTS.load(Ordering::Relaxed), 6);
}
