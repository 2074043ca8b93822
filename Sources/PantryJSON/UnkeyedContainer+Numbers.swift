// The standard library prefers its defaults for these requirements to generic functions. The
// defaults differ at the end of an array, or throw.

extension UnkeyedContainer {
  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    try integer()
  }

  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    try integer()
  }

  mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? {
    try presentFloatingPoint()
  }

  mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? {
    try presentFloatingPoint()
  }

  mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? {
    try presentInteger()
  }

  mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8? {
    try presentInteger()
  }

  mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16? {
    try presentInteger()
  }

  mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32? {
    try presentInteger()
  }

  mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64? {
    try presentInteger()
  }

  mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt? {
    try presentInteger()
  }

  mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8? {
    try presentInteger()
  }

  mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16? {
    try presentInteger()
  }

  mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32? {
    try presentInteger()
  }

  mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64? {
    try presentInteger()
  }
}
