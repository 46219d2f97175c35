//! A journal's lines as a Merkle tree, as RFC 9162 (2.1) has it: SHA-256, a leaf is a whole line without its end.
use sha2::{Digest as _, Sha256};
use std::fmt;

/// A hash of the tree.
pub type Hash = [u8; 32];

/// Before a leaf, and before a node's two halves.
const LEAF: u8 = 0;
const NODE: u8 = 1;
/// More levels than any journal has.
const LEVELS: usize = 32;

/// What has to be kept of a tree to add leaves to it: the roots of its full halves, by level.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Tree {
    size: u32,
    halves: [Hash; LEVELS],
}

impl Default for Tree {
    fn default() -> Self {
        Self { size: 0, halves: [[0; 32]; LEVELS] }
    }
}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tree").field("size", &self.size).finish_non_exhaustive()
    }
}

impl Tree {
    /// Adds a line, without its end.
    pub fn add(&mut self, line: &[u8]) {
        self.add_leaf(leaf(line));
    }

    /// Adds the hash of a line.
    pub fn add_leaf(&mut self, mut hash: Hash) {
        let mut level = 0;
        while self.size >> level & 1 == 1 {
            hash = node(&self.halves[level], &hash);
            level += 1;
        }
        self.halves[level] = hash;
        self.size += 1;
    }

    /// How many lines it is over.
    pub const fn size(&self) -> u64 {
        self.size as u64
    }

    /// What shows that it is the beginning of the tree that these leaves after it make of it (RFC 9162, 2.1.4.1): without the leaves
    /// before, and with work for those after it alone.
    pub fn leads_to(&self, after: &[Hash]) -> Vec<Hash> {
        let mut out = Vec::new();
        if self.size > 0 && !after.is_empty() {
            self.part((0, self.size as usize + after.len()), true, after, &mut out);
        }
        out
    }

    /// The same of the part of that tree from one leaf to before another; `known`: it begins where the tree does.
    fn part(&self, (from, to): (usize, usize), known: bool, after: &[Hash], out: &mut Vec<Hash>) {
        let (own, size) = (self.size as usize, to - from);
        if own == to {
            // Whole, and so as many as a power of two: one of the halves.
            out.extend((!known).then(|| self.halves[size.ilog2() as usize]));
            return;
        }
        let half = size.next_power_of_two() / 2;
        let middle = from + half;
        if own <= middle {
            self.part((from, middle), known, after, out);
            out.push(inclusion(&after[middle - own..to - own], 0).0);
        } else {
            self.part((middle, to), false, after, out);
            out.push(self.halves[half.ilog2() as usize]);
        }
    }

    /// The root over all lines so far.
    pub fn root(&self) -> Hash {
        let full = (0..LEVELS).filter(|level| self.size >> level & 1 == 1);
        let whole = full.map(|level| self.halves[level]).reduce(|right, left| node(&left, &right));
        whole.unwrap_or_else(|| Sha256::digest(b"").into())
    }
}

/// The hash of a line, without its end.
pub fn leaf(line: &[u8]) -> Hash {
    Sha256::new().chain_update([LEAF]).chain_update(line).finalize().into()
}

fn node(left: &Hash, right: &Hash) -> Hash {
    Sha256::new().chain_update([NODE]).chain_update(left).chain_update(right).finalize().into()
}

/// The root over leaves, and the way from one of them to it: what stands beside it, from the leaf up (RFC 9162, 2.1.3.1).
pub fn inclusion(leaves: &[Hash], index: usize) -> (Hash, Vec<Hash>) {
    match leaves {
        [] => (Sha256::digest(b"").into(), Vec::new()),
        [one] => (*one, Vec::new()),
        _ => {
            let half = leaves.len().next_power_of_two() / 2;
            let (left, right) = leaves.split_at(half);
            let (mine, other, at) = if index < half { (left, right, index) } else { (right, left, index - half) };
            let (root, mut way) = inclusion(mine, at);
            let beside = inclusion(other, 0).0;
            way.push(beside);
            (if index < half { node(&root, &beside) } else { node(&beside, &root) }, way)
        }
    }
}

/// The root that a leaf and its way lead to (RFC 9162, 2.1.3.2). `None`: no such way leads from line `index` (from 0) of `size`.
pub fn root_of(leaf: Hash, index: u64, size: u64, way: &[Hash]) -> Option<Hash> {
    let (mut at, mut last) = (index, size.checked_sub(1).filter(|last| index <= *last)?);
    let mut hash = leaf;
    for beside in way {
        if last == 0 {
            return None;
        }
        if at & 1 == 1 || at == last {
            hash = node(beside, &hash);
            while at & 1 == 0 && at != 0 {
                (at, last) = (at >> 1, last >> 1);
            }
        } else {
            hash = node(&hash, beside);
        }
        (at, last) = (at >> 1, last >> 1);
    }
    (last == 0).then_some(hash)
}

/// What shows that the tree over the first `size` of these leaves is the beginning of the tree over all of them (RFC 9162, 2.1.4.1), from all of them.
#[cfg(test)]
pub(crate) fn consistency(leaves: &[Hash], size: usize) -> Vec<Hash> {
    fn part(leaves: &[Hash], size: usize, known: bool, out: &mut Vec<Hash>) {
        if size == leaves.len() {
            if !known {
                out.push(inclusion(leaves, 0).0);
            }
            return;
        }
        let half = leaves.len().next_power_of_two() / 2;
        let (left, right) = leaves.split_at(half);
        let beside = if size <= half {
            part(left, size, known, out);
            right
        } else {
            part(right, size - half, false, out);
            left
        };
        out.push(inclusion(beside, 0).0);
    }
    let mut out = Vec::new();
    if (1..leaves.len()).contains(&size) {
        part(leaves, size, true, &mut out);
    }
    out
}

/// Whether a tree with this size and root is the beginning of the other, as these hashes show it (RFC 9162, 2.1.4.2).
pub fn is_beginning((size, root): (u64, &Hash), (all, whole): (u64, &Hash), way: &[Hash]) -> bool {
    if size == 0 || size >= all {
        return size == all && root == whole && way.is_empty();
    }
    let (mut at, mut last) = (size - 1, all - 1);
    let shift = at.trailing_ones();
    (at, last) = (at >> shift, last >> shift);
    let mut way = way.iter();
    let first = if size.is_power_of_two() { Some(root) } else { way.next() };
    let Some(first) = first else { return false };
    let (mut before, mut now) = (*first, *first);
    for beside in way {
        if last == 0 {
            return false;
        }
        if at & 1 == 1 || at == last {
            (before, now) = (node(beside, &before), node(beside, &now));
            while at & 1 == 0 && at != 0 {
                (at, last) = (at >> 1, last >> 1);
            }
        } else {
            now = node(&now, beside);
        }
        (at, last) = (at >> 1, last >> 1);
    }
    before == *root && now == *whole && last == 0
}

/// The hashes that lead from some leaves to the root: of every largest part that has none of them, from left to right.
pub fn beside(leaves: &[Hash], wanted: &[bool]) -> Vec<Hash> {
    fn part(leaves: &[Hash], wanted: &[bool], out: &mut Vec<Hash>) {
        if !wanted.contains(&true) {
            out.push(inclusion(leaves, 0).0);
        } else if leaves.len() > 1 {
            let half = leaves.len().next_power_of_two() / 2;
            part(&leaves[..half], &wanted[..half.min(wanted.len())], out);
            part(&leaves[half..], wanted.get(half..).unwrap_or_default(), out);
        }
    }
    let mut out = Vec::new();
    part(leaves, wanted, &mut out);
    out
}

/// The root over `size` leaves that these (each with its place, from 0, in order) and the hashes beside them lead to. `None`: they lead to none.
pub fn root_of_some(size: u64, some: &[(u64, Hash)], beside: &[Hash]) -> Option<Hash> {
    fn part(from: u64, to: u64, some: &mut &[(u64, Hash)], beside: &mut &[Hash]) -> Option<Hash> {
        let next = some.first().filter(|(at, _)| *at < to);
        let Some((at, hash)) = next else { return beside.split_off_first().copied() };
        if to - from == 1 {
            let leaf = (*at == from).then_some(*hash);
            *some = &some[1..];
            return leaf;
        }
        let half = from + (to - from).next_power_of_two() / 2;
        let left = part(from, half, some, beside)?;
        Some(node(&left, &part(half, to, some, beside)?))
    }
    let (mut some, mut beside) = (some, beside);
    let root = part(0, Some(size).filter(|size| *size > 0)?, &mut some, &mut beside)?;
    (some.is_empty() && beside.is_empty()).then_some(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(hash: Hash) -> String {
        hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The eight leaves and the roots of RFC 6962's reference implementation.
    #[test]
    fn roots_are_those_of_the_standard() {
        let leaves: [&[u8]; 8] = [
            b"",
            b"\x00",
            b"\x10",
            b"\x20\x21",
            b"\x30\x31",
            b"\x40\x41\x42\x43",
            b"\x50\x51\x52\x53\x54\x55\x56\x57",
            b"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f",
        ];
        let roots = [
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
        ];
        let mut tree = Tree::default();
        for (n, root) in roots.into_iter().enumerate() {
            assert_eq!(hex(tree.root()), root, "{n} leaves");
            if let Some(line) = leaves.get(n) {
                tree.add(line);
            }
        }
    }

    #[test]
    fn a_tree_is_shown_to_go_on_from_its_beginning_and_from_no_other() {
        let leaves: Vec<Hash> = (0..40).map(|n| leaf(format!("line {n}").as_bytes())).collect();
        let root = |size: usize| inclusion(&leaves[..size], 0).0;
        let (other, is) = (leaf(b"another line"), is_beginning);
        for all in 1..leaves.len() {
            for size in 1..=all {
                let way = consistency(&leaves[..all], size);
                let mut tree = Tree::default();
                leaves[..size].iter().for_each(|leaf| tree.add_leaf(*leaf));
                assert_eq!(tree.leads_to(&leaves[size..all]), way, "{size} of {all}");
                let (was, now) = ((size as u64, &root(size)), (all as u64, &root(all)));
                assert!(is(was, now, &way), "{size} of {all}");
                assert!(!is((size as u64, &other), now, &way) && !is(was, (all as u64, &other), &way));
                assert!(!is(was, now, &[way.clone(), vec![other]].concat()), "one hash too many");
                assert!(way.is_empty() || !is(was, now, &way[1..]));
                assert!(size < 2 || !is((size as u64 - 1, was.1), now, &way), "{size} of {all}");
            }
        }
        assert!(!is((2, &root(2)), (1, &root(1)), &[]));
    }

    #[test]
    fn some_lines_lead_to_the_root_and_no_others_do() {
        let leaves: Vec<Hash> = (0..23).map(|n| leaf(format!("line {n}").as_bytes())).collect();
        for size in 1..leaves.len() {
            let leaves = &leaves[..size];
            for pattern in [1_u32, 0b101, 0b1110, 0x8421, u32::MAX] {
                let wanted: Vec<bool> = (0..size).map(|n| pattern >> n & 1 == 1).collect();
                let some: Vec<(u64, Hash)> = (0..).zip(leaves.iter().copied()).filter(|(n, _)| wanted[*n as usize]).collect();
                let hashes = beside(leaves, &wanted);
                let root = Some(inclusion(leaves, 0).0);
                assert_eq!(root_of_some(size as u64, &some, &hashes), root, "{pattern:b} of {size}");
                for n in 0..some.len() {
                    let mut other = some.clone();
                    other[n].1 = leaf(b"another line");
                    assert_ne!(root_of_some(size as u64, &other, &hashes), root);
                    other.remove(n);
                    assert_ne!(root_of_some(size as u64, &other, &hashes), root);
                }
                assert!(hashes.is_empty() || root_of_some(size as u64, &some, &hashes[1..]) != root);
                assert_eq!(root_of_some(size as u64, &some, &[hashes.clone(), vec![[0; 32]]].concat()), None, "one hash too many");
            }
        }
        assert_eq!(root_of_some(0, &[], &[]), None);
    }

    #[test]
    fn every_line_leads_to_the_root_and_no_other_line_does() {
        let lines: Vec<String> = (0..70).map(|n| format!("line {n}")).collect();
        for size in 1..lines.len() {
            let mut tree = Tree::default();
            lines[..size].iter().for_each(|line| tree.add(line.as_bytes()));
            let leaves: Vec<Hash> = lines[..size].iter().map(|line| leaf(line.as_bytes())).collect();
            for index in 0..size {
                let (root, way) = inclusion(&leaves, index);
                assert_eq!(root, tree.root());
                let lead = |hash, index, size| root_of(hash, index as u64, size as u64, &way);
                assert_eq!(lead(leaves[index], index, size), Some(root), "{index} of {size}");
                let other = leaf(b"another line");
                assert_ne!(lead(other, index, size), Some(root));
                assert!(index == 0 || lead(leaves[index], index - 1, size) != Some(root));
                assert_eq!(lead(leaves[index], size, size), None);
            }
        }
    }
}
