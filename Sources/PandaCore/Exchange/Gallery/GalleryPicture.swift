internal import FoundationEssentials
internal import PictureCodecs

struct GalleryPicture {
  /// The size up to which the picture's own bytes are in the page.
  ///
  /// A page of a hundred pictures has at most 130 MB, which browsers open.
  static let byteLimit = 1_000_000
  /// The size that larger pictures are scaled to, at most.
  static let size = PixelSize(width: 1600, height: 1200)

  let mediaType: String
  let data: Data

  /// Creates the picture from its file.
  ///
  /// - Throws: `CancellationError`. A large picture that cannot be decoded stays as it is.
  init(_ data: Data, format: PictureFormat, decoder: PictureDecoder) async throws {
    // Few browsers show these.
    let isForFew = format == .heic || format == .avif
    if data.count > Self.byteLimit || isForFew, let small = try await Self.scaled(data, decoder) {
      self = small
    } else {
      (mediaType, self.data) = (format.mediaType ?? "image/jpeg", data)
    }
  }

  private init(mediaType: String, data: Data) {
    (self.mediaType, self.data) = (mediaType, data)
  }

  private static func scaled(
    _ data: Data, _ decoder: PictureDecoder
  ) async throws -> GalleryPicture? {
    do {
      let picture = try await decoder.decode(data, covering: size)
      guard !picture.isIncomplete else { return nil }
      let bitmap = picture.bitmap
      let small = bitmap.scaled(to: bitmap.size.shrunk(toFit: size))
      let (data, format) = try small.encoded(quality: 85)
      return format.mediaType.map { GalleryPicture(mediaType: $0, data: data) }
    } catch let error as CancellationError {
      throw error
    } catch {
      // See above.
      return nil
    }
  }
}
