internal import FoundationEssentials
internal import PandaCore
internal import Pantry

/// The beginning and the end of a session.
extension PlainSession {
  /// Greets the user, and describes the last seen picture, or a first one.
  ///
  /// - Parameter former: favorites left by an earlier version in another place.
  func begin(_ former: FormerFavorites? = nil) async {
    let isLoaded = await load()
    let count = controller.images.count
    let favorites =
      switch count {
      case 0: "You have no favorites yet."
      case 1: "You have 1 favorite."
      default: "You have \(count) favorites."
      }
    say(
      "Panda \(Version.number). " + (isLoaded ? favorites + " " : "")
        + "Type \(PlainWord.help) for what you can do, \(PlainWord.quit) to leave.")
    if isLoaded, count == 0, let former { say(former.sentence) }
    if isLoaded { await tidy() }
    // All stores are in one file, and its error has been reported.
    guard isLoaded else { return await fetch() }
    do {
      if let newest = try await controller.newestSeen() {
        try await controller.seenHaveBeenRead()
        await describe(newest, lead: "The last one you saw:")
        return
      }
    } catch {
      fail("What you saw before cannot be read", error)
    }
    await fetch()
  }

  /// Waits for the favorites, and returns whether they could be read.
  func load() async -> Bool {
    do {
      try await controller.imagesHaveBeenRead()
      return true
    } catch {
      fail("Your favorites cannot be opened", error)
      return false
    }
  }

  /// Reports unreadable favorites, and deletes pictures that were in the trash long enough.
  private func tidy() async {
    let issues = controller.unreadableCount
    if issues > 0 {
      refuse("\(words.unreadable(issues)).")
    }
    do {
      try await controller.emptyTrash()
    } catch {
      fail("The trash was not looked through", error)
    }
  }

  /// Waits until all pending changes are saved.
  func finish() async {
    tellLateFailure()
    pending?.cancel()
    await controller.close()
    do {
      try await remembered.seenCount.flush()
      try await remembered.order.flush()
    } catch {
      fail("The number of pandas seen, and the order of the favorites, are not remembered", error)
    }
  }
}
