internal import FoundationEssentials

/// The log of changed items that the processes on a directory share.
///
///     0f3a1b…5c 000000000000002a
///     9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0bd5d4…
///
/// It is in the lock file. The first line has a unique identifier of the log, and the position of
/// the next new item. Each further line is the digest of a key, added before its file is changed,
/// so a crash leaves at most a superfluous line. To a reader, new lines are the items to read
/// again; another first line means that anything may have changed. Nothing is flushed: after a
/// power failure, all changes are unknown.
struct DiskChangeLog {
  /// The lines added since the last read.
  enum News {
    case changes([ContentDigest])
    /// Anything may have changed.
    case unknown
  }

  private static let headLength = 50
  private static let lineLength = 65
  /// A commit with more changes adds a single line, which means all items.
  private static let maxLines = 2_000
  private static let longest = headLength + lineLength * 4_000
  private static let anything = String(repeating: "*", count: lineLength - 1)

  /// The identifier; nil if it is unknown, or a new log has to be started.
  private var identifier: String?
  /// The offset up to which the log was read.
  private var end = 0
  /// Larger than every position assigned by any process.
  private(set) var nextPosition = 0

  /// Reads the lines added since the last call.
  ///
  /// - Parameter file: the lock file; without one, anything may have changed.
  mutating func read(_ file: LockFile?) throws -> News {
    guard let file, let head = Head(try file.read(Self.headLength, at: 0)) else {
      identifier = nil
      return .unknown
    }
    nextPosition = max(nextPosition, head.nextPosition)
    if head.identifier == identifier {
      // From the first line on it is this log; a torn line is not read again.
      let added = try readLines(file)
      if added.count % Self.lineLength == 0 {
        end += added.count
        return news(added)
      }
    }
    end = try file.byteCount()
    let isWhole = (end - Self.headLength) % Self.lineLength == 0
    identifier = isWhole ? head.identifier : nil
    return .unknown
  }

  /// Starts a log if there is none.
  mutating func beginIfNeeded(_ file: LockFile) throws {
    guard Head(try file.read(Self.headLength, at: 0)) == nil else { return }
    try begin(file)
  }

  /// Adds the items that a commit is about to change; call it after reading all lines.
  mutating func add(_ digests: [ContentDigest], nextPosition: Int, to file: LockFile) throws {
    let givesPositions = nextPosition > self.nextPosition
    self.nextPosition = max(nextPosition, self.nextPosition)
    do {
      let lines = digests.count > Self.maxLines ? [Self.anything] : digests.map(\.hexadecimal)
      let text = Data(lines.map { $0 + "\n" }.joined().utf8)
      guard let identifier, end + text.count <= Self.longest else { return try begin(file) }
      if givesPositions {
        try file.write(Head(identifier: identifier, nextPosition: nextPosition).line, at: 0)
      }
      try file.write(text, at: end)
      end += text.count
    } catch {
      // A full disk must not prevent removals: an empty log works as well.
      identifier = nil
      try file.clear()
    }
  }

  private mutating func begin(_ file: LockFile) throws {
    identifier = nil
    try file.clear()
    let head = Head(identifier: Head.newIdentifier(), nextPosition: nextPosition)
    try file.write(head.line, at: 0)
    identifier = head.identifier
    end = Self.headLength
  }

  private func readLines(_ file: LockFile) throws -> Data {
    // Usually there are few new lines, or none.
    var count = Self.lineLength * 8
    var lines = Data()
    while true {
      let part = try file.read(count, at: end + lines.count)
      lines += part
      if part.count < count { return lines }
      count = Self.lineLength * 1_024
    }
  }

  private func news(_ lines: Data) -> News {
    var digests: [ContentDigest] = []
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      guard let digest = ContentDigest(hexadecimal: String(decoding: line, as: UTF8.self)) else {
        return .unknown
      }
      digests.append(digest)
    }
    return .changes(digests)
  }

  /// The first line.
  private struct Head {
    let identifier: String
    let nextPosition: Int

    init(identifier: String, nextPosition: Int) {
      self.identifier = identifier
      self.nextPosition = nextPosition
    }

    init?(_ data: Data) {
      let words = String(decoding: data, as: UTF8.self).split(
        separator: " ", omittingEmptySubsequences: false)
      guard data.count == headLength, data.last == UInt8(ascii: "\n"), words.count == 2,
        words[0].utf8.count == 32, let position = Int(words[1].dropLast(), radix: 16),
        DiskItemHeader.positions.contains(position)
      else { return nil }
      identifier = String(words[0])
      nextPosition = position
    }

    var line: Data { Data("\(identifier) \(hexadecimal(UInt64(nextPosition)))\n".utf8) }

    static func newIdentifier() -> String {
      hexadecimal(.random(in: 0 ... .max)) + hexadecimal(.random(in: 0 ... .max))
    }
  }
}

private func hexadecimal(_ number: UInt64) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}
