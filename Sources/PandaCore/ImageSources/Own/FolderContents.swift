internal import Glibc
internal import SystemSupport

/// The files below a folder that may be pictures, and the counts of skipped ones.
///
/// Folders in it and links are followed, each folder once.
struct FolderContents {
  static let fileLimit = 100_000
  /// The maximum depth of the folders in which files are found.
  static let depthLimit = 8
  /// The maximum number of folders, each of which is watched.
  static let folderLimit = 1_000

  /// Folders that other programs make beside people's pictures: thumbnails, trash, attributes.
  ///
  /// Synology, QNAP, Windows, ZIP files of macOS. Those with a dot are hidden anyway.
  private static let others = [
    "@eaDir", "#recycle", "#snapshot", "@Recycle", "@Recently-Snapshot", "$RECYCLE.BIN", "__MACOSX",
  ].map { FileName($0.utf8) }

  /// The files, by their paths from the folder.
  private(set) var files: [FileName] = []
  /// The folders, by their paths from the folder; the first is the folder itself, and empty.
  private(set) var folders: [FileName] = []
  private(set) var passedOver = PassedOver()

  init(of files: [FileName]) { self.files = files }

  /// Reads a folder.
  ///
  /// - Throws: `FileError` if it does not exist or cannot be read.
  init(of path: String) throws(FileError) {
    var pending: [(name: FileName, depth: Int)] = [(FileName([]), 0)]
    var known: Set<[UInt64]> = []
    while let (name, depth) = pending.popLast() {
      guard
        let directory = name.path(in: path).withUnsafeBufferPointer({ opendir($0.baseAddress!) })
      else {
        guard depth > 0 else { throw FileError(.read, path, code: errno) }
        passedOver.count(.unreadable)
        continue
      }
      defer { closedir(directory) }
      var status = stat()
      // A folder that links lead back to is not counted as skipped.
      guard fstat(dirfd(directory), &status) == 0,
        known.insert([UInt64(status.st_dev), UInt64(status.st_ino)]).inserted
      else { continue }
      guard folders.count < Self.folderLimit else {
        passedOver.count(.tooMany)
        continue
      }
      folders.append(name)
      while let entry = readdir(directory) {
        let last = withUnsafeBytes(of: &entry.pointee.d_name) { FileName($0.prefix { $0 != 0 }) }
        if last.isHidden {
          if ![".", ".."].contains(where: { Array($0.utf8) == last.bytes }) {
            passedOver.count(.hidden)
          }
          continue
        }
        var kind = Int32(entry.pointee.d_type)
        if kind == DT_LNK || kind == DT_UNKNOWN {
          let found = last.bytes.map { CChar(bitPattern: $0) } + [0]
          guard fstatat(dirfd(directory), found, &status, 0) == 0 else {
            passedOver.count(.brokenLink)
            continue
          }
          // DT_DIR and DT_REG are these bits (dirent.h, IFTODT).
          kind = Int32((status.st_mode & S_IFMT) >> 12)
        }
        let file =
          name.bytes.isEmpty ? last : FileName(name.bytes + [UInt8(ascii: "/")] + last.bytes)
        switch kind {
        case Int32(DT_DIR) where Self.others.contains(last): passedOver.count(.others)
        case Int32(DT_DIR) where depth >= Self.depthLimit: passedOver.count(.tooDeep)
        case Int32(DT_DIR): pending.append((file, depth + 1))
        case Int32(DT_REG) where files.count >= Self.fileLimit: passedOver.count(.tooMany)
        case Int32(DT_REG): files.append(file)
        default: passedOver.count(.noPicture)
        }
      }
    }
  }
}

/// Counts the files and folders that were skipped, by the reason.
package struct PassedOver: Equatable, Sendable {
  /// The reason why a file or folder was skipped.
  package enum Reason: String, CaseIterable, Sendable {
    case noPicture = "no picture"
    case undecodable = "that cannot be decoded"
    case hidden
    case others = "of other programs"
    case brokenLink = "a link that leads nowhere"
    case unreadable = "a folder that cannot be read"
    case tooDeep = "too many folders deep"
    case tooMany = "one too many"
  }

  private var counts: [Reason: Int] = [:]

  package init() {}

  package mutating func count(_ reason: Reason) { counts[reason, default: 0] += 1 }

  package mutating func add(_ other: PassedOver) {
    counts.merge(other.counts, uniquingKeysWith: +)
  }

  /// A summary such as `passed over: 3 no picture, 1 hidden`; nil for nothing.
  package var words: String? {
    let parts = Reason.allCases.compactMap { reason in
      counts[reason].map { "\($0) \(reason.rawValue)" }
    }
    return parts.isEmpty ? nil : "passed over: \(parts.joined(separator: ", "))"
  }
}
