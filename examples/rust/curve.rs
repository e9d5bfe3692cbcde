// rustc -O --edition 2021 curve.rs -L FOLDER -l prfast
// ./curve DATA n m dim

use std::ffi::{c_char, c_int, c_void, CStr};
use std::{env, fs, ptr, thread};

#[repr(C)]
struct Points {
    rows: *const c_void,
    count: i64,
    dim: i64,
    stride: i64,
    wide: i32,
    reserved: i32,
}

extern "C" {
    fn prfast_abi() -> c_int;
    fn prfast_status_text(status: c_int) -> *const c_char;
    fn prfast_sweep_room(n: i64, m: i64) -> i64;
    fn prfast_sweep(
        real: *const f64, n: i64, fake: *const f64, m: i64, p: *mut f64, q: *mut f64, cells: *mut i64,
    ) -> c_int;
    fn prfast_vertices(
        p: *const f64, q: *const f64, cells: i64, fpr: *mut f64, fnr: *mut f64, ratio: *mut f64,
    ) -> c_int;
    fn prfast_min_sums(
        p: *const f64, q: *const f64, cells: i64, lam: *const f64, lams: i64, alpha: *mut f64,
    ) -> c_int;
    fn prfast_kth_distances(
        queries: *const Points, refs: *const Points, within: c_int, ks: *const i64, ks_count: i64,
        first: i64, count: i64, d2: *mut f64,
    ) -> c_int;
    fn prfast_count(
        queries: *const Points, refs: *const Points, query_t: *const f64, ref_t: *const f64,
        closed: c_int, first: i64, count: i64, rows: *mut i64, cols: *mut i64,
    ) -> c_int;
}

fn text(status: c_int) -> String {
    unsafe { CStr::from_ptr(prfast_status_text(status)) }.to_string_lossy().into_owned()
}

fn ok(status: c_int) {
    assert!(status == 0, "{}", text(status));
}

/// Samples, row by row.
struct Set {
    numbers: Vec<f64>,
    dim: usize,
}

impl Set {
    fn read(path: String, dim: usize) -> Set {
        let bytes = fs::read(&path).expect(&path);
        let numbers = bytes.chunks_exact(8).map(|x| f64::from_ne_bytes(x.try_into().unwrap()));
        Set { numbers: numbers.collect(), dim }
    }

    fn count(&self) -> usize {
        self.numbers.len() / self.dim
    }

    fn points(&self) -> Points {
        Points {
            rows: self.numbers.as_ptr() as *const c_void,
            count: self.count() as i64,
            dim: self.dim as i64,
            stride: self.dim as i64,
            wide: 1,
            reserved: 0,
        }
    }
}

/// On two threads of our own, each with its part of the answer.
fn kth(queries: &Set, refs: &Set, within: bool) -> Vec<f64> {
    let mut d2 = vec![0.0; queries.count()];
    let half = d2.len() / 2;
    thread::scope(|scope| {
        let (low, high) = d2.split_at_mut(half);
        for (first, part) in [(0, low), (half, high)] {
            scope.spawn(move || {
                let (k, q, r) = (3_i64, queries.points(), refs.points());
                let count = part.len() as i64;
                let out = part.as_mut_ptr();
                ok(unsafe {
                    prfast_kth_distances(&q, &r, within as c_int, &k, 1, first as i64, count, out)
                });
            });
        }
    });
    d2
}

fn show(name: &str, numbers: &[f64]) {
    let words: Vec<String> = numbers.iter().map(|x| format!("{:016x}", x.to_bits())).collect();
    println!("{name} {}", words.join(" "));
}

fn show_counts(name: &str, numbers: &[i64]) {
    let words: Vec<String> = numbers.iter().map(|x| x.to_string()).collect();
    println!("{name} {}", words.join(" "));
}

fn main() {
    let arguments: Vec<String> = env::args().collect();
    assert!(unsafe { prfast_abi() } == 1);
    let dim: usize = arguments[4].parse().unwrap();
    let real = Set::read(format!("{}/real.f64", arguments[1]), dim);
    let fake = Set::read(format!("{}/fake.f64", arguments[1]), dim);
    let (n, m) = (real.count(), fake.count());
    assert!((arguments[2].parse(), arguments[3].parse()) == (Ok(n), Ok(m)));

    let (radius, near) = (kth(&real, &real, true), kth(&fake, &real, false));
    let (mut held, mut covers) = (vec![0_i64; m], vec![0_i64; n]);
    ok(unsafe {
        prfast_count(
            &fake.points(), &real.points(), ptr::null(), radius.as_ptr(), 1, 0, m as i64,
            held.as_mut_ptr(), covers.as_mut_ptr(),
        )
    });
    show("radius", &radius);
    show_counts("held", &held);
    show_counts("covers", &covers);
    show("near", &near);

    let scores: [Vec<f64>; 2] = [&radius, &near].map(|d2| d2.iter().map(|x| -x).collect());
    let room = unsafe { prfast_sweep_room(n as i64, m as i64) } as usize;
    let (mut p, mut q, mut cells) = (vec![0.0; room], vec![0.0; room], 0_i64);
    ok(unsafe {
        prfast_sweep(
            scores[0].as_ptr(), n as i64, scores[1].as_ptr(), m as i64, p.as_mut_ptr(),
            q.as_mut_ptr(), &mut cells,
        )
    });
    p.truncate(cells as usize);
    q.truncate(cells as usize);
    show("p", &p);
    show("q", &q);

    let mut rates = [0; 3].map(|_| vec![0.0; p.len() + 1]);
    let [fpr, fnr, ratio] = rates.each_mut().map(|x| x.as_mut_ptr());
    ok(unsafe { prfast_vertices(p.as_ptr(), q.as_ptr(), cells, fpr, fnr, ratio) });
    for (name, one) in ["fpr", "fnr", "ratio"].iter().zip(&rates) {
        show(name, one);
    }

    let (lam, mut alpha) = ([2.0, 0.0, 0.5], [0.0; 3]);
    ok(unsafe {
        prfast_min_sums(p.as_ptr(), q.as_ptr(), cells, lam.as_ptr(), 3, alpha.as_mut_ptr())
    });
    show("alpha", &alpha);

    let (zero, mut none) = (0_i64, vec![0.0; m]);
    let (few, many) = (fake.points(), real.points());
    let status =
        unsafe { prfast_kth_distances(&few, &many, 0, &zero, 1, 0, m as i64, none.as_mut_ptr()) };
    println!("refused {}", text(status));
}
