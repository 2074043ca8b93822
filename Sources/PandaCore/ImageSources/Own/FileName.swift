internal import FoundationEssentials
internal import Glibc
internal import SystemSupport

/// A file's name, or its path from a folder, as the file system has it: bytes, which need not be
/// UTF-8.
///
/// As a `String`, two files of one folder could be equal: "é" is one character or two.
package struct FileName: Hashable, Comparable, Sendable {
  /// The bytes, without a zero.
  let bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  /// The path of a file from the root, without symbolic links.
  ///
  /// - Throws: `FileError` if there is no such file.
  init(resolving path: String) throws(FileError) {
    guard let resolved = realpath(path, nil) else { throw FileError(.read, path, code: errno) }
    defer { free(resolved) }
    bytes = (1..<max(1, strlen(resolved))).map { UInt8(bitPattern: resolved[$0]) }
  }

  /// The name of the folder that a path from the root leads to.
  var folderName: String {
    let names = bytes.split(separator: UInt8(ascii: "/")).dropLast()
    return names.last.map { String(decoding: $0, as: UTF8.self) } ?? "/"
  }

  var isHidden: Bool { bytes.first == UInt8(ascii: ".") }

  package static func < (first: Self, second: Self) -> Bool {
    first.bytes.lexicographicallyPrecedes(second.bytes)
  }

  /// The path in a folder, as the C library takes it.
  func path(in folder: String) -> [CChar] {
    (Array("\(folder)/".utf8) + bytes).map { CChar(bitPattern: $0) } + [0]
  }

  /// The name as a title: without its extension, and with spaces for underscores.
  var title: String? {
    let last = bytes.split(separator: UInt8(ascii: "/")).last ?? []
    let name = String(decoding: last, as: UTF8.self)
    let end = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
    let words = name[..<end].replacing("_", with: " ").split(separator: " ")
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// Returns the file's address in a folder, with each byte that is not plain ASCII escaped.
  func url(in folder: String) -> URL {
    let directory = URL(filePath: folder, directoryHint: .isDirectory)
    var escaped = ""
    for byte in bytes {
      let character = Character(UnicodeScalar(byte))
      if character.isASCII, character.isLetter || character.isNumber || "-._~/".contains(character)
      {
        escaped.append(character)
      } else {
        escaped += byte < 16 ? "%0" : "%"
        escaped += String(byte, radix: 16, uppercase: true)
      }
    }
    return URL(string: directory.absoluteString + escaped) ?? directory
  }
}
