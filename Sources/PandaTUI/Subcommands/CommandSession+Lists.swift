internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import TerminalKit

extension CommandSession {
  // MARK: Listing

  func list(_ request: ListRequest) async throws {
    var printer = ListPrinter(request, try await filter(request.filter), session: self)
    if printer.needsAll { try await hashFavorites() }
    if request.ofTrash {
      try await load()
      try await reading { try await controller.library.trash.itemsHaveLoaded() }
      try await printer.print(
        controller.library.trashed.reversed().map {
          ListedPicture($0.image, removedAt: $0.removedAt)
        })
    } else if let order = request.order.screenOrder {
      try await load()
      try await printer.print(order.sorted(controller.images, now: now()).map { ListedPicture($0) })
    } else if request.order == .random {
      try await load()
      try await printer.print(controller.images.shuffled().map { ListedPicture($0) })
    } else {
      try await listAdded(&printer)
    }
    guard printer.count == 0 else { return }
    // An empty list is an answer; a filter that finds nothing is a failed search, as with grep.
    guard request.filter.allSatisfy(\.isWhitespace) else {
      throw CommandFailure("Nothing matches \(request.filter.forMessage)", .notFound)
    }
    output.say(request.ofTrash ? ActionWords.emptyTrash : ActionWords.favorites(0))
  }

  /// Lists the last added favorites before the others have been read.
  private func listAdded(_ printer: inout ListPrinter) async throws {
    if !printer.needsAll {
      // A file that is damaged is recovered when all of it is read.
      try? await controller.excerptHasBeenRead()
      let newest = (controller.imagesExcerpt?.items ?? []).reversed()
      try await printer.print(newest.map { ListedPicture($0) }, mayRepeat: true)
      guard !printer.isFull else { return }
      try output.flush()
    }
    try await load()
    try await printer.print(controller.images.reversed().lazy.map { ListedPicture($0) })
  }

  /// So many favorites are compared before anyone wonders what is going on.
  private static let comparedAtOnce = 2_000

  /// Makes all favorites comparable, for a filter that finds similar ones.
  func hashFavorites() async throws {
    try await load()
    let count = controller.images.count
    if count >= Self.comparedAtOnce {
      output.showProgress("Comparing \(count) favorites with each other…")
    }
    defer { output.showProgress(nil) }
    do {
      try await controller.library.hasher.hashFavorites()
    } catch {
      throw CommandFailure("The favorites cannot be compared", because: error)
    }
  }

  // MARK: One picture

  func show(_ id: String, asBytes: Bool) async throws {
    let image = try await favoriteOrTrashed(id)
    let data = try await reading { try await image.dataRepresentation.data() }
    if asBytes { return try output.write(data) }
    try output.flush()
    do {
      output.note(
        try await ShowCommand.print(
          data, named: image.name, options, configuration, plays: output.canAsk))
    } catch {
      throw CommandFailure(image.name, because: error)
    }
  }

  func favoriteOrTrashed(_ id: String) async throws -> RemoteImage {
    do {
      return try await favorite(id)
    } catch let failure as CommandFailure where failure.status == .notFound {
      try await load()
      try await reading { try await controller.library.trash.itemsHaveLoaded() }
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

  func open(_ id: String) async throws {
    let image = try await favorite(id)
    let named = configuration.namedSources
    let page = image.page ?? image.url
    switch Browser.decision(for: page, named: named, environment: environment) {
    case .copy(let address): try output.print(address.description)
    case .refuse: throw CommandFailure(words.sentence(for: .isNotOnTheWeb), .failed)
    case .open(let address):
      let outcome = await Browser.open(address)
      guard outcome == .opened else {
        throw CommandFailure("\(outcome.sentence). It is \(address)", .failed)
      }
      output.say("Opened \(address)")
    }
  }

  /// Returns the path of a copy of a picture's file.
  func path(of image: RemoteImage) async throws -> String {
    let what = "The picture cannot be copied into the cache"
    return try await reading {
      do {
        return try await pictureFiles.path(of: image.dataRepresentation)
      } catch let error where ErrorKind(of: error) != .damage {
        throw CommandFailure(what, because: error)
      }
    }
  }

  // MARK: Statistics

  func stats() async throws {
    try await load()
    try await reading { try await controller.library.trash.itemsHaveLoaded() }
    let statistics = LibraryStatistics(
      controller.images, trash: controller.library.trashed, now: now())
    if options.json {
      try output.write(try JSONLines().line(statistics) + [UInt8(ascii: "\n")])
    } else {
      for line in statistics.lines { try output.print(line) }
    }
  }
}

extension ListRequest.Order {
  /// The screen's order of the same name; nil if it has none.
  var screenOrder: FavoritesOrder? {
    switch self {
    case .added, .random: nil
    case .newest: .newest
    case .oldest: .oldest
    case .source: .source
    case .caption: .caption
    case .size: .size
    }
  }
}
