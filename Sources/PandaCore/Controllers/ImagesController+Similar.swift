/// Pictures that look the same.
extension ImagesController {
  /// Returns a picture with its perceptual hash; without one if it cannot be decoded.
  package func hashed(_ image: RemoteImage) async -> RemoteImage { await library.hashed(image) }

  /// The number of favorites that ``hashImages()`` has to decode.
  ///
  /// - Throws: the engine's error.
  package var incomparableCount: Int { get async throws { try await library.incomparableCount } }

  /// Makes all favorites comparable: those of 0.1.0 are decoded, since they have no hash.
  ///
  /// - Throws: the engine's error.
  package func hashImages() async throws { try await library.hashFavorites() }

  /// Returns the favorite that looks most like a picture; nil if none looks the same.
  package func nearDuplicate(of image: RemoteImage) -> RemoteImage? {
    NearDuplicates.nearest(to: image, in: images)
  }
}
