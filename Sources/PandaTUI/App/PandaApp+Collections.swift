internal import PandaCore
internal import TerminalKit

/// The dialog with the collections: filters with names.
extension PandaApp {
  /// The collections by name, without those that are about to be deleted; observed.
  private var collections: [SavedFilter] {
    parts.library.collections.filter { !deleting.contains($0.id) }
  }

  /// Lists the collections, with how many favorites each has.
  func showCollections() {
    let filter = carousel.collection == .favorites ? carousel.filterText : ""
    model.dialog = .collections(
      CollectionsDialog(
        collections, filter: filter, filterKey: keys.label(of: .filter),
        markedCount: carousel.collection == .favorites ? marked.count : 0))
    model.dialog = currentDialog
    begin { await self.change { try await $0.collectionsHaveBeenRead() } }
  }

  /// Updates the dialog with the current collections and their counts; observed.
  func update(_ dialog: inout CollectionsDialog) {
    let collections = collections
    dialog.collections = collections
    dialog.counts = carousel.counts(of: collections.map(\.filter))
    dialog.canRestore = restorable != nil
  }

  /// The collection that was deleted last, if no other one has its name now.
  private var restorable: SavedFilter? {
    deletedCollections.last { deleted in !collections.contains { $0.id == deleted.id } }
  }

  /// Performs the dialog's request.
  func follow(_ request: CollectionsDialog.Request) {
    switch request {
    case .show(let filter):
      model.dialog = nil
      carousel.collection = .favorites
      carousel.filterText = filter
      model.focus = .carousel
    case .keep(let filter):
      model.dialog = .input(
        InputDialog(
          .collection(filter: filter), title: "Name of a collection",
          note: "For all favorites that match /\(filter.sanitized(upTo: 40)), now and later",
          field: TextField("", limit: SavedFilter.nameLimit)))
    case .collect:
      let images = marked
      model.dialog = .input(
        InputDialog(
          .collect(images),
          title: images.count == 1 ? "Collect 1 panda" : "Collect \(images.count) pandas",
          note: "The name of the collection. It becomes a tag of each",
          field: TextField("", limit: SavedFilter.nameLimit)))
    case .delete(let name):
      guard let collection = collections.first(where: { $0.name == name }) else { return }
      collected.removeAll { $0.collection.name == name }
      delete(collection)
      // The next key is for what is left.
      model.dialog = currentDialog
    case .restore:
      guard let collection = restorable else { return }
      deletedCollections.removeAll { $0.name == collection.name }
      begin { await self.change { try await $0.keep(collection) } }
      model.dialog = currentDialog
    }
  }

  /// Deletes a collection, which is not shown from now on.
  private func delete(_ collection: SavedFilter) {
    deleting.insert(collection.id)
    deletedCollections.append(collection)
    begin {
      await self.change { try await $0.delete(collection) }
      self.deleting.remove(collection.id)
    }
  }

  /// Changes the collections, or says why that failed.
  @discardableResult
  private func change<Result>(
    _ action: (ImageLibrary) async throws -> Result
  ) async -> Result? {
    do {
      return try await action(parts.library)
    } catch {
      fail("Your collections cannot be read or changed", error)
      return nil
    }
  }

  /// Makes pictures a collection under the name that was typed: a tag of each, and its filter.
  func collect(_ images: [RemoteImage], as text: String, askedBy input: InputDialog) {
    guard let name = collectionName(text, askedBy: input) else { return }
    // One word, which does not begin with a minus: that would take the tag away.
    let words = name.lowercased().split { $0 == "," || $0 == ";" || $0 == "#" || $0.isWhitespace }
    guard let tag = Tags.parse(String(words.joined(separator: "-").drop { $0 == "-" })).first
    else { return change(input) { $0.problem = "A collection of these needs a name with letters" } }
    var collection = SavedFilter(name: name, filter: FavoritesFilter.having(tag: tag))
    // A collection of an earlier version also has the tags that begin like this one.
    let former = SavedFilter(name: name, filter: "#\(tag)")
    if !isFree(collection), isFree(former) { collection = former }
    guard isFree(collection, askedBy: input), hasFavorites(images, askedBy: input) else { return }
    model.dialog = nil
    write {
      let outcome = await self.actions.changeTags(tag, of: images)
      switch outcome {
      case .failed: return outcome
      case .refused(let refusal) where !refusal.meansUnchanged: return outcome
      case .refused:
        // They may all have the tag already.
        self.tell(of: collection)
      case .done: break
      }
      if !self.collections.contains(where: { $0.id == collection.id }) {
        self.collected.append((collection, tag))
      }
      await self.change { try await $0.keep(collection) }
      return outcome
    }
  }

  /// Takes collections away whose tags were undone, and brings them back if those are redone.
  ///
  /// In the list of collections they can be restored like those that were deleted there.
  func updateCollected() async {
    for (collection, tag) in collected {
      let hasAny = carousel.controller.images.contains { image in
        image.tags.contains { $0.lowercased() == tag.lowercased() }
      }
      let isThere = collections.contains(collection)
      if isThere, !hasAny {
        delete(collection)
      } else if !isThere, hasAny, isFree(collection) {
        deletedCollections.removeAll { $0 == collection }
        await change { try await $0.keep(collection) }
      }
    }
  }

  /// Returns whether no collection with another filter has the name: it would be lost.
  private func isFree(_ collection: SavedFilter) -> Bool {
    !collections.contains { $0.id == collection.id && $0.filter != collection.filter }
  }

  /// Returns whether the name is free; if not, the dialog stays open and says so.
  private func isFree(_ collection: SavedFilter, askedBy input: InputDialog) -> Bool {
    guard !isFree(collection) else { return true }
    change(input) { $0.problem = "\(collection.name) is a collection with another filter" }
    return false
  }

  private func collectionName(_ text: String, askedBy input: InputDialog) -> String? {
    let name = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .sanitized(upTo: SavedFilter.nameLimit)
    if name.isEmpty { change(input) { $0.problem = "A collection needs a name" } }
    return name.isEmpty ? nil : name
  }

  /// Keeps a filter under the name that was typed.
  func keep(_ filter: String, as text: String, askedBy input: InputDialog) {
    guard let name = collectionName(text, askedBy: input) else { return }
    let collection = SavedFilter(name: name, filter: filter)
    guard isFree(collection, askedBy: input) else { return }
    begin {
      guard let isKept = await self.change({ try await $0.keep(collection) }),
        // Another process may have been faster.
        isKept || self.isFree(collection, askedBy: input)
      else { return }
      if self.isOpen(input) { self.model.dialog = nil }
      self.tell(of: collection)
    }
  }

  private func tell(of collection: SavedFilter) {
    let sentence = "\(collection.name) is a collection now"
    say(.outcome(keys.sentence(sentence, then: .collections, "shows them")))
  }
}
