public import Foundation

/// What a disk does to a program that runs on it.
public struct Faults: Sendable, CustomStringConvertible {
  /// How a system call fails.
  public enum Kind: String, CaseIterable, Sendable {
    /// The disk reports an error.
    case inputOutput = "EIO"
    /// There is no room.
    case noRoom = "ENOSPC"
    /// A signal interrupts the call.
    case interruption = "EINTR"
    /// Half of the bytes are written.
    case shortWrite = "short"
    /// SQLite gets no memory.
    case memory
  }

  /// What some file systems lack.
  public enum Lack: String, Sendable {
    /// Directories cannot be flushed.
    case directoryFlushes = "flushes"
    /// Memory cannot be shared by mapping a file.
    case sharedMaps = "maps"
    /// Files and directories cannot be locked.
    case locks
  }

  var lack: Lack?
  var kind: Kind?
  var call = 0
  var isLasting = false
  var prints = false
  var pause = 0

  /// A disk in order, whose changes are recorded.
  public static let none = Faults()

  /// A disk in order, in a program that prints right after each call that opens a file.
  public static let printing = Faults(prints: true)

  /// A disk in order, with a file system that lacks something.
  public static func lacking(_ lack: Lack) -> Faults { Faults(lack: lack) }

  /// A disk in order, of which every flush takes some milliseconds more.
  public static func slow(_ milliseconds: Int) -> Faults { Faults(pause: milliseconds) }

  /// A disk on which no call has failed yet, while those that can fail so are counted.
  public static func count(_ kind: Kind) -> Faults { Faults(kind: kind) }

  /// A disk on which the nth call fails.
  ///
  /// - Parameter isLasting: whether all later ones fail as well.
  public static func fail(_ kind: Kind, atCall call: Int, isLasting: Bool) -> Faults {
    Faults(kind: kind, call: call, isLasting: isLasting)
  }

  /// The words for a failure of a test.
  public var description: String {
    guard let kind, call > 0 else { return "no faults" }
    return "\(kind) at call \(call)\(isLasting ? " and after it" : "")"
  }

  /// Whether programs can have faults: the sanitizers take the same calls for themselves.
  public static let arePossible = ["ASAN_OPTIONS", "TSAN_OPTIONS"].allSatisfy {
    ProcessInfo.processInfo.environment[$0] == nil
  }

  /// Returns the lines that a program printed, each with the number of flushes of a file or a
  /// directory between it and the line before.
  ///
  /// - Parameter journal: the file of ``environment(_:directory:journal:)``.
  public static func flushes(in journal: String) throws -> [(line: String, count: Int)] {
    let bytes = try Data(contentsOf: URL(filePath: journal))
    return bytes.withUnsafeBytes { bytes in
      var lines: [(line: String, count: Int)] = []
      var (place, count) = (0, 0)
      while place + 32 <= bytes.count {
        func number(_ offset: Int) -> Int {
          Int(bytes.loadUnaligned(fromByteOffset: place + offset, as: UInt32.self))
        }
        let start = place + 32 + number(4)
        let end = min(start + number(8), bytes.count)
        switch number(0) {
        case 4...6: count += 1
        case 10:
          lines.append((String(decoding: bytes[start..<end], as: UTF8.self), count))
          count = 0
        default: break
        }
        place = end
      }
      return lines
    }
  }

  /// The library that makes them.
  public static func library() throws -> PreloadedLibrary {
    try PreloadedLibrary.built(
      from: Bundle.module.resourceURL!.appending(path: "Preloads/faults.c"))
  }

  /// The environment of a program on such a disk.
  ///
  /// - Parameters:
  ///   - directory: what of the file system is meant.
  ///   - journal: a file outside it, for `RecordedDisk`.
  public func environment(
    _ library: PreloadedLibrary, directory: URL, journal: String
  ) throws -> [String] {
    let place = directory.resolvingSymlinksInPath().path(percentEncoded: false)
    var environment = [
      "LD_PRELOAD=\(library.path)", "FAULTS_JOURNAL=\(journal)",
      "FAULTS_DIRECTORY=\(place.hasSuffix("/") ? String(place.dropLast()) : place)",
      "PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no",
    ]
    if let lack { environment.append("FAULTS_LACK=\(lack.rawValue)") }
    if let kind { environment.append("FAULTS_ERROR=\(kind.rawValue)") }
    if call > 0 { environment.append("FAULTS_CALL=\(call)") }
    if isLasting { environment.append("FAULTS_EVER=1") }
    if pause > 0 { environment.append("FAULTS_PAUSE=\(pause)") }
    if prints { environment.append("FAULTS_PRINTS=1") }
    return environment
  }
}
