internal import PandaCore
internal import PandaSession

/// The pictures that IDs on the command line mean.
extension Session {
  /// Returns the picture that the user means by an ID of a conversation, such as a number of its
  /// last list; nil for any other ID.
  private func item(_ id: String) throws -> RemoteImage? { try conversation?.item(id) }

  /// Returns the favorite that an ID means, without loading the others.
  func favorite(_ id: String) async throws -> RemoteImage {
    if let image = try item(id) { return image }
    let lookup = PictureLookup(try await reading { try await controller.library.addresses() })
    let address = try await choose(id, in: lookup, .favorite) { address in
      try await controller.library.favorite(address)
    }
    guard let image = try await reading({ try await controller.library.favorite(address) }) else {
      throw notFound(id, .favorite)
    }
    return image
  }

  /// Loads all favorites, and returns those that are selected, each once.
  func favorites(_ selection: PictureSelection) async throws -> [RemoteImage] {
    try await load()
    switch selection {
    case .ids(let ids): return try await choose(ids, among: controller.images, .favorite) { $0 }
    case .all(let filter): return try await favorites(matching: filter)
    }
  }

  /// Returns the pictures that get a caption or tags; why one that is no favorite gets none is told
  /// by the outcome.
  func targets(_ selection: PictureSelection) async throws -> [RemoteImage] {
    guard case .ids(let ids) = selection else { return try await favorites(selection) }
    var images: [RemoteImage] = []
    for id in ids { images.append(try await favorite(id)) }
    try await load()
    return images
  }

  /// Loads all favorites, and returns them in an order.
  func sorted(_ order: FavoritesOrder) async throws -> [RemoteImage] {
    try await load()
    if order == .unseen { try await loadSightings() }
    return order.sorted(controller.images, now: now()) { controller.library.sightings[$0] }
  }

  /// Loads all favorites, and returns them in a random order, as ``FavoriteQueue`` chooses.
  func shuffled() async throws -> some Sequence<RemoteImage> {
    try await load()
    try await loadSightings()
    return controller.library.sightings.shuffled(
      controller.images, using: SystemRandomNumberGenerator())
  }

  /// Loads favorites and trash.
  func loadTrash() async throws {
    try await load()
    try await reading { try await controller.library.trash.itemsHaveLoaded() }
  }

  /// Loads the trash, and returns the selected entries, each once; fails if there are none.
  ///
  /// Nothing selected means the picture that was removed last.
  func trashed(_ selection: PictureSelection) async throws -> [TrashedImage] {
    try await loadTrash()
    let entries =
      switch selection {
      case .ids([]): Array(controller.library.trashed.suffix(1))
      case .ids(let ids): try await trashed(ids)
      case .all: controller.library.trashed
      }
    guard !entries.isEmpty else { throw CommandFailure(ActionWords.emptyTrash, .notFound) }
    return entries
  }

  /// Returns the entries of the trash that IDs mean, each once; it has been loaded.
  private func trashed(_ ids: [String]) async throws -> [TrashedImage] {
    try await choose(ids, among: controller.library.trashed, .trashed, \.image)
  }

  func favoriteOrTrashed(_ id: String) async throws -> RemoteImage {
    do {
      return try await favorite(id)
    } catch let failure as CommandFailure where failure.status == .notFound {
      try await loadTrash()
      if let entry = try? await trashed([id]).first { return entry.image }  // not there either
      guard let image = try await seen(id) else { throw failure }
      return image
    }
  }

  /// Returns one of the last shown pictures, such as one that `panda fetch` named; nil if none has
  /// the ID.
  func seen(_ id: String) async throws -> RemoteImage? {
    try await reading { try await controller.library.seen.itemsHaveLoaded() }
    guard case .one(let address) = PictureLookup(controller.library.seen.items.map(\.id)).match(id)
    else {
      return nil
    }
    return controller.library.seen.items.last { $0.id == address }?.image
  }

  /// Returns the path of a copy of a picture's file.
  func path(of image: RemoteImage) async throws -> String {
    let what = "The picture cannot be copied into the cache"
    return try await reading {
      do {
        return try await places.pictureFiles.path(of: image.dataRepresentation)
      } catch let error where ErrorKind(of: error) != .damage {
        throw CommandFailure(what, because: error)
      }
    }
  }

  /// The place in which to look for a picture.
  enum Place {
    case favorite, trashed

    var noun: String { self == .favorite ? "favorite" : "picture in the trash" }
    var command: String { self == .favorite ? "panda list" : "panda list --trash" }
  }

  private func choose<Item: Identifiable<String>>(
    _ ids: [String], among items: [Item], _ place: Place, _ image: (Item) -> RemoteImage
  ) async throws -> [Item] {
    let lookup = PictureLookup(items.map(\.id))
    let known = Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
    var addresses: Set<String> = []
    var chosen: [Item] = []
    for id in ids {
      let address: String
      if let image = try item(id) {
        address = image.id
        if known[address] == nil {
          let refusal: Refusal = place == .favorite ? .isNotFavorite : .hasLeftTrash
          throw failure(refusal)
        }
      } else {
        address = try await choose(id, in: lookup, place) { known[$0].map(image) }
      }
      if addresses.insert(address).inserted, let item = known[address] { chosen.append(item) }
    }
    return chosen
  }

  private func choose(
    _ id: String, in lookup: PictureLookup, _ place: Place,
    _ image: (String) async throws -> RemoteImage?
  ) async throws -> String {
    switch lookup.match(id) {
    case .one(let address): return address
    case .none: throw notFound(id, place)
    case .notAnID where place == .favorite && id.hasPrefix("#"):
      throw CommandFailure(
        "\(id.forMessage) is a filter, not an ID; --all takes all favorites that match", .notFound)
    case .notAnID:
      throw CommandFailure(
        "\(id.forMessage) is not the ID of a \(place.noun), such as \(place.command) shows; it "
          + "takes at least \(PictureID.leastDigits) of the digits", .notFound)
    case .several(let matches):
      var lines: [String] = []
      for address in matches.prefix(5) {
        let name = try await image(address)?.name ?? "A red panda"
        let digits = PictureID(address: address).digits.prefix(max(12, id.count + 4))
        lines.append("\(digits) (\(name.sanitized(upTo: 40)))")
      }
      let more = matches.count > 5 ? ", and \(matches.count - 5) more" : ""
      throw CommandFailure(
        "\(id.forMessage) could be \(lines.joined(separator: ", "))\(more): type more digits",
        .usage)
    }
  }

  func notFound(_ id: String, _ place: Place) -> CommandFailure {
    CommandFailure(
      "There is no \(place.noun) \(id.forMessage); \(place.command) shows all", .notFound)
  }
}

enum PictureSelection: Sendable {
  case ids([String])
  /// All that match; an empty filter matches all.
  case all(filter: String)

  /// Selects by the words of a command, or all with `--all`, where these take none.
  init(_ arguments: Arguments, of command: String) throws(UsageError) {
    let isAll = arguments.has(.allTrashed)
    guard !isAll || arguments.words.isEmpty else {
      throw UsageError(problem: "\(command) takes either IDs or --all")
    }
    self = isAll ? .all(filter: "") : .ids(arguments.words)
  }
}
