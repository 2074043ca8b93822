internal import CPantryPostgreSQL
internal import FoundationEssentials

/// The result of a statement: rows of columns in binary format, numbered from 0.
///
/// Sendable because libpq never changes a result.
final class PostgresRows: @unchecked Sendable {
  private let handle: OpaquePointer
  private let pq: pantry_pq

  init(_ handle: OpaquePointer, pq: pantry_pq) {
    self.handle = handle
    self.pq = pq
    count = Int(pq.ntuples(handle))
  }

  deinit { pq.clear(handle) }

  let count: Int

  func isNull(_ row: Int, _ column: Int) -> Bool {
    pq.getisnull(handle, Int32(row), Int32(column)) == 1
  }

  /// The bytes of a column, copied.
  func data(_ row: Int, _ column: Int) -> Data { bytes(row, column) { Data($0) } }

  func text(_ row: Int, _ column: Int) -> String {
    bytes(row, column) { String(decoding: $0, as: UTF8.self) }
  }

  /// An integer of any width, a Boolean, or a transaction's number.
  func integer(_ row: Int, _ column: Int) -> Int64 {
    bytes(row, column) { bytes in
      // An int4 is negative if its first bit is set.
      let first: Int64 = bytes.count < 8 && bytes.first.map { $0 > 127 } == true ? -1 : 0
      return bytes.reduce(first) { $0 << 8 | Int64($1) }
    }
  }

  func bytes<Result>(
    _ row: Int, _ column: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let count = Int(pq.getlength(handle, Int32(row), Int32(column)))
    return body(
      UnsafeRawBufferPointer(start: pq.getvalue(handle, Int32(row), Int32(column)), count: count))
  }
}
