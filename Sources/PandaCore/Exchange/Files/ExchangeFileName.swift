// Composition exists in the standard library, which needs it to compare strings, but only as SPI;
// Foundation's would load all of ICU.
@_spi(_Unicode) internal import Swift

internal import FoundationEssentials
internal import Pantry
internal import PictureCodecs

enum ExchangeFileName {
  /// The maximum number of bytes that a file system takes (`NAME_MAX`).
  static let byteLimit = 255
  /// The maximum number of characters and bytes of words in a name.
  private static let (wordsLimit, wordsByteLimit) = (60, 150)

  /// Returns a name such as `2026-10-03 Asleep on a branch 1f0a9c3e.jpg`.
  ///
  /// It has the day on which the picture became a favorite, its caption or title, and the first
  /// digits of its digest, so that it is the same in each export.
  static func name(of image: RemoteImage, format: PictureFormat) -> String {
    let words = [image.caption, image.title].compactMap(\.self).map(Self.words)
      .first { !$0.isEmpty }
    let parts = [
      ExactDate.day(image.savedAt ?? image.createdAt), words ?? "Red panda",
      String(image.dataRepresentation.digest.hexadecimal.prefix(8)),
    ]
    let name = parts.joined(separator: " ")
    return format.filenameExtension.map { "\(name).\($0)" } ?? name
  }

  /// Returns `name`, or one with a number if the set has it; adds it to the set.
  ///
  /// Names that differ in case only are the same to some file systems.
  static func unique(_ name: String, in taken: inout Set<String>) -> String {
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    var (unique, number) = (name, 2)
    while !taken.insert(unique.lowercased()).inserted {
      unique = "\(name[..<dot]) (\(number))\(name[dot...])"
      number += 1
    }
    return unique
  }

  /// Returns what of a text can be part of a file name on every system, short enough.
  ///
  /// In composed form, since some systems and archivers compose names.
  static func words(_ text: String) -> String {
    var kept = String.UnicodeScalarView()
    for scalar in text._nfc.prefix(wordsByteLimit * 4) {
      switch scalar.properties.generalCategory {
      case .control, .spaceSeparator, .lineSeparator, .paragraphSeparator: kept.append(" ")
      case .format, .privateUse, .surrogate, .unassigned: continue
      default: kept.append(forbidden.contains(scalar) ? "-" : scalar)
      }
    }
    var words = ""
    for character in String(kept).split(separator: " ").joined(separator: " ").prefix(wordsLimit)
    where words.utf8.count + character.utf8.count <= wordsByteLimit { words.append(character) }
    // A name that ends in a dot or a blank is another name on some systems.
    while let last = words.last, ". ".contains(last) { words.removeLast() }
    while let first = words.first, ".- ".contains(first) { words.removeFirst() }
    return words
  }

  /// The forbidden characters: `/`, and those of FAT and NTFS.
  private static let forbidden = Set("/\\:*?\"<>|".unicodeScalars)

  /// Whether a name from outside is that of a file in the directory itself.
  static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && name.utf8.count <= byteLimit
      && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
  }
}
