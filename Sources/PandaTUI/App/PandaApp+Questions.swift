internal import PandaCore

/// The questions before what cannot be taken back easily, and what a yes does.
extension PandaApp {
  /// Asks whether all favorites go to the trash, or those that the filter shows.
  func askToClear() {
    let words = ActionWords(names: keys)
    let count = carousel.controller.images.count
    let matches = carousel.isFiltered && carousel.list.count < count ? carousel.list : nil
    let (question, note) =
      matches.map { words.clearQuestion(matches: $0.count) } ?? words.clearQuestion(count: count)
    model.dialog = .confirm(
      ConfirmDialog(
        matches.map(ConfirmDialog.Purpose.remove) ?? .clear(count: count), title: "Clear",
        question: question, note: note))
  }

  /// Asks whether pictures in the trash are deleted for good.
  func askToPurge(_ images: [RemoteImage]) {
    let entries = images.compactMap { carousel.controller.trashed($0.id) }
    guard let first = entries.first else { return }
    let (question, note) = ActionWords(names: keys)
      .purgeQuestion(count: entries.count, name: first.image.name)
    model.dialog = .confirm(
      ConfirmDialog(.purge(entries), title: "Delete", question: question, note: note))
  }

  /// Does what the user has confirmed.
  func confirm(_ purpose: ConfirmDialog.Purpose) {
    switch purpose {
    case .clear(let count):
      // Another terminal has added or removed some since: the question was another one.
      guard carousel.controller.images.count == count else { return askToClear() }
      begin { await self.carousel.clear() }
    case .remove(let images): begin { await self.carousel.remove(images) }
    case .purge(let entries): begin { await self.carousel.purge(entries) }
    }
  }
}
