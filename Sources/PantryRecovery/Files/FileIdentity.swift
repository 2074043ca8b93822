package import Glibc
internal import SystemSupport

/// Identifies a file, to detect that another one replaced it under its name.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt
  private let node: UInt

  package init(_ status: stat) {
    device = UInt(status.st_dev)
    node = UInt(status.st_ino)
  }

  /// Identifies the file at `path` now; nil if there is none, or the system cannot tell.
  package init?(path: String) {
    guard case .found(let file) = Self.look(path) else { return nil }
    self = file
  }

  package enum Lookup {
    case found(FileIdentity)
    case absent
    case unknown
  }

  package static func look(_ path: String) -> Lookup {
    var status = stat()
    guard stat(path, &status) != 0 else { return .found(FileIdentity(status)) }
    return errno == ENOENT || errno == ENOTDIR ? .absent : .unknown
  }

  /// Whether this process has the file mapped; true if the system cannot tell.
  ///
  /// By its number alone, since some file systems report another device there
  /// (https://man7.org/linux/man-pages/man5/proc_pid_maps.5.html).
  package var isMapped: Bool {
    // Without /proc, it may be. Foundation would stop at the end of the first page.
    let file = Descriptors.open("/proc/self/maps", O_RDONLY)
    guard file >= 0 else { return true }
    defer { close(file) }
    var maps: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(file, &piece, piece.count)
      guard count >= 0 else { return true }
      if count == 0 { break }
      maps += piece[..<count]
    }
    let number = Array("\(node)".utf8)
    return maps.split(separator: UInt8(ascii: "\n")).contains { line in
      line.split(separator: UInt8(ascii: " "), maxSplits: 5).dropFirst(4).first
        .map { $0.elementsEqual(number) } ?? false
    }
  }

  /// Whether there is no file at `path`; false if the system cannot tell.
  package static func isAbsent(_ path: String) -> Bool {
    if case .absent = look(path) { true } else { false }
  }
}
