//! A linear function that goes down with every turn seen, from the turns themselves: the direction that has the greatest
//! margin to all of them. This is the point of least norm in the convex hull of the differences, found by the method of
//! Gilbert (1966, "An iterative procedure for computing the minimum of a quadratic form on a convex set"). It proposes
//! only: what comes out is made of whole numbers and put to the samples exactly, and then to the solver.

/// Steps of the method; each looks at every row.
const STEPS: usize = 20_000;
/// The greatest factor of a variable.
pub const MAX_FACTOR: i64 = 255;

/// A direction whose product with every row is positive. [`None`]: none was found (there is none, or the margin is thin).
pub fn direction(rows: &[Vec<f64>]) -> Option<Vec<f64>> {
    let rows: Vec<Vec<f64>> = rows.iter().map(|r| normalized(r)).collect::<Option<_>>()?;
    let mut w = rows.first()?.clone();
    for _ in 0..STEPS {
        let (least, at) = rows.iter().map(|r| product(&w, r)).zip(&rows).min_by(|a, b| a.0.total_cmp(&b.0))?;
        let norm = product(&w, &w);
        if norm < 1e-12 {
            return None;
        }
        // Half of what can be had is enough.
        if least > norm / 2.0 {
            return Some(w);
        }
        // The point of least norm between w and the row.
        let gap: Vec<f64> = at.iter().zip(&w).map(|(r, x)| r - x).collect();
        let length = product(&gap, &gap);
        if length < 1e-18 {
            break;
        }
        let t = (-product(&gap, &w) / length).clamp(0.0, 1.0);
        for (x, g) in w.iter_mut().zip(&gap) {
            *x += t * g;
        }
    }
    rows.iter().all(|r| product(&w, r) > 0.0).then_some(w)
}

/// The smallest whole numbers in about this direction that suit.
pub fn whole(w: &[f64], suits: impl Fn(&[i64]) -> bool) -> Option<Vec<i64>> {
    let largest = w.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    if largest <= 0.0 || !largest.is_finite() {
        return None;
    }
    (1..=MAX_FACTOR).find_map(|k| {
        let scaled: Vec<i64> = w.iter().map(|x| (x / largest * k as f64).round() as i64).collect();
        suits(&scaled).then_some(scaled)
    })
}

fn normalized(row: &[f64]) -> Option<Vec<f64>> {
    let norm = product(row, row).sqrt();
    (norm > 0.0 && norm.is_finite()).then(|| row.iter().map(|x| x / norm).collect())
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(rows: &[[f64; 2]]) -> Option<Vec<i64>> {
        let rows: Vec<Vec<f64>> = rows.iter().map(|r| r.to_vec()).collect();
        let w = direction(&rows)?;
        whole(&w, |f| rows.iter().all(|r| r.iter().zip(f).map(|(x, f)| x * *f as f64).sum::<f64>() > 0.0))
    }

    #[test]
    fn between_two_that_are_nearly_opposite() {
        // McCarthy's 91: either (10, 1) or (-11, -1) is taken from (n, c).
        let f = found(&[[10.0, 1.0], [-11.0, -1.0]]).unwrap();
        assert!(10 * f[0] + f[1] > 0 && -11 * f[0] - f[1] > 0, "{f:?}");
    }

    #[test]
    fn opposites_have_none() {
        assert_eq!(found(&[[1.0, 2.0], [-1.0, -2.0]]), None);
        assert_eq!(found(&[[1.0, 0.0], [-1.0, 1.0], [0.0, -1.0]]), None);
    }

    #[test]
    fn large_and_small_ones_count_alike() {
        let f = found(&[[4e9, 1.0], [-1.0, 3.0]]).unwrap();
        assert!(f[0] > 0 && 3 * f[1] > f[0], "{f:?}");
    }
}
