internal import FoundationEssentials
internal import PandaCore
internal import Pantry

/// Pictures as `--json` prints them; docs/Scripting.md documents the members.
enum PictureRecord {
  /// Grows when a member changes its meaning or goes; new members do not change it.
  static let version = 1

  /// Returns the record of a picture, without what is unknown.
  ///
  /// - Parameters:
  ///   - isFavorite: whether it is a favorite now.
  ///   - removedAt: when it went into the trash.
  ///   - named: the user's own sources, whose hosts may be private.
  static func json(
    _ image: RemoteImage, isFavorite: Bool, removedAt: Date? = nil, named: [URL]
  ) -> JSONValue {
    // A page that must not be opened counts as unknown.
    let page = image.page.flatMap { WebAddress($0, named: named)?.description }
    let savedAt = isFavorite ? image.savedAt ?? image.createdAt : nil
    return JSONValue(members: [
      "schema": JSONValue(number: version), "id": JSONValue(text: image.pictureID.digits),
      "address": JSONValue(text: image.id.withoutTracking),
      "title": JSONValue(text: image.title), "description": JSONValue(text: image.about),
      "caption": JSONValue(text: image.caption),
      "tags": JSONValue(texts: image.tags), "source": JSONValue(text: image.source),
      "credit": JSONValue(text: image.credit), "license": JSONValue(text: image.license),
      "page": JSONValue(text: page), "width": JSONValue(number: image.width),
      "height": JSONValue(number: image.height),
      "bytes": JSONValue(number: image.dataRepresentation.byteCount),
      "sha256": JSONValue(text: image.dataRepresentation.digest.hexadecimal),
      "fetchedAt": JSONValue(text: text(image.createdAt)),
      "savedAt": JSONValue(text: savedAt.map(text)),
      // Only a shared library knows.
      "savedBy": JSONValue(text: isFavorite ? image.savedBy : nil),
      "removedAt": JSONValue(text: removedAt.map(text)),
    ])
  }

  /// A moment in UTC, such as 2026-10-03T14:07:00.000Z (ISO 8601).
  static func text(_ date: Date) -> String {
    date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}

extension JSONValue {
  /// The value as a line of output.
  var outputLine: [UInt8] { Array("\(self)\n".utf8) }
}
