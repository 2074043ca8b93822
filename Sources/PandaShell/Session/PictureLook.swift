internal import FoundationEssentials
internal import PandaSession
internal import Pantry
internal import PictureCodecs

/// Facts about the pixels of a picture, for users who cannot see it.
struct PictureLook: Sendable {
  /// Its colors in words, the most common first.
  var colors: [String] = []
  var isIncomplete = false
  /// Whether the picture is too large to decode, and these are those of its thumbnail.
  var isThumbnail = false
  /// The reason why it cannot be decoded; nil if it can.
  var problem: String?
  var cause: String?

  /// Whether less than the whole picture could be decoded, or nothing of it.
  var isDamaged: Bool { isIncomplete || problem != nil }

  /// More pixels would give the same colors.
  private static let size = PixelSize(width: 96, height: 96)

  /// Decodes a picture at a small size, off the main actor.
  @concurrent
  static func look(at bytes: Attachment, with decoder: PictureDecoder) async -> PictureLook {
    do {
      let decoded = try await decoder.decode(try await bytes.data(), covering: size)
      return PictureLook(
        colors: DominantColors(of: decoded.bitmap).names, isIncomplete: decoded.isIncomplete,
        isThumbnail: decoded.isThumbnail)
    } catch {
      return PictureLook(problem: userMessage(for: error), cause: technicalCause(of: error))
    }
  }
}
