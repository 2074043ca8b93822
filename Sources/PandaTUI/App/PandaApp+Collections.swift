internal import PandaCore
internal import TerminalKit

/// The dialog with the collections: filters with names.
extension PandaApp {
  /// Lists the collections, with how many favorites each has.
  func showCollections() {
    let filter = carousel.collection == .favorites ? carousel.filterText : ""
    model.dialog = .collections(
      CollectionsDialog(
        remembered.collections.wrappedValue, filter: filter, filterKey: keys.label(of: .filter),
        markedCount: carousel.collection == .favorites ? marked.count : 0))
    model.dialog = currentDialog
  }

  /// Updates the dialog with the current collections and their counts; observed.
  func update(_ dialog: inout CollectionsDialog) {
    let collections = remembered.collections.wrappedValue
    dialog.collections = collections
    dialog.counts = carousel.counts(of: collections.map(\.filter))
    dialog.canRestore = restorable != nil
  }

  /// The collection that was deleted last, if no other one has its name now.
  private var restorable: SavedFilter? {
    deletedCollections.last { !remembered.collections.wrappedValue.has(name: $0.name) }
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
      deletedCollections += remembered.collections.wrappedValue.filter { $0.name == name }
      remembered.collections.update { $0.removeAll { $0.name == name } }
      collected.removeAll { $0.collection.name == name }
      // The next key is for what is left.
      model.dialog = currentDialog
    case .restore:
      guard let collection = restorable else { return }
      deletedCollections.removeAll { $0.name == collection.name }
      remembered.collections.update { $0.keep(collection) }
      model.dialog = currentDialog
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
      if !self.remembered.collections.wrappedValue.has(name: name) {
        self.collected.append((collection, tag))
      }
      self.remembered.collections.update { $0.keep(collection) }
      return outcome
    }
  }

  /// Takes collections away whose tags were undone, and brings them back if those are redone.
  ///
  /// In the list of collections they can be restored like those that were deleted there.
  func updateCollected() {
    for (collection, tag) in collected {
      let hasAny = carousel.controller.images.contains { image in
        image.tags.contains { $0.lowercased() == tag.lowercased() }
      }
      let isThere = remembered.collections.wrappedValue.contains(collection)
      if isThere, !hasAny {
        remembered.collections.update { $0.removeAll { $0 == collection } }
        deletedCollections.append(collection)
      } else if !isThere, hasAny, isFree(collection) {
        remembered.collections.update { $0.keep(collection) }
        deletedCollections.removeAll { $0 == collection }
      }
    }
  }

  /// Returns whether no collection with another filter has the name: it would be lost.
  private func isFree(_ collection: SavedFilter) -> Bool {
    !remembered.collections.wrappedValue.contains {
      $0.name.lowercased() == collection.name.lowercased() && $0.filter != collection.filter
    }
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
    remembered.collections.update { $0.keep(collection) }
    model.dialog = nil
    tell(of: collection)
  }

  private func tell(of collection: SavedFilter) {
    let sentence = "\(collection.name) is a collection now"
    say(.outcome(keys.sentence(sentence, then: .collections, "shows them")))
  }
}
