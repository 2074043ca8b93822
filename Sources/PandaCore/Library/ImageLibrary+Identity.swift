internal import FoundationEssentials
internal import Pantry

/// Pictures that the library knows under another address.
///
/// A row keeps its key, whatever the address of its picture is now: a picture that comes again gets
/// that key, so that trash, undo, collections and earlier versions of Panda agree.
extension ImageLibrary {
  /// Waits until the stores can be searched, if they can be read at all.
  func knownPicturesHaveLoaded() async {
    // No picture waits for a server.
    guard !isShared, await canBeRead() else { return }
    do {
      try await favorites.itemsHaveLoaded()
      try await trash.itemsHaveLoaded()
      try await seen.itemsHaveLoaded()
    } catch {
      // A picture that comes twice is better than none.
    }
  }

  /// Returns the key of the row that has a picture, favorites first; nil if it is new.
  func key(of picture: PictureTraits) -> String? {
    index.update(with: self)
    return index.key(of: picture)
  }

  /// Returns a picture under the key by which the library knows it.
  ///
  /// An own file is known by its content: a changed file at the same path is another picture, whose
  /// key has a part of its digest.
  func recognized(_ image: RemoteImage) -> RemoteImage {
    var traits = PictureTraits(image)
    // Whether other pictures have its page was known only to its source.
    traits.page = nil
    guard traits.identity != nil || traits.content != nil else { return image }
    var image = image
    if let key = key(of: traits) {
      image.id = key
    } else if let content = traits.content,
      index.hasFavorite(at: image.id)
    {
      image.id += "#\(content.prefix(16))"
    }
    return image
  }
}
