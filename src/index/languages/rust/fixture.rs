//! A parser.
#![allow(dead_code)]

use std::{
    collections::{hash_map::{self, Entry as Slot}, HashMap},
    fmt,
};
use crate::ast::{Node, *};
use super::lexer::Token;
pub use self::error::ParseError;
extern crate serde as ser;

mod lexer;
pub mod error {
    /// What went wrong.
    #[derive(Debug)]
    pub enum ParseError { Eof, Unexpected { found: char, at: usize }, Other(String) }
}

pub const LIMIT: usize = 10;
static mut COUNTER: u32 = 0;
type Result<T, E = ParseError> = std::result::Result<T, E>;

// TODO: spans
/// Reads tokens.
///
/// `fn doc() {}`
#[derive(Clone)]
#[cfg(feature = "full")]
pub struct Parser<'a, T: Clone + 'a> where T: fmt::Debug {
    pub input: &'a str,
    tokens: Vec<Token>,
    state: State,
}

pub struct Wrapper(pub String, u8);
struct Unit;
pub union Bits { int: u32, float: f32 }

pub trait Visitor: fmt::Debug + Sized {
    const DEPTH: usize = 1;
    type Output;
    fn visit(&mut self, node: &Node) -> Self::Output;
    fn done(self) -> bool { true }
}

impl<'a, T: Clone> Parser<'a, T> {
    /// Makes one.
    pub fn new(input: &'a str) -> Self {
        let state = State::default();
        Self { input, tokens: vec![], state }
    }

    pub(crate) async fn next(&mut self) -> Option<Token> {
        let text = r#"fn raw() { "x" }"#;
        match self.tokens.pop() {
            Some(token) if token.is_end() => {
                for i in 0..LIMIT {
                    if i > 1 { loop { break; } } else if i == 2 { self.reset(); } else { helper::<u8>(i)?; }
                }
                None
            }
            other => other,
        }
    }

    fn reset(&mut self) { self.state = State::new(); unsafe { COUNTER += 1; } }
}

impl<T> fmt::Display for Wrapper<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{}", self.0) }
}

impl From<Token> for foreign::Thing { fn from(t: Token) -> Self { todo!() } }

#[macro_export]
macro_rules! node {
    ($name:ident) => { pub fn $name() {} };
}

fn helper<T>(depth: usize) -> Result<T> {
    fn nested() {}
    let add = |a: i32, b| a + b;
    nested();
    Err(ParseError::Unexpected { found: 'x', at: depth })
}

extern "C" { fn c_call(x: i32) -> i32; }

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn parses() { assert!(helper::<u8>(1).is_err()); }
}

fn broken( { let x = ; }
