internal import Pantry
internal import PictureCodecs

/// Computes the perceptual hashes of favorites, by which they are compared.
@MainActor
package final class FavoritesHasher {
  /// The number of hashes that are stored at a time.
  private static let hashesAtOnce = 64

  private let favorites: Store<RemoteImage>
  private let decoder = PictureDecoder()
  private var isHashing = false
  /// The favorites that cannot be decoded, so that they have no perceptual hash.
  private var unhashable: Set<String> = []

  init(_ favorites: Store<RemoteImage>) { self.favorites = favorites }

  /// Returns a picture with its perceptual hash; without one if it cannot be decoded.
  package func hashed(_ image: RemoteImage) async -> RemoteImage {
    guard image.perceptualHash == nil else { return image }
    do {
      let data = try await image.dataRepresentation.data()
      var image = image
      image.perceptualHash = try await PerceptualHash(of: data, decoder: decoder)
      return image
    } catch {
      // A picture that cannot be read is like no other.
      return image
    }
  }

  /// The favorites without a perceptual hash that may get one.
  private var unhashed: [RemoteImage] {
    favorites.items.filter { $0.perceptualHash == nil && !unhashable.contains($0.id) }
  }

  /// The number of favorites that have to be decoded before all can be compared.
  ///
  /// - Throws: the engine's error.
  package var incomparableCount: Int {
    get async throws {
      try await favorites.itemsHaveLoaded()
      return unhashed.count
    }
  }

  /// Stores the perceptual hashes that favorites lack.
  ///
  /// This is no step that can be undone. What is already being computed is not waited for.
  ///
  /// - Throws: the engine's error.
  package func hashFavorites() async throws {
    try await favorites.itemsHaveLoaded()
    guard !isHashing else { return }
    isHashing = true
    defer { isHashing = false }
    var rest = unhashed[...]
    while !rest.isEmpty {
      var hashes: [String: PerceptualHash] = [:]
      for image in rest.prefix(Self.hashesAtOnce) {
        let hash = await hashed(image).perceptualHash
        if let hash { hashes[image.id] = hash } else { unhashable.insert(image.id) }
      }
      rest = rest.dropFirst(Self.hashesAtOnce)
      try await favorites.transaction { [favorites, hashes] t in
        for (id, hash) in hashes where favorites[id]?.perceptualHash == nil {
          t.update(id, in: favorites) { $0.perceptualHash = hash }
        }
      }
    }
  }
}
