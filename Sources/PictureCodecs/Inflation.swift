internal import CPNG
internal import Glibc

/// Inflates what a chunk of PNG has packed (RFC 1950), by zlib.
enum Inflation {
  /// Returns the content, or nil if it is damaged or larger than the limit.
  ///
  /// Memory: twice the content.
  static func bytes(of packed: UnsafeRawBufferPointer, atMost limit: Int) -> [UInt8]? {
    var content: UnsafeMutablePointer<UInt8>?
    var count = 0
    guard panda_zlib_inflate(packed.baseAddress, packed.count, limit, &content, &count) == 0
    else { return nil }
    defer { free(content) }
    return Array(UnsafeBufferPointer(start: content, count: count))
  }

  /// Packs content as a chunk of PNG has it; empty if memory runs out.
  static func packed(_ content: [UInt8]) -> [UInt8] {
    var count = compressBound(UInt(content.count))
    var packed = [UInt8](repeating: 0, count: Int(count))
    guard compress(&packed, &count, content, UInt(content.count)) == 0 else { return [] }
    return Array(packed.prefix(Int(count)))
  }
}
