internal import FoundationEssentials
internal import PandaCore
internal import Pantry

/// A picture as `--json` prints it; docs/Scripting.md documents the members.
///
/// Unknown members are left out.
struct PictureRecord: Encodable, Equatable {
  /// Grows when a member changes its meaning or goes; new members do not change it.
  static let version = 1

  let schema = Self.version
  let id: String
  let address: String
  let title: String?
  let caption: String?
  let tags: [String]
  let source: String
  let credit: String?
  let license: String?
  /// Nil also if it must not be opened.
  let page: String?
  let width: Int
  let height: Int
  let bytes: Int
  let sha256: String
  let fetchedAt: String
  /// Nil if it is not a favorite.
  let savedAt: String?
  /// Nil if it is not a favorite, or not of a shared library.
  let savedBy: String?
  /// Nil if it is not in the trash.
  let removedAt: String?

  /// - Parameters:
  ///   - isFavorite: whether it is a favorite now.
  ///   - removedAt: when it went into the trash.
  ///   - named: the user's own sources, whose hosts may be private.
  init(_ image: RemoteImage, isFavorite: Bool, removedAt: Date? = nil, named: [URL]) {
    id = image.pictureID.digits
    address = image.id.withoutTracking
    title = image.title
    caption = image.caption
    tags = image.tags
    source = image.source
    credit = image.credit
    license = image.license
    page = image.page.flatMap { WebAddress($0, named: named)?.description }
    width = image.width
    height = image.height
    bytes = image.dataRepresentation.byteCount
    sha256 = image.dataRepresentation.digest.hexadecimal
    fetchedAt = Self.text(image.createdAt)
    savedAt = isFavorite ? Self.text(image.savedAt ?? image.createdAt) : nil
    savedBy = isFavorite ? image.savedBy : nil
    self.removedAt = removedAt.map(Self.text)
  }

  /// A moment in UTC, such as 2026-10-03T14:07:00.000Z (ISO 8601).
  static func text(_ date: Date) -> String {
    date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}

struct JSONLines {
  private let encoder = JSONEncoder()

  init() {
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// Returns the line of a value, without its end.
  ///
  /// Characters that act on a terminal are escaped: the line is the same to every JSON parser.
  func line(_ value: some Encodable) throws -> [UInt8] {
    let text = String(decoding: try encoder.encode(value), as: UTF8.self)
    guard text.unicodeScalars.contains(where: Self.acts) else { return Array(text.utf8) }
    var escaped = ""
    for scalar in text.unicodeScalars {
      if Self.acts(scalar) {
        let digits = String(scalar.value, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return Array(escaped.utf8)
  }

  /// DEL, the C1 controls, and what changes lines and directions.
  private static func acts(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
