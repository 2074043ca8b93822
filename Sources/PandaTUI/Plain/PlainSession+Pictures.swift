internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import PictureCodecs
internal import TerminalKit

/// Finds the pictures of a line, and describes one.
extension PlainSession {
  nonisolated static let nothingListed =
    "Nothing was listed yet, so nothing has a number. Type list first"

  /// Returns a picture by its ID, among favorites, trash and what was seen.
  func picture(_ id: String) async throws -> RemoteImage {
    try await commands.favoriteOrTrashed(id)
  }

  /// Returns the picture described last, or the one with a number in the last list; nil for an ID.
  func item(_ id: String) throws(CommandFailure) -> RemoteImage? {
    if id == PlainLineParser.shownItem {
      guard let image else { throw commands.failure(.noPicture) }
      return image
    }
    guard id.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    if let number = Int(id), "\(number)" == id, let list,
      list.indices.contains(number - 1)
    {
      let image = list[number - 1]
      return controller.saved(image) ?? image
    }
    // A number that no list has is an ID; a shorter one may be mistyped.
    if id.count >= PlainLineParser.leastDigitsOfID { return nil }
    guard let list else { throw CommandFailure(Self.nothingListed, .notFound) }
    throw CommandFailure(
      list.isEmpty
        ? "The last list was empty"
        : list.count == 1
          ? "The last list has number 1 only"
          : "The last list has the numbers 1 to \(list.count)", .notFound)
  }

  func tellDetails(of image: RemoteImage) async throws {
    let library = controller.library
    do {
      try await library.seen.itemsHaveLoaded()
    } catch {
      // The other details are known nevertheless.
      trouble = Trouble("Your history cannot be read", error, at: now())
    }
    let isFavorite = controller.isSaved(image)
    let details = PictureDetails(
      image, source: library.source(image.source), isFavorite: isFavorite,
      removedAt: isFavorite ? nil : library.trashed(image.id)?.removedAt,
      seen: library.seen.items.last { $0.id == image.id },
      seenCount: library.seenCount ?? 0, now: now())
    for line in details.lines { try commands.output.print("\(line.label): \(line.text)") }
  }

  func save(_ image: RemoteImage, as path: String) async throws {
    do {
      let bytes = try await image.dataRepresentation.data()
      let format = bytes.withUnsafeBytes { PictureFormat(sniffing: $0) }
      let written = try await PictureFile.save(
        bytes, to: path,
        suggestion: SaveDestination.suggestion(
          createdAt: image.createdAt, digest: image.dataRepresentation.digest, format: format))
      say("Saved as \(written)")
    } catch {
      throw CommandFailure("Not saved", because: error)
    }
  }

  // MARK: Lists

  /// Lists favorites or the trash, each picture with a number.
  func list(_ request: ListRequest) async throws {
    try await commands.load()
    let filter = try await commands.filter(request.filter)
    if filter.findsSimilar { try await commands.hashFavorites() }
    let order = request.order.screenOrder ?? remembered.order.wrappedValue
    let all: [RemoteImage]
    if request.ofTrash {
      try await commands.reading { try await controller.library.trash.itemsHaveLoaded() }
      all = controller.library.trashed.reversed().map(\.image)
    } else {
      let isRandom = request.order == .random
      all = isRandom ? controller.images.shuffled() : order.sorted(controller.images, now: now())
    }
    let images = Array(filter.apply(to: all, index: &index).prefix(request.limit))
    list = images
    let nouns =
      request.ofTrash ? ("panda in the trash", "pandas in the trash") : ("favorite", "favorites")
    let count = all.count == 1 ? "1 \(nouns.0)" : "\(all.count) \(nouns.1)"
    let sorted =
      request.ofTrash
      ? "the last one first" : request.order == .random ? "in random order" : order.words
    if all.isEmpty {
      say(
        request.ofTrash
          ? ActionWords.emptyTrash
          : "\(ActionWords.favorites(0)). favorite keeps the picture described last")
    } else {
      let matching =
        filter.isEmpty
        ? count : "\(images.count) of \(count) with \(request.filter.sanitized(upTo: 40))"
      let hint = request.ofTrash ? ". restore ID makes one a favorite again" : ""
      say("\(matching), \(sorted)\(hint)")
    }
    for (number, image) in images.enumerated() {
      try commands.output.print("\(number + 1). \(image.entry(now()))")
    }
  }
}

extension RemoteImage {
  /// The entry in a list.
  ///
  /// Such as "Sleepy, from redpanda.club, 3 Oct 2026. Tags: snow, cute."
  func entry(_ now: Date) -> String {
    let day = keptAt(asOf: now).map { PictureDay($0).words } ?? "on an unknown day"
    let line = "\(name), from \(source), \(day)."
    return (tags.isEmpty ? line : "\(line) Tags: \(tags.joined(separator: ", ")).")
      .sanitized(upTo: 1_500)
  }
}
