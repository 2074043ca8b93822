/// Makes lines of bytes that come in pieces.
struct LineSplitter: Sendable {
  /// What a line was.
  enum Line: Hashable, Sendable {
    /// Its text without its end; what is no UTF-8 is U+FFFD.
    case text(String)
    /// It had more than ``byteLimit`` bytes, which are gone.
    case tooLong
  }

  /// The most bytes in a line, without its end.
  static let byteLimit = 65_536

  private var bytes: [UInt8] = []
  /// How many of `bytes` belong to lines that were returned.
  private var used = 0
  /// How many of `bytes` are known to have no line feed.
  private var searched = 0
  private var isSkipping = false

  /// Appends what arrived.
  mutating func append(_ more: some Sequence<UInt8>) {
    bytes.removeFirst(used)
    searched -= used
    used = 0
    bytes += more
  }

  /// The next line that has ended; nil if its end is still to come.
  mutating func next() -> Line? {
    guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = bytes.count
      // A carriage return may stand before the end that is to come.
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

  /// What follows the last line's end, when no more will come; nil if that is nothing.
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
