internal import Pantry
internal import PictureCodecs

/// The favorites that are a part of another one.
extension ImageLibrary {
  /// How many shapes are stored at a time.
  private static let shapesAtOnce = 64

  /// Returns a favorite of which a picture is a part, or that is a part of the picture.
  ///
  /// The picture's shape is stored. Favorites without a shape are left out.
  ///
  /// - Complexity: O(favorites), off the main actor: about 0.1 s for 10,000 shapes, once they have
  ///   loaded.
  func favorite(croppedLike image: RemoteImage) async -> RemoteImage? {
    let digest = image.dataRepresentation.digest
    do {
      try await shapes.itemsHaveLoaded()
      guard let picture = try await shaped(image) else { return nil }
      let others = await shapedFavorites().filter { $0.digest != digest }
      await cropSearch.compare(others + [picture], since: others.count)
    } catch {
      // It can be compared later; as a favorite it is saved all the same.
      return nil
    }
    let found = cropSearch.pairs[digest]
    guard !found.isEmpty else { return nil }
    return favorites.items.first { found.contains($0.dataRepresentation.digest) }
  }

  /// Returns a picture with its shape, which is stored if it was not; nil if it cannot be decoded.
  private func shaped(_ image: RemoteImage) async throws -> ShapedPicture? {
    let digest = image.dataRepresentation.digest
    if let shape = storedShape(of: digest) { return ShapedPicture(digest: digest, shape: shape) }
    guard let shape = await shape(of: image) else { return nil }
    try await shapes.add(StoredShape(id: digest.hexadecimal, cells: shape.cells))
    return ShapedPicture(digest: digest, shape: shape)
  }

  /// Computes the shape of a picture; nil if it cannot be decoded.
  private func shape(of image: RemoteImage) async -> PictureShape? {
    do {
      return try await PictureShape(of: image.dataRepresentation.data(), decoder: hasher)
    } catch {
      // A picture that cannot be read is like no other.
      return nil
    }
  }

  private func storedShape(of digest: ContentDigest) -> PictureShape? {
    shapes[digest.hexadecimal].flatMap { PictureShape(cells: $0.cells) }
  }

  /// Returns the favorites with a shape, each file once.
  private func shapedFavorites() async -> [ShapedPicture] {
    await CropSearch.shaped(favorites.items, by: shapes.items)
  }

  /// The favorites without a shape that may get one; the shapes have loaded.
  var unshaped: [RemoteImage] {
    favorites.items.filter {
      !unhashable.contains($0.id) && storedShape(of: $0.dataRepresentation.digest) == nil
    }
  }

  /// Stores the shapes that favorites lack, and removes those of former favorites.
  ///
  /// - Throws: the engine's error.
  func shapeFavorites() async throws {
    try await shapes.itemsHaveLoaded()
    var rest = unshaped[...]
    while !rest.isEmpty {
      var found: [StoredShape] = []
      for image in rest.prefix(Self.shapesAtOnce) {
        let digest = image.dataRepresentation.digest
        if let shape = await shape(of: image) {
          found.append(StoredShape(id: digest.hexadecimal, cells: shape.cells))
        } else {
          unhashable.insert(image.id)
        }
      }
      rest = rest.dropFirst(Self.shapesAtOnce)
      if !found.isEmpty { try await shapes.add(found) }
    }
    let digests = Set(favorites.items.map { $0.dataRepresentation.digest.hexadecimal })
    let former = shapes.items.filter { !digests.contains($0.id) }
    if !former.isEmpty { try await shapes.remove(former) }
  }

  /// Compares the favorites with each other that were not compared in this process.
  ///
  /// - Complexity: O(n) for each of them, off the main actor: 2.4 s for all of 10,000, and
  ///   27 s if many are alike.
  func findCrops() async {
    let all = await shapedFavorites()
    let known = all.filter { cropSearch.compared.contains($0.digest) }
    let new = all.filter { !cropSearch.compared.contains($0.digest) }
    guard !new.isEmpty else { return }
    await cropSearch.compare(known + new, since: known.count)
    cropSearch.compared.formUnion(new.map(\.digest))
  }
}
