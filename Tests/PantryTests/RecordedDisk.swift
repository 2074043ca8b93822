import Foundation
import Glibc
import PandaTestSupport

/// The changes that a program made to a directory, from which it can be built as a power failure
/// leaves it at any moment.
///
/// A flush of a file keeps its bytes, and a flush of a directory its names. Any part of the rest
/// may be on the disk: a write as a whole, some of its sectors, or not at all.
struct RecordedDisk {
  /// What of the changes that were not flushed is on the disk.
  enum Rest: Equatable {
    case nothing, everything
    /// A part that differs for each number; of a write, any sectors.
    case part(UInt64)
  }

  /// A change, a flush, or a line that the program printed.
  enum Record {
    case create(String, file: UInt64)
    case write(file: UInt64, at: Int, Data)
    case truncate(file: UInt64, Int)
    case flush(file: UInt64)
    case flushNames(of: String)
    case flushAll
    case rename(String, String)
    case remove(String)
    case makeFolder(String)
    case print(String)
  }

  static let sector = 512

  var records: [Record] = []
  private var start = Content()
  /// The number of calls that could have failed.
  var callCount = 0
  /// Whether one of them has failed.
  var hasFailed = false

  /// Reads the journal of a program that was run with `Faults`.
  ///
  /// - Parameter start: a copy of what was in the directory before, with its files' inodes there.
  init(journal: String, start: Start = Start()) throws {
    self.start.names = start.files.mapValues { .file($0.file) }
    for folder in start.folders { self.start.names[folder] = .folder }
    for file in start.files.values { self.start.files[file.file] = File(bytes: file.bytes) }
    try read(Data(contentsOf: URL(filePath: journal)))
  }

  /// What a directory holds before a program changes it.
  struct Start {
    private(set) var files: [String: (file: UInt64, bytes: Data)] = [:]
    private(set) var folders: [String] = []

    init() {}

    init(_ directory: URL) throws {
      let root = directory.path(percentEncoded: false)
      for name in try FileManager.default.subpathsOfDirectory(atPath: root) {
        var status = stat()
        let path = "\(root)/\(name)"
        guard stat(path, &status) == 0 else { throw TestFailure("\(path) cannot be read") }
        if status.st_mode & S_IFMT == S_IFDIR {
          folders.append(name)
        } else if !name.hasSuffix("-shm") {
          files[name] = (UInt64(status.st_ino), try Data(contentsOf: URL(filePath: path)))
        }
      }
    }
  }

  // MARK: Moments

  /// The moments at which a power failure can make a difference: before each flush, and at the end.
  var moments: [Int] {
    records.indices.filter { index in
      switch records[index] {
      case .flush, .flushNames, .flushAll: true
      default: false
      }
    } + [records.count]
  }

  /// The lines that the program has printed up to a moment.
  func lines(before moment: Int = .max) -> [String] {
    let text = records.prefix(moment).reduce(into: "") { text, record in
      if case .print(let more) = record { text += more }
    }
    return text.split(separator: "\n").map(String.init)
  }

  /// Writes what is on the disk after a power failure to an empty directory.
  func restore(_ moment: Int, keeping rest: Rest, to directory: URL) throws {
    var content = start
    for record in records.prefix(moment) { content.take(record) }
    try content.settled(rest).write(to: directory.path(percentEncoded: false))
  }
}
