internal import PandaCore
internal import PandaSession

@MainActor
struct CollectionsCommands {
  let context: CommandContext

  private var favorites: FavoritesPresenter { context.favorites }

  /// The collections by name, without those that are about to be deleted; observed.
  private var collections: [SavedFilter] {
    context.session.library.collections.filter { !context.deletingCollections.contains($0.id) }
  }

  /// Lists the collections, with how many favorites each has.
  func showCollections() {
    let isAmongFavorites = favorites.collection == .favorites
    update(
      CollectionsDialog(
        collections, filter: isAmongFavorites ? favorites.filterText : "",
        filterKey: context.keys.label(of: .favorites(.filter)),
        markedCount: isAmongFavorites ? context.marked.count : 0))
    context.begin { await change { try await $0.collectionsHaveBeenRead() } }
  }

  private func update(_ dialog: CollectionsDialog) {
    context.model.dialog = .collections(updated(dialog))
  }

  /// Returns the dialog with the current collections and their counts; observed.
  func updated(_ dialog: CollectionsDialog) -> CollectionsDialog {
    var dialog = dialog
    let collections = collections
    dialog.collections = collections
    dialog.counts = favorites.counts(of: collections.map(\.filter))
    dialog.tags = Tags.uses(in: favorites.controller.images)
    dialog.canRestore = canRestore
    return dialog
  }

  /// Whether the last step is a deletion, or is about to be one.
  private var canRestore: Bool {
    !context.deletingCollections.isEmpty || context.session.library.lastDeletedCollection != nil
  }

  func follow(_ request: CollectionsDialog.Request) {
    switch request {
    case .show(let filter):
      context.model.dialog = nil
      favorites.collection = .favorites
      favorites.filterText = filter
      context.model.focus = .carousel
      return
    case .keep(let filter):
      return askForName(
        "Name of a collection",
        note: "For all favorites that match /\(filter.sanitized(upTo: 40)), now and later"
      ) { name, input in keep(SavedFilter(name: name, filter: filter), askedBy: input) }
    case .collect:
      let images = context.marked
      return askForName(
        images.count == 1 ? "Collect 1 panda" : "Collect \(images.count) pandas",
        note: "The name of the collection. It becomes a tag of each"
      ) { name, input in collect(images, as: name, askedBy: input) }
    case .delete(let name):
      guard let collection = collections.first(where: { $0.name == name }) else { return }
      delete(collection)
    case .restore:
      context.begin {
        guard canRestore else { return }
        await change { try await $0.undo() }
      }
    }
    // The next key is for what is left.
    if case .collections(let dialog) = context.model.dialog { update(dialog) }
  }

  private func askForName(
    _ title: String, note: String, _ answer: @escaping @MainActor (String, InputDialog) -> Void
  ) {
    context.model.dialog = .input(
      InputDialog(title: title, note: note, field: TextField("", limit: SavedFilter.nameLimit)) {
        text, input in
        let name = text.collectionName
        if name.isEmpty { return context.reject(input, "A collection needs a name") }
        answer(name, input)
      })
  }

  /// Deletes a collection, which is not shown from now on.
  private func delete(_ collection: SavedFilter) {
    context.deletingCollections.insert(collection.id)
    context.begin {
      await change { try await $0.delete(collection) }
      context.deletingCollections.remove(collection.id)
    }
  }

  /// Changes the collections, or says why that failed.
  @discardableResult
  private func change<Result>(
    _ action: (ImageLibrary) async throws -> Result
  ) async -> Result? {
    do {
      return try await action(context.session.library)
    } catch {
      context.fail("Your collections cannot be read or changed", error)
      return nil
    }
  }

  /// Makes pictures a collection: a tag of each, and its filter.
  private func collect(_ images: [RemoteImage], as name: String, askedBy input: InputDialog) {
    // One word, which does not begin with a minus: that would take the tag away.
    let words = name.lowercased().split { $0 == "," || $0 == ";" || $0 == "#" || $0.isWhitespace }
    guard let tag = Tags.parse(String(words.joined(separator: "-").drop { $0 == "-" })).first
    else { return context.reject(input, "A collection of these needs a name with letters") }
    var collection = SavedFilter(name: name, filter: FavoritesFilter.having(tag: tag))
    // A collection of an earlier version also has the tags that begin like this one.
    let former = SavedFilter(name: name, filter: "#\(tag)")
    if !isFree(collection), isFree(former) { collection = former }
    guard isFree(collection, askedBy: input), context.hasFavorites(images, askedBy: input)
    else { return }
    context.model.dialog = nil
    context.write { [collection] in
      let outcome = await context.controller.changeTags(tag, of: images, keeping: collection)
      if case .refused(let refusal) = outcome, refusal.meansUnchanged {
        // They all have the tag already.
        await change { try await $0.keep(collection) }
        announce(collection)
      }
      return outcome
    }
  }

  /// Returns whether no collection with another filter has the name: it would be lost.
  private func isFree(_ collection: SavedFilter) -> Bool {
    !collections.contains { $0.id == collection.id && $0.filter != collection.filter }
  }

  /// Returns whether the name is free; if not, the dialog stays open and says so.
  private func isFree(_ collection: SavedFilter, askedBy input: InputDialog) -> Bool {
    guard !isFree(collection) else { return true }
    context.reject(input, "\(collection.name) is a collection with another filter")
    return false
  }

  private func keep(_ collection: SavedFilter, askedBy input: InputDialog) {
    guard isFree(collection, askedBy: input) else { return }
    if let unresolved = context.session.library.unresolved(collection) {
      return context.reject(input, unresolved.sentence)
    }
    context.begin {
      guard let isKept = await change({ try await $0.keep(collection) }),
        // Another process may have been faster.
        isKept || isFree(collection, askedBy: input)
      else { return }
      context.close(input)
      announce(collection)
    }
  }

  private func announce(_ collection: SavedFilter) {
    let sentence = "\(collection.name) is a collection now"
    context.say(
      .outcome(context.keys.sentence(sentence, then: .favorites(.collections), "shows them")))
  }
}
