internal import PandaCore
internal import TerminalKit

/// The pictures that IDs on the command line mean.
extension CommandSession {
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

  /// Returns the favorites that match a filter, at least one; they have been loaded.
  func favorites(matching text: String) async throws -> [RemoteImage] {
    var index = FavoritesIndex()
    let filter = try await filter(text)
    if filter.findsSimilar { try await hashFavorites() }
    let images = filter.apply(
      to: controller.images, index: &index)
    guard !images.isEmpty else {
      throw CommandFailure(
        controller.images.isEmpty
          ? "There are no favorites" : "No favorite matches \(text.forMessage)", .notFound)
    }
    return images
  }

  /// Returns a filter whose words are known, and whose collections are there.
  func filter(_ text: String) async throws -> FavoritesFilter {
    if let problem = FavoritesFilter.problem(in: text) { throw CommandFailure(problem, .usage) }
    let filter = try await reading { try await controller.library.filter(text, now: now) }
    if let unresolved = filter.unresolved { throw CommandFailure(unresolved) }
    return filter
  }

  /// Returns the entries of the trash that IDs mean, each once; it has been loaded.
  func trashed(_ ids: [String]) async throws -> [TrashedImage] {
    try await choose(ids, among: controller.library.trashed, .trashed, \.image)
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
