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
    known.favorites.update(with: favorites.items) { PictureTraits($0) }
    known.trash.update(with: trash.items) { PictureTraits($0.image) }
    known.seen.update(with: seen.items) { PictureTraits($0.image) }
    known.hidden.update(with: hidden.items) { PictureTraits($0) }
    // An own file that was merely shown has its path as it is now.
    let stores =
      [known.favorites, known.trash]
      + (picture.content == nil ? [known.hidden, known.seen] : [])
    var withPage = stores.lazy.compactMap { $0.key(withPageOf: picture) }.first
    if let key = withPage, stores.contains(where: { $0.hasOthers(than: key, withPageOf: picture) })
    {
      withPage = nil
    }
    for store in stores {
      if let key = store.key(of: picture) { return key }
      if let key = withPage, store.contains(key) { return key }
    }
    return nil
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
      known.favorites.contains(image.id) || known.trash.contains(image.id)
    {
      image.id += "#\(content.prefix(16))"
    }
    return image
  }
}
