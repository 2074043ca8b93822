internal import PandaCore
internal import TerminalKit

extension CommandSession {
  func collections(_ request: CollectionsRequest) async throws {
    let library = controller.library
    try await reading { try await library.collectionsHaveBeenRead() }
    switch request {
    case .list:
      try await load()
      var index = FavoritesIndex()
      for collection in library.collections {
        let filter = FavoritesFilter(
          collection.filter, collections: library.collections, now: now)
        let count = filter.apply(to: controller.images, index: &index).count
        try output.print("\(collection.name): \(pandas(count)), /\(collection.filter)")
      }
      if library.collections.isEmpty { output.say("There are no collections yet") }
    case .keep(let name, let filter):
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
        throw CommandFailure(
          "\(collection.name) is a collection with another filter", .failed)
      }
      output.say("\(collection.name) is a collection now")
    case .delete(let name):
      guard
        let collection = library.collections.first(where: {
          $0.id == SavedFilter(name: name, filter: "").id
        })
      else { throw CommandFailure("There is no collection \(name.forMessage)", .notFound) }
      let consequence = library.collections.consequence(ofDeleting: collection)
      try await reading { try await library.delete(collection) }
      let sentence = "Deleted the collection \(collection.name); its favorites stay"
      output.say(
        names.sentence(
          consequence.map { "\(sentence). \($0)" } ?? sentence, action: .undo, "takes it back"))
    }
  }
}

extension String {
  /// The text as the name of a collection; empty if it has nothing to read.
  var collectionName: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .sanitized(upTo: SavedFilter.nameLimit)
  }
}
