package import FoundationEssentials
package import PandaCore
internal import Pantry
internal import PictureCards
internal import PictureCodecs

/// Makes the PNG file of a share card.
package enum CardFile {
  /// The bytes of the file, and whether boxes stand for characters that no font has.
  package struct Content: Sendable {
    package let data: Data
    package let lacksGlyphs: Bool
  }

  /// The message after a card whose characters no font has.
  package static let missingFonts =
    "Boxes are characters that no installed font has: apt-get install fonts-noto"

  /// Draws the card of a picture, off the main actor.
  ///
  /// - Throws: `CardError` if Pango or every font is missing, and the errors of reading, decoding
  ///   and encoding the picture.
  @concurrent
  package static func content(of image: RemoteImage) async throws -> Content {
    let data = try await image.dataRepresentation.data()
    let picture = try await PictureDecoder().decode(data, covering: ShareCard.target)
    let words = CardWords(image)
    let drawing = try ShareCard(picture: picture, text: words.text, credit: words.credit).drawn()
    return Content(data: try drawing.bitmap.pngData(), lacksGlyphs: drawing.lacksGlyphs)
  }

  /// Saves the card of a picture at the typed place, and returns its path with what is drawn.
  ///
  /// - Parameters:
  ///   - typed: the text that the user typed, see ``SaveDestination``.
  ///   - replaces: whether it takes the place of an existing file.
  /// - Throws: the errors of ``content(of:)``, and `PictureFileError`.
  package static func save(
    _ image: RemoteImage, to typed: String, replaces: Bool = false
  ) async throws -> (path: String, content: Content) {
    try check(typed)
    let content = try await content(of: image)
    let path = try await PictureFile.save(
      content.data, to: typed, suggestion: suggestion(for: image), replaces: replaces)
    return (path, content)
  }

  /// Throws if a name is that of another kind of picture.
  private static func check(_ typed: String) throws(PictureFileError) {
    let name = typed.lowercased().split(whereSeparator: \.isWhitespace).last ?? ""
    guard [".jpg", ".jpeg", ".gif", ".webp"].contains(where: name.hasSuffix) else { return }
    throw PictureFileError(reason: .notPNG, path: typed)
  }

  /// Suggests a name such as `red-panda-2026-10-03-1f0a9c-card.png`.
  package static func suggestion(for image: RemoteImage) -> String {
    "\(SaveDestination.suggestion(for: image, format: nil))-card.png"
  }
}
