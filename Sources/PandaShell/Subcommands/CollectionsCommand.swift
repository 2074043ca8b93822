internal import PandaCore
internal import PandaSession

@MainActor
struct CollectionsCommand: SessionCommand {
  nonisolated static let subcommand = Subcommand(
    "collections", in: .both, like: .favorites(.collections),
    operands: [
      CommandLineValue("save NAME FILTER|delete NAME", isOptional: true, repeats: true)
    ],
    summary: "list the collections, which are filters with names; save or delete one",
    discussion: "Lists the collections with their filters, and how many favorites each has. With "
      + "save, a name and a filter, makes one; with delete, deletes one, and no favorite; panda "
      + "undo takes it back. panda list in:NAME lists what is in one."
  ) { arguments throws(UsageError) in
    let words = arguments.words
    switch (words.first, words.count) {
    case (nil, _): return .reading { try await CollectionsCommand(session: $0).list() }
    case ("delete", 2):
      return .changing { try await CollectionsCommand(session: $0).delete(words[1]) }
    case ("save", 3...), ("keep", 3...):
      return .changing {
        try await CollectionsCommand(session: $0).keep(words[1], arguments.text(from: 2))
      }
    default:
      throw UsageError(
        problem: "collections takes nothing, or save with a name and a filter, or delete with a "
          + "name")
    }
  }

  let session: Session

  private var library: ImageLibrary { controller.library }

  private func read() async throws {
    try await reading { try await library.collectionsHaveBeenRead() }
  }

  func list() async throws {
    try await read()
    try await load()
    var index = FavoritesIndex()
    for collection in library.collections {
      let filter = FavoritesFilter(
        collection.filter, collections: library.collections, now: session.now)
      index = try await session.index(for: filter, beginning: index)
      let count = filter.apply(to: controller.images, index: &index).count
      try output.print("\(collection.name): \(pandas(count)), /\(collection.filter)")
    }
    if library.collections.isEmpty { output.say("There are no collections yet") }
  }

  func keep(_ name: String, _ filter: String) async throws {
    try await read()
    if let problem = FavoritesFilter.problem(in: filter) {
      throw CommandFailure(problem, .usage)
    }
    let collection = SavedFilter(name: name.collectionName, filter: filter)
    guard !collection.name.isEmpty, !filter.allSatisfy(\.isWhitespace) else {
      throw CommandFailure("a collection needs a name and a filter", .usage)
    }
    if let unresolved = library.unresolved(collection) { throw CommandFailure(unresolved) }
    let isKept = try await reading { try await library.keep(collection) }
    guard isKept else {
      throw CommandFailure("\(collection.name) is a collection with another filter", .failed)
    }
    output.say("\(collection.name) is a collection now")
  }

  func delete(_ name: String) async throws {
    try await read()
    guard
      let collection = library.collections.first(where: {
        $0.id == SavedFilter(name: name, filter: "").id
      })
    else { throw CommandFailure("There is no collection \(name.forMessage)", .notFound) }
    let consequence = library.collections.consequence(ofDeleting: collection)
    try await reading { try await library.delete(collection) }
    let sentence = "Deleted the collection \(collection.name); its favorites stay"
    output.say(
      session.names.sentence(
        consequence.map { "\(sentence). \($0)" } ?? sentence, action: .undo, "takes it back"))
  }
}
