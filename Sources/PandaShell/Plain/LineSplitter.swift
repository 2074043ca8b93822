struct LineSplitter: Sendable {
  enum Line: Hashable, Sendable {
    /// The text without the line end; invalid UTF-8 becomes U+FFFD.
    case text(String)
    /// The line had more than ``byteLimit`` bytes, which were dropped.
    case tooLong
  }

  /// The most bytes in a line, not counting its end.
  static let byteLimit = 65_536

  private var bytes: [UInt8] = []
  /// The number of bytes in `bytes` that belong to returned lines.
  private var used = 0
  /// The number of bytes in `bytes` that are known to contain no line feed.
  private var searched = 0
  private var isSkipping = false

  mutating func append(_ more: some Sequence<UInt8>) {
    bytes.removeFirst(used)
    searched -= used
    used = 0
    bytes += more
  }

  /// Returns the next complete line; nil if its end has not arrived.
  mutating func next() -> Line? {
    guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = bytes.count
      // The last byte may be a carriage return of the line end.
      if searched - used > Self.byteLimit + 1 {
        isSkipping = true
        used = searched
      }
      return nil
    }
    defer {
      used = end + 1
      searched = used
      isSkipping = false
    }
    return line(bytes[used..<end])
  }

  /// Returns the rest after the last line end, at the end of the input.
  ///
  /// Nil if it is empty.
  mutating func finish() -> Line? {
    defer { self = LineSplitter() }
    return used == bytes.count && !isSkipping ? nil : line(bytes[used...])
  }

  private func line(_ slice: ArraySlice<UInt8>) -> Line {
    let content = slice.last == UInt8(ascii: "\r") ? slice.dropLast() : slice
    guard !isSkipping, content.count <= Self.byteLimit else { return .tooLong }
    return .text(String(decoding: content, as: UTF8.self))
  }
}
