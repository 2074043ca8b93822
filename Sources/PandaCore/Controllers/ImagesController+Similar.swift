/// Pictures that look the same.
extension ImagesController {
  /// Returns a picture with its perceptual hash; without one if it cannot be decoded.
  package func hashed(_ image: RemoteImage) async -> RemoteImage { await library.hashed(image) }

  /// The number of favorites that ``hashImages()`` has to decode.
  ///
  /// - Throws: the engine's error.
  package var incomparableCount: Int { get async throws { try await library.incomparableCount } }

  /// The favorites that are a part of another one, as far as they are known; observed.
  package var crops: CropPairs { library.cropSearch.pairs }

  /// Makes all favorites comparable, and finds crops among them.
  ///
  /// Those of earlier versions are decoded, since they have no perceptual hash or no shape yet.
  ///
  /// - Throws: the engine's error.
  package func hashImages() async throws { try await library.hashFavorites() }

  /// Returns the favorite that looks most like a picture; nil if none looks the same.
  package func nearDuplicate(of image: RemoteImage) -> RemoteImage? {
    NearDuplicates.nearest(to: image, in: images)
  }

  /// Returns a favorite that is a crop of a picture, or of which the picture is a crop.
  ///
  /// - Complexity: that of comparing the picture with all favorites, off the main actor.
  package func crop(like image: RemoteImage) async -> RemoteImage? {
    await library.favorite(croppedLike: image)
  }
}
