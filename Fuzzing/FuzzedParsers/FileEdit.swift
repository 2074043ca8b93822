internal import Foundation

/// A change to the bytes of a database or of its log.
///
/// Written as a letter, three bytes of the position, a count, and so many bytes. Positions past the
/// end begin again at the start.
struct FileEdit {
  enum Kind: UInt8 {
    /// `m` overwrites bytes of the file, `w` of its log.
    case file = 0x6D, log = 0x77
    /// `c` cuts the file, `x` its log.
    case cut = 0x63, cutLog = 0x78
    /// `z` overwrites a page with zeros; `p` with the page whose number follows.
    case zero = 0x7A, copy = 0x70
  }

  private static let pageSize = 8_192

  let kind: Kind
  let position: Int
  let bytes: ArraySlice<UInt8>

  /// Reads the changes of an input, at most 64.
  static func list(_ input: [UInt8]) -> [FileEdit] {
    var edits: [FileEdit] = []
    var rest = input[...]
    while rest.count >= 5, edits.count < 64 {
      let head = Array(rest.prefix(5))
      rest = rest.dropFirst(5)
      let position = head[1...3].reduce(0) { $0 << 8 | Int($1) }
      guard let kind = Kind(rawValue: head[0]) else { continue }
      edits.append(FileEdit(kind: kind, position: position, bytes: rest.prefix(Int(head[4]))))
      rest = rest.dropFirst(Int(head[4]))
    }
    return edits
  }

  func apply(to file: inout Data, _ log: inout Data) {
    switch kind {
    case .file: overwrite(&file, at: position)
    case .log: overwrite(&log, at: position)
    case .cut: file = file.prefix(position % (file.count + 1))
    case .cutLog: log = log.prefix(position % (log.count + 1))
    case .zero: write(Data(count: Self.pageSize), on: &file)
    case .copy:
      let start = Int(bytes.first ?? 0) * Self.pageSize
      guard start + Self.pageSize <= file.count else { return }
      write(Data(file[start..<start + Self.pageSize]), on: &file)
    }
  }

  private func overwrite(_ data: inout Data, at position: Int) {
    guard !data.isEmpty else { return }
    let start = position % data.count
    let end = min(data.count, start + bytes.count)
    data.replaceSubrange(start..<end, with: bytes.prefix(end - start))
  }

  private func write(_ page: Data, on file: inout Data) {
    let pages = file.count / Self.pageSize
    guard pages > 0 else { return }
    let start = position % pages * Self.pageSize
    file.replaceSubrange(start..<start + Self.pageSize, with: page)
  }
}
