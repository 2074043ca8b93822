internal import FoundationEssentials
internal import Pantry

/// The traits that identify a picture, whatever its address is.
struct PictureTraits: Sendable {
  let address: String
  /// The displayed name of the source; nil if it is unknown.
  let source: String?
  let identity: String?
  /// The page, if it is about this picture alone.
  var page: String?
  /// The digest of an own file.
  let content: String?

  /// - Parameter source: the displayed name of the candidate's source.
  init(_ candidate: SourceCandidate, source: String) {
    address = candidate.picture.absoluteString
    self.source = source
    identity = candidate.identity
    page = candidate.sharesPage == false ? candidate.page?.absoluteString : nil
    content = nil
  }

  init(_ image: RemoteImage) {
    address = image.id
    source = image.source
    identity = image.identity
    page = image.pageText
    content =
      image.id.hasPrefix("file:") || image.id.hasPrefix(RemoteImage.inputAddress)
      ? image.dataRepresentation.digest.hexadecimal : nil
  }

  init(_ entry: HiddenImage) {
    address = entry.id
    source = nil
    identity = entry.identity
    page = nil
    content = nil
  }
}

/// Finds the rows of one store by the traits of their pictures.
///
/// It is an index, as a value.
///
/// Rows that versions before identities wrote are found by their page, if one picture has it,
/// or by their address without host, width and tracking.
struct KnownPictures {
  private var keys: Set<String> = []
  private var identities: [String: String] = [:]
  private var contents: [String: String] = [:]
  /// The keys by source and page; nil for several.
  private var pages: [String: String?] = [:]
  private var paths: [String: [(address: BareAddress, key: String)]] = [:]
  private var count = 0
  private var last: String?

  /// Adds the rows that are new at the end; starts over if others have changed.
  ///
  /// - Complexity: O(new rows): a favorite that is added does not cost as much as all.
  mutating func update<Item: Identifiable>(
    with items: [Item], _ traits: (Item) -> PictureTraits
  ) where Item.ID == String {
    if count > items.count || count > 0 && items[count - 1].id != last { self = KnownPictures() }
    for item in items[count...] { add(traits(item)) }
    (count, last) = (items.count, items.last?.id)
  }

  private mutating func add(_ picture: PictureTraits) {
    let key = picture.address
    keys.insert(key)
    if let page = picture.page {
      let place = Self.place(picture.source, page)
      pages[place] = .some(pages[place] == nil && picture.identity == nil ? key : nil)
    }
    if let content = picture.content {
      contents[content] = contents[content] ?? key
    } else if let identity = picture.identity {
      identities[identity] = identities[identity] ?? key
    } else {
      let address = BareAddress(key)
      paths[Self.place(picture.source, address.path), default: []].append((address, key))
    }
  }

  /// Returns whether other rows than one have the page of a picture.
  func hasOthers(than key: String, withPageOf picture: PictureTraits) -> Bool {
    guard let page = picture.page, let found = pages[Self.place(picture.source, page)] else {
      return false
    }
    return found != key
  }

  func contains(_ address: String) -> Bool { keys.contains(address) }

  /// Returns the row with the page of a picture; nil if several have it.
  func key(withPageOf picture: PictureTraits) -> String? {
    picture.page.flatMap { pages[Self.place(picture.source, $0)] ?? nil }
  }

  /// Returns the row of a picture, except by its page.
  func key(of picture: PictureTraits) -> String? {
    if let content = picture.content { return contents[content] }
    if keys.contains(picture.address) { return picture.address }
    guard let identity = picture.identity else { return nil }
    if let key = identities[identity] { return key }
    let address = BareAddress(picture.address)
    let same = paths[Self.place(picture.source, address.path)]?.filter { $0.address.fits(address) }
    // Hidden pictures have no source: another site may have the same path.
    let alike = paths[Self.place(nil, address.path)]?.filter {
      $0.address.fits(address) && $0.address.site == address.site
    }
    return (same ?? alike)?.first?.key
  }

  private static func place(_ source: String?, _ text: String) -> String {
    "\(source ?? "")\n\(text)"
  }
}

/// The rows of a library by the traits of their pictures.
struct LibraryIndex {
  private var favorites = KnownPictures()
  private var trash = KnownPictures()
  private var hidden = KnownPictures()
  private var seen = KnownPictures()

  @MainActor
  mutating func update(with library: ImageLibrary) {
    favorites.update(with: library.favorites.items) { PictureTraits($0) }
    trash.update(with: library.trash.items) { PictureTraits($0.image) }
    hidden.update(with: library.hidden.items) { PictureTraits($0) }
    seen.update(with: library.seen.items) { PictureTraits($0.image) }
  }

  /// Returns the key of the row that has a picture, favorites first; nil if it is new.
  func key(of picture: PictureTraits) -> String? {
    // An own file that was merely shown has its path as it is now.
    let stores = [favorites, trash] + (picture.content == nil ? [hidden, seen] : [])
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

  /// Returns whether a favorite, or a former one in the trash, has this address.
  func hasFavorite(at address: String) -> Bool {
    favorites.contains(address) || trash.contains(address)
  }
}

/// An address without what changes for the same picture: host, width, tracking.
private struct BareAddress {
  /// The last two labels of the host.
  let site: String
  let path: String
  private let query: String

  init(_ address: String) {
    let clean = address.withoutTracking.prefix { $0 != "#" }
    let rest = clean.firstRange(of: "://").map { clean[$0.upperBound...] } ?? clean
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    site = rest[..<slash].split(separator: ".").suffix(2).joined(separator: ".")
    let parts = rest[slash...].split(separator: "?", maxSplits: 1)
    query = parts.count > 1 ? String(parts[1]) : ""
    var names = (parts.first ?? "").split(separator: "/", omittingEmptySubsequences: false)
    if let name = names.last, let mark = name.firstRange(of: "px-"),
      mark.lowerBound > name.startIndex, name[..<mark.lowerBound].allSatisfy(\.isNumber)
    {
      names[names.count - 1] = name[mark.upperBound...]
    }
    path = names.joined(separator: "/")
  }

  /// Returns whether two addresses of one path may be the same picture's: `?id=1` and `?id=2` not.
  func fits(_ other: BareAddress) -> Bool {
    query == other.query || query.isEmpty || other.query.isEmpty
  }
}
