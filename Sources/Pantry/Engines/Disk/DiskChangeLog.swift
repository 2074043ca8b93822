internal import FoundationEssentials

/// What the processes on a directory write down for each other: which items they change.
///
///     0f3a1b…5c 000000000000002a
///     9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0bd5d4…
///
/// It is in the lock file. The first line tells this list from every other one, and the position of
/// the next new item. Each further line is the digest of a key, added before its file is changed,
/// so that a crash leaves at most a line too many. Whoever has read up to a line knows by the next
/// ones what to read again, and by a first line that is different that anything may have changed.
/// Nothing is flushed: after a loss of power nobody knows anything.
struct DiskChangeLog {
  /// What has been added since one looked.
  enum News {
    case changes([ContentDigest])
    /// Anything may have changed.
    case unknown
  }

  private static let headLength = 50
  private static let lineLength = 65
  /// Of a commit with more changes than this one line tells.
  private static let mostLines = 2_000
  private static let longest = headLength + lineLength * 4_000
  private static let anything = String(repeating: "*", count: lineLength - 1)

  /// The first word; nil if it is not known, or the list has to be begun anew.
  private var identifier: String?
  /// How far one has read.
  private var end = 0
  /// Larger than every position that anybody has given out.
  private(set) var nextPosition = 0

  /// Reads what has been added since the last call.
  ///
  /// - Parameter file: nil if there is none: then anything may have changed.
  mutating func read(_ file: LockFile?) throws -> News {
    guard let file, let head = Head(try file.read(Self.headLength, at: 0)) else {
      identifier = nil
      return .unknown
    }
    nextPosition = max(nextPosition, head.nextPosition)
    if head.identifier == identifier {
      // From the first line on it is this list; what is torn is read by nobody again.
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

  /// Begins a list if there is none.
  mutating func beginIfNeeded(_ file: LockFile) throws {
    guard Head(try file.read(Self.headLength, at: 0)) == nil else { return }
    try begin(file)
  }

  /// Adds what a commit is about to change; everything there is must have been read before.
  mutating func add(_ digests: [ContentDigest], nextPosition: Int, to file: LockFile) throws {
    let givesPositions = nextPosition > self.nextPosition
    self.nextPosition = max(nextPosition, self.nextPosition)
    do {
      let lines = digests.count > Self.mostLines ? [Self.anything] : digests.map(\.hexadecimal)
      let text = Data(lines.map { $0 + "\n" }.joined().utf8)
      guard let identifier, end + text.count <= Self.longest else { return try begin(file) }
      if givesPositions {
        try file.write(Head(identifier: identifier, nextPosition: nextPosition).line, at: 0)
      }
      try file.write(text, at: end)
      end += text.count
    } catch {
      // A full disk must not keep anybody from removing: an empty list says the same as well.
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
    // Mostly there is nothing, or little.
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
        words[0].utf8.count == 32, let position = Int(words[1].dropLast(), radix: 16)
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
