internal import FoundationEssentials
internal import PandaCore
internal import PictureCards
internal import PictureCodecs
internal import TerminalKit

/// Makes the PNG file of a share card.
enum CardFile {
  /// The bytes of the file, and whether boxes stand for characters that no font has.
  struct Content: Sendable {
    let data: Data
    let lacksGlyphs: Bool
  }

  /// What is said after a card whose characters no font has.
  static let missingFonts =
    "Boxes stand for characters that no font here has: apt-get install fonts-noto brings them"

  /// Draws the card of a picture, off the main actor.
  ///
  /// - Throws: `CardError` if Pango or every font is missing, and the errors of reading, decoding
  ///   and encoding the picture.
  @concurrent
  static func content(of image: RemoteImage) async throws -> Content {
    let data = try await image.dataRepresentation.data()
    let picture = try await PictureDecoder().decode(data, covering: ShareCard.target)
    let words = CardWords(image)
    let drawing = try ShareCard(picture: picture, text: words.text, credit: words.credit).drawn()
    return Content(data: try drawing.bitmap.pngData(), lacksGlyphs: drawing.lacksGlyphs)
  }

  /// Suggests a name such as `red-panda-2026-10-03-1f0a9c-card.png`.
  static func suggestion(for image: RemoteImage) -> String {
    let name = PicturePlace.suggestion(
      createdAt: image.createdAt, digest: image.dataRepresentation.digest, format: nil)
    return "\(name)-card.png"
  }
}
