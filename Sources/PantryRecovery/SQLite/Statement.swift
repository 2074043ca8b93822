internal import CPantrySQLite
package import FoundationEssentials
internal import Glibc

/// A prepared statement.
///
/// Parameters are numbered from 1, columns from 0, as in SQLite. Not Sendable: it stays with its
/// ``Database``.
package final class Statement {
  private let handle: OpaquePointer
  private unowned let database: Database

  package init(_ handle: OpaquePointer, database: Database) {
    self.handle = handle
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  package enum Value {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
    /// Bytes stored as TEXT if they are text, so that the sqlite3 shell and its JSON functions read
    /// them, and as a BLOB otherwise.
    case readable(Data)
  }

  /// Binds `values` to the parameters from the first on.
  package func bind(_ values: Value...) throws(SQLiteError) {
    try bind(values)
  }

  /// Does the same with the values in an array.
  package func bind(_ values: [Value]) throws(SQLiteError) {
    for (index, value) in values.enumerated() {
      try bind(value, at: Int32(index + 1))
    }
  }

  /// Advances to the next row; returns whether there is one.
  package func step() throws(SQLiteError) -> Bool {
    let result = sqlite3_step(handle)
    if result == pantry_sqlite3_row { return true }
    if result == pantry_sqlite3_done { return false }
    let error = database.error(result, during: .step)
    reset()
    throw error
  }

  /// Prepares the statement for another run and releases the bound values.
  package func reset() {
    // Both repeat the error of the last step, which has been thrown already.
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  /// Binds, runs to the end and resets; bytes are bound in place, without a copy.
  package func run(_ values: Value...) throws(SQLiteError) {
    try run(values)
  }

  /// Does the same with the values in an array.
  package func run(_ values: [Value]) throws(SQLiteError) {
    defer { reset() }
    try run(binding: values[...], at: 1) { () throws(SQLiteError) in
      while try step() {}
    }
  }

  /// Runs an INSERT OR FAIL; returns false if a row with these values exists.
  package func runUnlessTaken(_ values: [Value]) throws(SQLiteError) -> Bool {
    defer { reset() }
    var isTaken = false
    try run(binding: values[...], at: 1) { () throws(SQLiteError) in
      let result = sqlite3_step(handle)
      isTaken = result == pantry_sqlite3_constraint_unique
      guard result != pantry_sqlite3_done, !isTaken else { return }
      throw database.error(result, during: .step)
    }
    return !isTaken
  }

  private func run(
    binding values: ArraySlice<Value>, at index: Int32, _ step: () throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    guard let value = values.first else { return try step() }
    let rest = values.dropFirst()
    switch value {
    case .blob(let data): try run(data, isText: false, rest, at: index, step)
    case .readable(let data): try run(data, isText: data.isReadableText, rest, at: index, step)
    case .null, .integer, .real, .text:
      try bind(value, at: index)
      try run(binding: rest, at: index + 1, step)
    }
  }

  /// Runs within the scope in which the address of `data` is valid.
  private func run(
    _ data: Data, isText: Bool, _ rest: ArraySlice<Value>, at index: Int32,
    _ step: () throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    try data.withUnsafeBytes { bytes in
      Result { () throws(SQLiteError) in
        let count = UInt64(bytes.count)
        let result =
          isText
          ? pantry_sqlite3_bind_text_in_place(handle, index, bytes.baseAddress, count)
          : pantry_sqlite3_bind_blob_in_place(handle, index, bytes.baseAddress, count)
        try database.check(result, during: .bind)
        try run(binding: rest, at: index + 1, step)
      }
    }.get()
  }

  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == pantry_sqlite3_null
  }

  package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  package func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  package func text(_ column: Int32) -> String {
    guard let text = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  /// The bytes of a TEXT or BLOB column, copied.
  package func data(_ column: Int32) -> Data {
    guard let bytes = sqlite3_column_blob(handle, column) else { return Data() }
    return Data(bytes: bytes, count: Int(sqlite3_column_bytes(handle, column)))
  }

  private func bind(_ value: Value, at index: Int32) throws(SQLiteError) {
    let result =
      switch value {
      case .null: sqlite3_bind_null(handle, index)
      case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
      case .real(let real): sqlite3_bind_double(handle, index, real)
      case .text(let text): bindText(text, at: index)
      case .blob(let data): bindBlob(data, at: index)
      case .readable(let data):
        data.isReadableText ? bindTextBytes(data, at: index) : bindBlob(data, at: index)
      }
    try database.check(result, during: .bind)
  }

  private func bindText(_ text: String, at index: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      pantry_sqlite3_bind_text(handle, index, bytes.baseAddress, UInt64(bytes.count))
    }
  }

  private func bindTextBytes(_ data: Data, at index: Int32) -> Int32 {
    data.withUnsafeBytes { bytes in
      pantry_sqlite3_bind_text(handle, index, bytes.baseAddress, UInt64(bytes.count))
    }
  }

  private func bindBlob(_ data: Data, at index: Int32) -> Int32 {
    data.withUnsafeBytes { bytes in
      pantry_sqlite3_bind_blob(handle, index, bytes.baseAddress, UInt64(bytes.count))
    }
  }
}

extension Data {
  /// Whether the bytes are valid UTF-8 without NUL, which SQLite's TEXT holds unchanged.
  var isReadableText: Bool {
    withUnsafeBytes { bytes in
      if let first = bytes.baseAddress, memchr(first, 0, bytes.count) != nil { return false }
      // ASCII, which JSON mostly is, needs no more: eight bytes at a time have no high bit.
      var highBits: UInt64 = 0
      var offset = 0
      while offset + 8 <= bytes.count {
        highBits |= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        offset += 8
      }
      for byte in bytes[offset...] { highBits |= UInt64(byte) }
      let isASCII = highBits & 0x8080_8080_8080_8080 == 0
      guard !isASCII else { return true }
      let utf8 = bytes.bindMemory(to: UInt8.self).span
      return (try? UTF8Span(validating: utf8)) != nil  // The only error is that it is not valid.
    }
  }
}
