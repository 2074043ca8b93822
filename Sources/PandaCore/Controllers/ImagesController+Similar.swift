/// Pictures that look the same.
extension ImagesController {
  /// Returns a picture with its perceptual hash; without one if it cannot be decoded.
  package func hashed(_ image: RemoteImage) async -> RemoteImage { await library.hashed(image) }

  /// The number of favorites that ``hashImages()`` has yet to look at.
  package var unhashedCount: Int { library.unhashed.count }

  /// Makes all favorites comparable: those of earlier versions have no perceptual hash yet.
  ///
  /// - Throws: the engine's error.
  package func hashImages() async throws { try await library.hashFavorites() }

  /// Returns the favorite that looks most like a picture; nil if none looks the same.
  package func nearDuplicate(of image: RemoteImage) -> RemoteImage? {
    NearDuplicates.nearest(to: image, in: images)
  }
}
