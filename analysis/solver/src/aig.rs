//! And-inverter graphs with structural hashing and constant sweeping: every gate is a conjunction of two literals.

use rustc_hash::FxHashMap;

/// A literal: twice a node's index, plus 1 when complemented. Node 0 is the constant false.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(pub u32);

impl Lit {
    /// The constant 0.
    pub const FALSE: Lit = Lit(0);
    /// The constant 1.
    pub const TRUE: Lit = Lit(1);
    /// Its node.
    pub fn node(self) -> u32 {
        self.0 >> 1
    }
    /// It is the complement of its node.
    pub fn negated(self) -> bool {
        self.0 & 1 == 1
    }
    /// `b` as a constant.
    pub fn constant(b: bool) -> Lit {
        if b { Lit::TRUE } else { Lit::FALSE }
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// A node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate {
    /// The constant false (node 0).
    False,
    /// A free bit.
    Input,
    /// A conjunction.
    And(Lit, Lit),
}

/// The graph. Operands of a gate have lower indices than the gate.
pub struct Aig {
    gates: Vec<Gate>,
    table: FxHashMap<(Lit, Lit), Lit>,
}

impl Default for Aig {
    fn default() -> Self {
        Aig { gates: vec![Gate::False], table: FxHashMap::default() }
    }
}

impl Aig {
    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.gates.len()
    }
    /// Only the constant.
    pub fn is_empty(&self) -> bool {
        self.gates.len() == 1
    }
    /// The node.
    pub fn gate(&self, node: u32) -> Gate {
        self.gates[node as usize]
    }
    /// A new free bit.
    pub fn input(&mut self) -> Lit {
        self.gates.push(Gate::Input);
        Lit((self.gates.len() as u32 - 1) << 1)
    }
    fn operands(&self, l: Lit) -> Option<(Lit, Lit)> {
        match self.gates[l.node() as usize] {
            Gate::And(a, b) => Some((a, b)),
            _ => None,
        }
    }
    /// Conjunction, with the two-level rules of Brummayer and Biere, "Local Two-Level And-Inverter Graph Minimization
    /// without Blowup" (MEMICS 2006), that need no new gate.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        for (x, y) in [(a, b), (b, a)] {
            let Some((p, q)) = self.operands(y) else { continue };
            if y.negated() {
                // x & !(p & q): contradiction of x with p or q leaves x; x = p leaves x & !q
                if x == !p || x == !q {
                    return x;
                }
                if x == p {
                    return self.and(x, !q);
                }
                if x == q {
                    return self.and(x, !p);
                }
            } else {
                if x == p || x == q {
                    return y;
                }
                if x == !p || x == !q {
                    return Lit::FALSE;
                }
            }
        }
        if let (Some((p, q)), Some((r, s))) = (self.operands(a), self.operands(b)) {
            let clash = p == !r || p == !s || q == !r || q == !s;
            match (a.negated(), b.negated()) {
                (false, false) if clash => return Lit::FALSE,
                (false, true) if clash => return a,
                (true, false) if clash => return b,
                // !(p & q) & !(p & !q) = !p
                (true, true) => {
                    for (x, y, u, v) in [(p, q, r, s), (q, p, r, s), (p, q, s, r), (q, p, s, r)] {
                        if x == u && y == !v {
                            return !x;
                        }
                    }
                }
                _ => {}
            }
        }
        if let Some(l) = self.table.get(&(a, b)) {
            return *l;
        }
        self.gates.push(Gate::And(a, b));
        let l = Lit((self.gates.len() as u32 - 1) << 1);
        self.table.insert((a, b), l);
        l
    }
    /// Disjunction.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }
    /// Exclusive or.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let (p, q) = (self.and(a, !b), self.and(!a, b));
        self.or(p, q)
    }
    /// `c ? a : b`.
    pub fn mux(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        if a == b {
            return a;
        }
        let (p, q) = (self.and(c, a), self.and(!c, b));
        self.or(p, q)
    }
    /// Sum and carry of three bits.
    pub fn full_adder(&mut self, a: Lit, b: Lit, c: Lit) -> (Lit, Lit) {
        let ab = self.xor(a, b);
        let sum = self.xor(ab, c);
        let (g, p) = (self.and(a, b), self.and(ab, c));
        (sum, self.or(g, p))
    }
}
