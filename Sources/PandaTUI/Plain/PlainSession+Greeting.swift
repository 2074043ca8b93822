internal import FoundationEssentials
internal import PandaCore
internal import Pantry

/// How a session begins and ends.
extension PlainSession {
  /// Greets, and describes the picture that was seen last, or a first one.
  ///
  /// - Parameter former: favorites in the place of an earlier version.
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
    // They are in one file: it has been said why it cannot be opened.
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

  /// Waits for the favorites, and returns whether they are there.
  func load() async -> Bool {
    do {
      try await controller.imagesHaveBeenRead()
      return true
    } catch {
      fail("Your favorites cannot be opened", error)
      return false
    }
  }

  /// Says what of the favorites cannot be read, and deletes what was in the trash long enough.
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

  /// Returns when all that is to be kept is.
  func finish() async {
    pending?.cancel()
    await controller.close()
    do {
      try await remembered.seenCount.flush()
      try await remembered.order.flush()
    } catch {
      fail("How many pandas you met, and their order, are not remembered", error)
    }
  }
}
