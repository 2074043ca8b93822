import Foundation
import Glibc

extension RecordedDisk {
  /// The number of a file or that it is a folder.
  enum Node: Equatable {
    case file(UInt64)
    case folder
  }

  struct File {
    var bytes = Data()
    /// What was not flushed: writes and truncations.
    var pending: [Record] = []
  }

  /// The files and names as they are on the disk, with what was not flushed.
  struct Content {
    var names: [String: Node] = [:]
    var files: [UInt64: File] = [:]
    /// Names that were not flushed.
    var pending: [Record] = []

    mutating func take(_ record: Record) {
      switch record {
      case .create(_, let file):
        files[file] = File()
        pending.append(record)
      case .write(let file, _, _), .truncate(let file, _):
        files[file, default: File()].pending.append(record)
      case .flush(let file): flush(file)
      case .flushNames(let folder):
        var rest: [Record] = []
        for change in pending {
          if RecordedDisk.folder(of: change) == folder {
            apply(change)
          } else {
            rest.append(change)
          }
        }
        pending = rest
      case .flushAll:
        for change in pending { apply(change) }
        pending = []
        for file in files.keys { flush(file) }
      case .rename, .remove, .makeFolder: pending.append(record)
      case .print: break
      }
    }

    private mutating func flush(_ number: UInt64) {
      guard var file = files.removeValue(forKey: number) else { return }
      for change in file.pending { file.apply(change) }
      file.pending = []
      files[number] = file
    }

    private mutating func apply(_ change: Record) {
      switch change {
      case .create(let name, let file): names[name] = .file(file)
      case .makeFolder(let name): names[name] = .folder
      case .remove(let name): names[name] = nil
      case .rename(let old, let new):
        if let node = names.removeValue(forKey: old) { names[new] = node }
      case .write, .truncate, .flush, .flushNames, .flushAll, .print: break
      }
    }

    /// The content with a part of what was not flushed.
    func settled(_ rest: Rest) -> Content {
      var content = self
      var chance = Chance(rest)
      for change in pending where chance.keeps() { content.apply(change) }
      for number in files.keys.sorted() {
        guard var file = content.files[number], !file.pending.isEmpty else { continue }
        for change in file.pending { file.apply(change, &chance) }
        content.files[number] = file
      }
      return content
    }

    func write(to root: String) throws {
      for (name, node) in names.sorted(by: { $0.key < $1.key }) {
        let path = "\(root)/\(name)"
        switch node {
        case .folder:
          try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        case .file(let number):
          // In a folder whose name was lost, a file is lost too.
          guard RecordedDisk.hasFolder(name, in: names) else { continue }
          try (files[number]?.bytes ?? Data()).write(to: URL(filePath: path))
          chmod(path, 0o600)
        }
      }
    }
  }

  static func parent(_ name: String) -> String {
    name.lastIndex(of: "/").map { String(name[..<$0]) } ?? ""
  }

  static func folder(of change: Record) -> String? {
    switch change {
    case .create(let name, _), .rename(_, let name), .remove(let name), .makeFolder(let name):
      parent(name)
    case .write, .truncate, .flush, .flushNames, .flushAll, .print: nil
    }
  }

  static func hasFolder(_ name: String, in names: [String: Node]) -> Bool {
    let folder = parent(name)
    return folder.isEmpty || names[folder] == .folder
  }
}
