internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import TerminalKit

/// `panda list`, `stats`, `show` and `open`.
extension CommandSession {
  // MARK: Listing

  func list(_ request: ListRequest) async throws {
    var printer = ListPrinter(request, session: self)
    if request.ofTrash {
      try await load()
      try await reading { try await controller.trashHasBeenRead() }
      for entry in controller.trashed.reversed() {
        guard try await printer.print(entry.image, removedAt: entry.removedAt) else { break }
      }
    } else if let order = request.order.screenOrder {
      try await load()
      for image in order.sorted(controller.images) {
        guard try await printer.print(image) else { break }
      }
    } else {
      try await listAdded(&printer)
    }
    guard printer.count == 0 else { return }
    // An empty list is an answer; a filter that finds nothing is a failed search, as with grep.
    guard request.filter.allSatisfy(\.isWhitespace) else {
      throw CommandFailure("Nothing matches \(request.filter.forMessage)", .notFound)
    }
    output.say(request.ofTrash ? "The trash is empty" : "You have no favorites yet")
  }

  /// Lists the last added favorites before the others have been read.
  private func listAdded(_ printer: inout ListPrinter) async throws {
    // A file that is damaged is recovered when all of it is read.
    try? await controller.excerptHasBeenRead()  // see above
    for image in (controller.imagesExcerpt?.items ?? []).reversed() {
      guard try await printer.print(image) else { return }
    }
    try output.flush()
    try await load()
    for image in controller.images.reversed() {
      guard try await printer.print(image) else { return }
    }
  }

  // MARK: One picture

  func show(_ id: String, asBytes: Bool) async throws {
    let image = try await favoriteOrTrashed(id)
    let data = try await reading { try await image.dataRepresentation.data() }
    if asBytes { return try output.write(data) }
    try output.flush()
    do {
      output.note(try await ShowCommand.print(data, named: image.name, options, configuration))
    } catch {
      throw CommandFailure(image.name, because: error)
    }
  }

  private func favoriteOrTrashed(_ id: String) async throws -> RemoteImage {
    do {
      return try await favorite(id)
    } catch let failure as CommandFailure where failure.status == .notFound {
      try await load()
      try await reading { try await controller.trashHasBeenRead() }
      guard let entry = try? await trashed([id]).first else { throw failure }  // not there either
      return entry.image
    }
  }

  func open(_ id: String) async throws {
    let image = try await favorite(id)
    switch Browser.decision(for: image.page ?? image.url, environment: environment) {
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

  // MARK: Statistics

  func stats() async throws {
    try await load()
    try await reading { try await controller.trashHasBeenRead() }
    let statistics = LibraryStatistics(controller.images, trash: controller.trashed)
    if options.json {
      try output.write(try JSONLines().line(statistics) + [UInt8(ascii: "\n")])
    } else {
      for line in statistics.lines { try output.print(line) }
    }
  }
}

/// Prints the pictures of a list, each once.
@MainActor
struct ListPrinter {
  private let request: ListRequest
  private let session: CommandSession
  private let filter: FavoritesFilter
  private let json = JSONLines()
  private var index = FavoritesIndex()
  private var printed: Set<String> = []

  /// The number of printed pictures.
  var count: Int { printed.count }

  init(_ request: ListRequest, session: CommandSession) {
    self.request = request
    self.session = session
    filter = FavoritesFilter(request.filter)
  }

  /// Prints a picture if it matches; returns whether there is room for more.
  mutating func print(_ image: RemoteImage, removedAt: Date? = nil) async throws -> Bool {
    guard count < request.limit else { return false }
    guard !filter.apply(to: [image], index: &index).isEmpty,
      printed.insert(image.id).inserted
    else { return true }
    let end = request.isNullTerminated ? 0 : UInt8(ascii: "\n")
    let output = session.output
    switch request.form {
    case .line: try output.print(image.line, end: end)
    case .id: try output.print(image.pictureID.digits, end: end)
    case .json:
      let record = PictureRecord(image, isFavorite: removedAt == nil, removedAt: removedAt)
      try output.write(try json.line(record) + [end])
    case .path:
      let path = try await session.reading {
        try await session.pictureFiles.path(of: image.dataRepresentation)
      }
      // As it is: a path is data.
      try output.write(Array(path.utf8) + [end])
    }
    return true
  }
}

extension ListRequest.Order {
  /// The screen's order of the same name; nil if it has none.
  fileprivate var screenOrder: FavoritesOrder? {
    switch self {
    case .added: nil
    case .newest: .newest
    case .oldest: .oldest
    case .source: .source
    case .caption: .caption
    case .size: .size
    }
  }
}

extension RemoteImage {
  /// The picture in a list: ID, day, name and tags, such as
  /// "1f0a9c22d1  2026-10-03  Sleepy  #snow".
  fileprivate var line: String {
    let day = PictureDay(savedAt ?? createdAt).numbers
    return (["\(pictureID)", day, name] + tags.map { "#\($0)" }).joined(separator: "  ")
  }
}
