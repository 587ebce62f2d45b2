//! `primaryLocationLineHash` as GitHub's upload action computes it, so that an upload with and without that action
//! gives the same alerts.
//!
//! The algorithm: a rolling polynomial hash, base 37, modulo 2^64, over a window of 100 UTF-16 code units. Spaces and
//! tabs are skipped; `\r`, `\n` and `\r\n` count as one `\n`. The hash of a line is that of the 100 units that start at
//! its first unit that is not skipped, so it also depends on the lines below; 0xFFFF and then zeros follow the end of the file. Equal
//! hashes are told apart by a running number: `<hex>:<n>`.

use std::collections::BTreeMap;

const WINDOW: usize = 100;
const BASE: u64 = 37;
const END_OF_FILE: u16 = 0xFFFF;

struct Rolling {
    window: [u16; WINDOW],
    /// For each place in the window, the line (from 1) that starts there.
    starts: [Option<u32>; WINDOW],
    index: usize,
    hash: u64,
    /// `BASE` to the power of `WINDOW`.
    leaving: u64,
    seen: BTreeMap<u64, u32>,
    lines: Vec<String>,
}

impl Rolling {
    fn emit(&mut self) {
        if self.starts[self.index].take().is_some() {
            let n = self.seen.entry(self.hash).or_insert(0);
            *n += 1;
            self.lines.push(format!("{:x}:{}", self.hash, n));
        }
    }
    fn push(&mut self, unit: u16) {
        let old = u64::from(std::mem::replace(&mut self.window[self.index], unit));
        self.hash =
            self.hash.wrapping_mul(BASE).wrapping_add(u64::from(unit)).wrapping_sub(self.leaving.wrapping_mul(old));
        self.index = (self.index + 1) % WINDOW;
    }
}

/// The hash of every line of a file, line 1 first. A file that ends in a line end has one more, empty, line.
pub fn line_hashes(text: &str) -> Vec<String> {
    let leaving = (0..WINDOW).fold(1u64, |x, _| x.wrapping_mul(BASE));
    let mut r = Rolling {
        window: [0; WINDOW],
        starts: [None; WINDOW],
        index: 0,
        hash: 0,
        leaving,
        seen: BTreeMap::new(),
        lines: Vec::new(),
    };
    const SPACE: u16 = 0x20;
    const TAB: u16 = 0x09;
    const LF: u16 = 0x0A;
    const CR: u16 = 0x0D;
    let (mut line, mut line_start, mut after_cr) = (0, true, false);
    for mut unit in text.encode_utf16().chain([END_OF_FILE]) {
        if unit == SPACE || unit == TAB || (after_cr && unit == LF) {
            after_cr = false;
            continue;
        }
        after_cr = unit == CR;
        if after_cr {
            unit = LF;
        }
        r.emit();
        if std::mem::replace(&mut line_start, unit == LF) {
            line += 1;
            r.starts[r.index] = Some(line);
        }
        r.push(unit);
    }
    for _ in 0..WINDOW {
        r.emit();
        r.push(0);
    }
    r.lines
}

#[cfg(test)]
mod tests {
    use super::line_hashes;

    fn check(text: &str, expect: &[&str]) {
        assert_eq!(line_hashes(text), expect, "{text:?}");
    }

    /// The values that the action's own tests expect.
    #[test]
    fn agrees_with_the_upload_action() {
        check("", &["c129715d7a2bc9a3:1"]);
        check(
            " a\nb\n  \t\tc\n d",
            &["271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"],
        );
        check(
            " hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End",
            &[
                "8b7cf3e952e7aeb2:1",
                "b1ae1287ec4718d9:1",
                "bff680108adb0fcc:1",
                "c6805c5e1288b612:1",
                "b86d3392aea1be30:1",
                "e6ceba753e1a442:1",
            ],
        );
        let ended = [
            "e9496ae3ebfced30:1",
            "fb7c023a8b9ccb3f:1",
            "ce8ba1a563dcdaca:1",
            "e20e36e16fcb0cc8:1",
            "b3edc88f2938467e:1",
            "c8e28b0b4002a3a0:1",
            "c129715d7a2bc9a3:1",
        ];
        check(" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n", &ended);
        check(" hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r", &ended);
        check(" hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n", &ended);
        check(" hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n", &ended);
        check(
            &"Lorem ipsum dolor sit amet.\n".repeat(10),
            &[
                "a7f2ff13bc495cf2:1",
                "a7f2ff13bc495cf2:2",
                "a7f2ff13bc495cf2:3",
                "a7f2ff13bc495cf2:4",
                "a7f2ff13bc495cf2:5",
                "a7f2ff13bc495cf2:6",
                "a7f2ff1481e87703:1",
                "a9cf91f7bbf1862b:1",
                "55ec222b86bcae53:1",
                "cc97dc7b1d7d8f7b:1",
                "c129715d7a2bc9a3:1",
            ],
        );
        check(
            "x = 2\nx = 1\nprint(x)\nx = 3\nprint(x)\nx = 4\nprint(x)\n",
            &[
                "e54938cc54b302f1:1",
                "bb609acbe9138d60:1",
                "1131fd5871777f34:1",
                "5c482a0f8b35ea28:1",
                "54517377da7028d2:1",
                "2c644846cb18d53e:1",
                "f1b89f20de0d133:1",
                "c129715d7a2bc9a3:1",
            ],
        );
    }
}
