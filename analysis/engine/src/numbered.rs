//! A binary form of values in which the numbers that only mean something in one program (those of functions, variables,
//! checks, positions, types) are written and read by somebody who knows what they mean: as a name, say. All else is fixed:
//! integers in little-endian order at their width, lengths in eight bytes, variants in four.
//!
//! What it is not: self-describing, or meant for anybody else to read.

use serde::de::{self, DeserializeOwned, DeserializeSeed, IntoDeserializer, Visitor};
use serde::ser::{self, Serialize};

/// Why a value could not be written or read: in words.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Refused(String);

impl ser::Error for Refused {
    fn custom<T: std::fmt::Display>(why: T) -> Refused {
        Refused(why.to_string())
    }
}
impl de::Error for Refused {
    fn custom<T: std::fmt::Display>(why: T) -> Refused {
        Refused(why.to_string())
    }
}

impl Refused {
    /// A number that cannot be named, or a name that is not known.
    pub(crate) fn number() -> Refused {
        Refused("a number without a name".into())
    }
    fn short() -> Refused {
        Refused("cut off".into())
    }
}

/// Numbers that mean something in one program only, by the names of their types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Number {
    Function,
    Global,
    Alias,
    Type,
    Span,
    Unit,
    File,
    Check,
}

impl Number {
    fn of(name: &str) -> Option<Number> {
        Some(match name {
            "FuncId" => Number::Function,
            "GlobalId" => Number::Global,
            "AliasId" => Number::Alias,
            "TypeId" => Number::Type,
            "SpanId" => Number::Span,
            "UnitId" => Number::Unit,
            "FileId" => Number::File,
            "CheckId" => Number::Check,
            _ => return None,
        })
    }
}

/// Who knows what numbers mean.
pub(crate) trait Numbers {
    /// Writes one.
    fn write(&mut self, what: Number, n: u32, out: &mut Vec<u8>) -> Result<(), Refused>;
}

/// Who knows what was written for a number.
pub(crate) trait Names {
    /// Reads one from the front of the bytes.
    fn read(&mut self, what: Number, bytes: &mut &[u8]) -> Result<u32, Refused>;
}

/// Adds the bytes of a value.
pub(crate) fn write(x: &impl Serialize, numbers: &mut impl Numbers, out: &mut Vec<u8>) -> Result<(), Refused> {
    x.serialize(&mut Writer { numbers, out, next: None })
}

/// The value of these bytes, all of them.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8], names: &mut impl Names) -> Result<T, Refused> {
    let mut reader = Reader { bytes, names, next: None };
    let value = T::deserialize(&mut reader)?;
    if reader.bytes.is_empty() { Ok(value) } else { Err(Refused("too long".into())) }
}

struct Writer<'w, N> {
    numbers: &'w mut N,
    out: &'w mut Vec<u8>,
    /// What the next number is.
    next: Option<Number>,
}

impl<N: Numbers> Writer<'_, N> {
    fn length(&mut self, n: usize) {
        self.out.extend((n as u64).to_le_bytes());
    }
}

macro_rules! plain {
    ($($name:ident $ty:ty),*) => {
        $(fn $name(self, v: $ty) -> Result<(), Refused> {
            self.out.extend(v.to_le_bytes());
            Ok(())
        })*
    };
}

impl<N: Numbers> ser::Serializer for &mut Writer<'_, N> {
    type Ok = ();
    type Error = Refused;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    plain!(serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64, serialize_i128 i128);
    plain!(serialize_u8 u8, serialize_u16 u16, serialize_u64 u64, serialize_u128 u128);
    plain!(serialize_f32 f32, serialize_f64 f64);
    fn serialize_u32(self, v: u32) -> Result<(), Refused> {
        match self.next.take() {
            Some(what) => self.numbers.write(what, v, self.out),
            None => {
                self.out.extend(v.to_le_bytes());
                Ok(())
            }
        }
    }
    fn serialize_bool(self, v: bool) -> Result<(), Refused> {
        self.out.push(u8::from(v));
        Ok(())
    }
    fn serialize_char(self, v: char) -> Result<(), Refused> {
        self.serialize_u32(v.into())
    }
    fn serialize_str(self, v: &str) -> Result<(), Refused> {
        self.serialize_bytes(v.as_bytes())
    }
    fn serialize_bytes(self, v: &[u8]) -> Result<(), Refused> {
        self.length(v.len());
        self.out.extend(v);
        Ok(())
    }
    fn serialize_none(self) -> Result<(), Refused> {
        self.out.push(0);
        Ok(())
    }
    fn serialize_some<T: ?Sized + Serialize>(self, v: &T) -> Result<(), Refused> {
        self.out.push(1);
        v.serialize(self)
    }
    fn serialize_unit(self) -> Result<(), Refused> {
        Ok(())
    }
    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Refused> {
        Ok(())
    }
    fn serialize_unit_variant(self, _: &'static str, i: u32, _: &'static str) -> Result<(), Refused> {
        self.out.extend(i.to_le_bytes());
        Ok(())
    }
    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, name: &'static str, v: &T) -> Result<(), Refused> {
        self.next = Number::of(name);
        v.serialize(self)
    }
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        i: u32,
        _: &'static str,
        v: &T,
    ) -> Result<(), Refused> {
        self.out.extend(i.to_le_bytes());
        v.serialize(self)
    }
    fn serialize_seq(self, n: Option<usize>) -> Result<Self, Refused> {
        self.length(n.unwrap_or(usize::MAX));
        Ok(self)
    }
    fn serialize_tuple(self, _: usize) -> Result<Self, Refused> {
        Ok(self)
    }
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Refused> {
        Ok(self)
    }
    fn serialize_tuple_variant(self, _: &'static str, i: u32, _: &'static str, _: usize) -> Result<Self, Refused> {
        self.out.extend(i.to_le_bytes());
        Ok(self)
    }
    fn serialize_map(self, n: Option<usize>) -> Result<Self, Refused> {
        self.serialize_seq(n)
    }
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Refused> {
        Ok(self)
    }
    fn serialize_struct_variant(self, _: &'static str, i: u32, _: &'static str, _: usize) -> Result<Self, Refused> {
        self.out.extend(i.to_le_bytes());
        Ok(self)
    }
    fn is_human_readable(&self) -> bool {
        false
    }
}

macro_rules! elements {
    ($($tr:ident $f:ident),*) => {
        $(impl<N: Numbers> ser::$tr for &mut Writer<'_, N> {
            type Ok = ();
            type Error = Refused;
            fn $f<T: ?Sized + Serialize>(&mut self, v: &T) -> Result<(), Refused> {
                v.serialize(&mut **self)
            }
            fn end(self) -> Result<(), Refused> {
                Ok(())
            }
        })*
    };
}
elements!(
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field
);
impl<N: Numbers> ser::SerializeMap for &mut Writer<'_, N> {
    type Ok = ();
    type Error = Refused;
    fn serialize_key<T: ?Sized + Serialize>(&mut self, v: &T) -> Result<(), Refused> {
        v.serialize(&mut **self)
    }
    fn serialize_value<T: ?Sized + Serialize>(&mut self, v: &T) -> Result<(), Refused> {
        v.serialize(&mut **self)
    }
    fn end(self) -> Result<(), Refused> {
        Ok(())
    }
}
macro_rules! fields {
    ($($tr:ident),*) => {
        $(impl<N: Numbers> ser::$tr for &mut Writer<'_, N> {
            type Ok = ();
            type Error = Refused;
            fn serialize_field<T: ?Sized + Serialize>(&mut self, _: &'static str, v: &T) -> Result<(), Refused> {
                v.serialize(&mut **self)
            }
            fn end(self) -> Result<(), Refused> {
                Ok(())
            }
        })*
    };
}
fields!(SerializeStruct, SerializeStructVariant);

struct Reader<'b, 'n, N> {
    bytes: &'b [u8],
    names: &'n mut N,
    next: Option<Number>,
}

impl<N: Names> Reader<'_, '_, N> {
    fn take<const L: usize>(&mut self) -> Result<[u8; L], Refused> {
        let (head, rest) = self.bytes.split_first_chunk::<L>().ok_or_else(Refused::short)?;
        self.bytes = rest;
        Ok(*head)
    }
    fn length(&mut self) -> Result<usize, Refused> {
        usize::try_from(u64::from_le_bytes(self.take()?)).map_err(|_| Refused::short())
    }
    fn slice(&mut self) -> Result<&[u8], Refused> {
        let n = self.length()?;
        if n > self.bytes.len() {
            return Err(Refused::short());
        }
        let (head, rest) = self.bytes.split_at(n);
        self.bytes = rest;
        Ok(head)
    }
}

macro_rules! plain_back {
    ($($name:ident $visit:ident $ty:ty),*) => {
        $(fn $name<V: Visitor<'de>>(self, v: V) -> Result<V::Value, Refused> {
            v.$visit(<$ty>::from_le_bytes(self.take()?))
        })*
    };
}

/// So many elements.
struct Elements<'r, R>(&'r mut R, usize);

impl<'de, N: Names> de::Deserializer<'de> for &mut Reader<'_, '_, N> {
    type Error = Refused;

    plain_back!(deserialize_i8 visit_i8 i8, deserialize_i16 visit_i16 i16, deserialize_i32 visit_i32 i32);
    plain_back!(deserialize_i64 visit_i64 i64, deserialize_i128 visit_i128 i128);
    plain_back!(deserialize_u8 visit_u8 u8, deserialize_u16 visit_u16 u16, deserialize_u64 visit_u64 u64);
    plain_back!(deserialize_u128 visit_u128 u128, deserialize_f32 visit_f32 f32, deserialize_f64 visit_f64 f64);
    fn deserialize_u32<V: Visitor<'de>>(self, v: V) -> Result<V::Value, Refused> {
        v.visit_u32(match self.next.take() {
            Some(what) => self.names.read(what, &mut self.bytes)?,
            None => u32::from_le_bytes(self.take()?),
        })
    }
    fn deserialize_bool<V: Visitor<'de>>(self, v: V) -> Result<V::Value, Refused> {
        v.visit_bool(self.take::<1>()? != [0])
    }
    fn deserialize_char<V: Visitor<'de>>(self, v: V) -> Result<V::Value, Refused> {
        let c = u32::from_le_bytes(self.take()?);
        v.visit_char(char::from_u32(c).ok_or_else(|| Refused("not a character".into()))?)
    }
    fn deserialize_str<V: Visitor<'de>>(self, v: V) -> Result<V::Value, Refused> {
        let text = std::str::from_utf8(self.slice()?).map_err(|_| Refused("not UTF-8".into()))?;
        v.visit_str(text)
    }
    fn deserialize_string<V: Visitor<'de>>(self, v: V) -> Result<V::Value, Refused> {
        self.deserialize_str(v)
    }
    fn deserialize_bytes<V: Visitor<'de>>(self, v: V) -> Result<V::Value, Refused> {
        v.visit_bytes(self.slice()?)
    }
    fn deserialize_byte_buf<V: Visitor<'de>>(self, v: V) -> Result<V::Value, Refused> {
        self.deserialize_bytes(v)
    }
    fn deserialize_option<V: Visitor<'de>>(self, v: V) -> Result<V::Value, Refused> {
        if self.take::<1>()? == [0] { v.visit_none() } else { v.visit_some(self) }
    }
    fn deserialize_unit<V: Visitor<'de>>(self, v: V) -> Result<V::Value, Refused> {
        v.visit_unit()
    }
    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, v: V) -> Result<V::Value, Refused> {
        v.visit_unit()
    }
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, v: V) -> Result<V::Value, Refused> {
        self.next = Number::of(name);
        v.visit_newtype_struct(self)
    }
    fn deserialize_seq<V: Visitor<'de>>(self, v: V) -> Result<V::Value, Refused> {
        let n = self.length()?;
        v.visit_seq(Elements(self, n))
    }
    fn deserialize_tuple<V: Visitor<'de>>(self, n: usize, v: V) -> Result<V::Value, Refused> {
        v.visit_seq(Elements(self, n))
    }
    fn deserialize_tuple_struct<V: Visitor<'de>>(self, _: &'static str, n: usize, v: V) -> Result<V::Value, Refused> {
        v.visit_seq(Elements(self, n))
    }
    fn deserialize_map<V: Visitor<'de>>(self, v: V) -> Result<V::Value, Refused> {
        let n = self.length()?;
        v.visit_map(Elements(self, n))
    }
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        v: V,
    ) -> Result<V::Value, Refused> {
        v.visit_seq(Elements(self, fields.len()))
    }
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        v: V,
    ) -> Result<V::Value, Refused> {
        v.visit_enum(self)
    }
    fn deserialize_identifier<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Refused> {
        Err(Refused("names are not written".into()))
    }
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Refused> {
        Err(Refused("types are not written".into()))
    }
    fn deserialize_ignored_any<V: Visitor<'de>>(self, v: V) -> Result<V::Value, Refused> {
        self.deserialize_any(v)
    }
    fn is_human_readable(&self) -> bool {
        false
    }
}

impl<'de, N: Names> de::SeqAccess<'de> for Elements<'_, Reader<'_, '_, N>> {
    type Error = Refused;
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Refused> {
        if self.1 == 0 {
            return Ok(None);
        }
        self.1 -= 1;
        seed.deserialize(&mut *self.0).map(Some)
    }
    fn size_hint(&self) -> Option<usize> {
        // What is damaged may say anything.
        Some(self.1.min(self.0.bytes.len()))
    }
}
impl<'de, N: Names> de::MapAccess<'de> for Elements<'_, Reader<'_, '_, N>> {
    type Error = Refused;
    fn next_key_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Refused> {
        de::SeqAccess::next_element_seed(self, seed)
    }
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Refused> {
        seed.deserialize(&mut *self.0)
    }
    fn size_hint(&self) -> Option<usize> {
        de::SeqAccess::size_hint(self)
    }
}
impl<'de, N: Names> de::EnumAccess<'de> for &mut Reader<'_, '_, N> {
    type Error = Refused;
    type Variant = Self;
    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), Refused> {
        let n = u32::from_le_bytes(self.take()?);
        let value = seed.deserialize(IntoDeserializer::<Refused>::into_deserializer(n))?;
        Ok((value, self))
    }
}
impl<'de, N: Names> de::VariantAccess<'de> for &mut Reader<'_, '_, N> {
    type Error = Refused;
    fn unit_variant(self) -> Result<(), Refused> {
        Ok(())
    }
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Refused> {
        seed.deserialize(self)
    }
    fn tuple_variant<V: Visitor<'de>>(self, n: usize, v: V) -> Result<V::Value, Refused> {
        de::Deserializer::deserialize_tuple(self, n, v)
    }
    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], v: V) -> Result<V::Value, Refused> {
        de::Deserializer::deserialize_tuple(self, fields.len(), v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::{Deserialize, Serialize};
    use std::collections::BTreeMap;

    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    struct FuncId(u32);
    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    struct Plain(u32);
    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    enum Kind {
        None,
        One(FuncId),
        Two(u8, String),
        Named { of: Option<i128>, all: Vec<Kind> },
    }

    /// Writes numbers one higher, and reads them one lower.
    struct Shifted;
    impl Numbers for Shifted {
        fn write(&mut self, what: Number, n: u32, out: &mut Vec<u8>) -> Result<(), Refused> {
            assert_eq!(what, Number::Function);
            out.extend((n + 1).to_le_bytes());
            Ok(())
        }
    }
    impl Names for Shifted {
        fn read(&mut self, _: Number, bytes: &mut &[u8]) -> Result<u32, Refused> {
            let (n, rest) = bytes.split_first_chunk().ok_or_else(Refused::number)?;
            *bytes = rest;
            u32::from_le_bytes(*n).checked_sub(1).ok_or_else(Refused::number)
        }
    }

    type Value = (Vec<Kind>, BTreeMap<u16, (bool, char, f64)>, Plain, Box<[FuncId]>, Option<()>);

    fn value() -> Value {
        let named = Kind::Named { of: Some(-5), all: vec![Kind::None, Kind::Two(7, "zwölf".into())] };
        let map = BTreeMap::from([(1, (true, 'ß', 0.5)), (9, (false, 'x', -1.0))]);
        (vec![Kind::One(FuncId(3)), named], map, Plain(8), vec![FuncId(0), FuncId(4)].into(), Some(()))
    }

    #[test]
    fn what_is_written_is_read() {
        let mut bytes = Vec::new();
        write(&value(), &mut Shifted, &mut bytes).unwrap();
        assert_eq!(read::<Value>(&bytes, &mut Shifted).unwrap(), value());
    }

    #[test]
    fn damage_is_an_error() {
        let mut bytes = Vec::new();
        write(&value(), &mut Shifted, &mut bytes).unwrap();
        for n in 0..bytes.len() {
            assert!(read::<Value>(&bytes[..n], &mut Shifted).is_err());
            for flip in [1, 0x80, 0xff] {
                let mut b = bytes.clone();
                b[n] ^= flip;
                let _ = read::<Value>(&b, &mut Shifted);
            }
        }
        bytes.push(0);
        assert!(read::<Value>(&bytes, &mut Shifted).is_err());
    }
}
