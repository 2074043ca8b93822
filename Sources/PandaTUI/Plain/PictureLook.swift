internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import PictureCodecs

/// What the pixels of a picture say of it, for who does not see them.
struct PictureLook: Sendable {
  /// Its colours in words, the commonest first.
  var colors: [String] = []
  /// Whether a part of it is missing.
  var isIncomplete = false
  /// Why it cannot be looked at; nil if it can.
  var problem: String?

  /// More pixels have the same colours.
  private static let size = PixelSize(width: 96, height: 96)

  /// Decodes a picture as small as that takes, off the main actor.
  @concurrent
  static func look(at bytes: Attachment, with decoder: PictureDecoder) async -> PictureLook {
    do {
      let decoded = try await decoder.decode(try await bytes.data(), covering: size)
      return PictureLook(
        colors: DominantColors(of: decoded.bitmap).names, isIncomplete: decoded.isIncomplete)
    } catch {
      return PictureLook(problem: userMessage(for: error))
    }
  }
}
