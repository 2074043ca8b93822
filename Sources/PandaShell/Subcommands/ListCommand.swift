internal import PandaCore
internal import PandaSession
internal import TerminalKit

struct ListRequest: Sendable {
  enum Form: Hashable, Sendable {
    case line, json, id, path
  }

  /// The order: that of the rows, one of the screen's, or none.
  enum Order: String, CaseIterable, Sendable {
    case added, newest, oldest, source, caption, size, unseen, random

    /// The screen's order of the same name; nil if it has none.
    var screenOrder: FavoritesOrder? { FavoritesOrder(rawValue: rawValue) }
  }

  var filter = ""
  var form = Form.line
  var order = Order.added
  var limit = Int.max
  var ofTrash = false
  var isNullTerminated = false
}

@MainActor
struct ListCommand: SessionCommand {
  nonisolated static let subcommand = Subcommand(
    "list", in: .both, like: .favorites(.filter),
    options: [.number, sort, trash, .json, ids, paths, .zero],
    operands: [CommandLineValue("FILTER", isOptional: true, repeats: true)],
    takesText: true,
    summary: "list the favorites, or those that match a filter",
    discussion: "Lists the favorites whose caption, title, tags, source, credit or day has every "
      + "word of the filter, as / does on the screen; #word is the beginning of a tag, #=word "
      + "a whole one, and @word the beginning of the name of who added it to a shared library; "
      + "is:similar finds those that look like another "
      + "one, and is:today those that were kept on this day of an earlier year; seen:today, "
      + "seen:week and seen:never find those that were seen then on this machine; in:NAME finds "
      + "those of a collection, in:snow-naps those of “Snow naps”. "
      + "Case and accents do not matter."
  ) { arguments throws(UsageError) in
    var request = ListRequest()
    request.filter = arguments.text()
    switch try arguments.one(of: [.json, ids, paths], for: "list")?.name {
    case CommandLineOption.json.name: request.form = .json
    case ids.name: request.form = .id
    case paths.name: request.form = .path
    default: request.form = .line
    }
    request.limit = try arguments.number(.number, in: 1...1_000_000) ?? .max
    request.ofTrash = arguments.has(trash)
    request.isNullTerminated = arguments.has(.zero)
    if let word = arguments[sort] {
      request.order = try ListRequest.Order(argument: word, "--sort takes")
      if request.ofTrash {
        throw UsageError(problem: "the trash has one order, so it takes no --sort")
      }
    }
    return .reading { [request] session in
      if let conversation = session.conversation, request.form == .line, !request.isNullTerminated {
        return try await conversation.list(request)
      }
      try await ListCommand(session: session).run(request)
    }
  }

  private nonisolated static let sort = CommandLineOption(
    "sort", value: CommandLineValue("ORDER", .words { ListRequest.Order.words }),
    help: "the order: \(ListRequest.Order.words.alternatives); added, the one without this "
      + "option, begins with what became a favorite last, unseen with what was seen longest ago; "
      + "random is another one each time")
  private nonisolated static let trash = CommandLineOption(
    "trash", help: "list the trash, the last removed one first")
  private nonisolated static let ids = CommandLineOption("ids", help: "print IDs only")
  private nonisolated static let paths = CommandLineOption(
    "paths", help: "print the paths of copies of the picture files, in a cache that may be emptied")

  let session: Session

  func run(_ request: ListRequest) async throws {
    var printer = try await ListPrinter(
      request, try await session.filter(request.filter), session: session)
    if printer.needsAll { try await session.hashFavorites() }
    if request.ofTrash {
      try await session.loadTrash()
      try await printer.print(
        controller.library.trashed.reversed().map {
          ListedPicture($0.image, removedAt: $0.removedAt)
        })
    } else if let order = request.order.screenOrder {
      try await printer.print(try await session.sorted(order).map { ListedPicture($0) })
    } else if request.order == .random {
      try await printer.print(try await session.shuffled().lazy.map { ListedPicture($0) })
    } else {
      try await listAdded(&printer)
    }
    if request.form == .path { await session.places.pictureFiles.removeOldest() }
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
}

extension Conversation {
  /// Lists favorites or the trash, each picture with a number.
  func list(_ request: ListRequest) async throws {
    try await session.load()
    let filter = try await session.filter(request.filter)
    if filter.findsSimilar { try await session.hashFavorites() }
    let order = request.order.screenOrder ?? remembered.order.wrappedValue
    let all: [RemoteImage]
    var index = try await session.index(for: filter, beginning: index)
    if request.ofTrash {
      try await session.loadTrash()
      all = controller.library.trashed.reversed().map(\.image)
    } else {
      all =
        request.order == .random
        ? Array(try await session.shuffled()) : try await session.sorted(order)
    }
    let images = Array(filter.apply(to: all, index: &index).prefix(request.limit))
    self.index = index
    list = images
    let nouns =
      request.ofTrash ? ("panda in the trash", "pandas in the trash") : ("favorite", "favorites")
    let count = all.count == 1 ? "1 \(nouns.0)" : "\(all.count) \(nouns.1)"
    let sorted =
      request.ofTrash
      ? "the last one first" : request.order == .random ? "in random order" : order.words
    if all.isEmpty {
      return say(
        request.ofTrash
          ? ActionWords.emptyTrash
          : "\(ActionWords.favorites(0)). favorite keeps the picture described last")
    }
    let matching =
      filter.isEmpty
      ? count : "\(images.count) of \(count) with \(request.filter.sanitized(upTo: 40))"
    let hint = request.ofTrash ? ". restore ID makes one a favorite again" : ""
    try printPage(from: 0, below: "\(matching), \(sorted)\(hint)")
  }

  /// Prints the last list from a place on: in a terminal what fits, and asks whether to go on.
  ///
  /// - Parameter heading: the sentence above it, without its period.
  private func printPage(from first: Int, below heading: String? = nil) throws {
    let window = window()
    // The question and what is typed have a row each.
    var room = window.map { $0.rows - 2 } ?? .max
    if let heading {
      say(heading)
      room -= window?.rows(of: heading + ".") ?? 0
    }
    let images = list ?? []
    for (number, image) in images.enumerated().dropFirst(first) {
      let line = "\(number + 1). \(image.spokenEntry(now()))"
      room -= window?.rows(of: line) ?? 0
      guard room >= 0 || number == first else {
        question = Question(yes: [""], no: ["q"]) { [self] in try printPage(from: number) }
        return say("\(images.count - number) more: Enter goes on, q ends")
      }
      try output.print(line)
    }
  }
}

extension CellSize {
  /// Returns how many rows of a terminal a line takes.
  fileprivate func rows(of line: String) -> Int {
    max(1, (line.columns + columns - 1) / columns)
  }
}
