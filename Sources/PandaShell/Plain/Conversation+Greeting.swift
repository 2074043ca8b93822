internal import FoundationEssentials
internal import PandaCore
internal import PandaSession
internal import Pantry

extension Conversation {
  /// Greets the user, and describes the last seen picture, or a first one.
  func begin() async {
    let isLocked = await controller.library.isWaitingForLock(clock: clock)
    if isLocked {
      // The commands that need the favorites wait for them, and say so if that fails.
      let locked = Trouble.locked(at: now())
      trouble = locked
      refuse("\(locked.what): \(locked.sentence)", .done)
    }
    let isLoaded = isLocked ? false : await attempt { try await session.load() }
    let favorites = ActionWords.favorites(controller.images.count)
    say(
      "Panda \(Version.number). " + (isLoaded ? "\(favorites). " : "")
        + "Type help for what you can do, quit to leave")
    sayPlace()
    if isLoaded { sayAnniversary() }
    if isLoaded { await tidy() }
    // All stores are in one file, and its error has been reported.
    guard isLoaded else {
      await fetch()
      return
    }
    do {
      if let newest = try await controller.library.newestSeen() {
        try await controller.library.seen.itemsHaveLoaded()
        await describe(newest, lead: "The last one you saw:")
        return
      }
    } catch {
      fail("Your history cannot be read", error)
    }
    await fetch()
  }

  /// Says that nothing is saved, or that others could reach the favorites.
  private func sayPlace() {
    // Unreadable favorites have been reported already.
    if controller.library.reasonNotReadable != nil { return }
    if let reason = controller.library.reasonNotSaved {
      fail(StorageWords.notSaved, reason, then: StorageWords.remedy)
    } else if let warning = StorageWords.warning(
      of: controller.library.exposure, known: remembered.warnedDirectory.wrappedValue)
    {
      refuse(warning, .done)
      log.notice(.storage, warning)
      remembered.warnedDirectory.set(controller.library.exposure.place)
    }
  }

  /// Says what was kept on this day in earlier years.
  private func sayAnniversary() {
    guard let anniversary = Anniversary(of: controller.images, on: now()) else { return }
    let sentence = anniversary.sentence(author: controller.library.author)
    say("\(sentence). list \(anniversary.hint)")
  }

  /// Deletes pictures that were in the trash long enough.
  private func tidy() async {
    log.error(unreadable: controller.library.favorites.loadIssues)
    do {
      try await controller.library.emptyTrash()
    } catch {
      fail("The trash could not be checked", error)
    }
  }

  /// Waits until all pending changes are saved.
  func finish() async {
    tellLateFailure()
    pending?.cancel()
    do {
      let copy = try await controller.library.backUp()
      if let copy { log.notice(.storage, "Backed up as \(copy.path)") }
    } catch {
      // The earlier backups are there, and the next session tries again.
      log.error(.storage, "Not backed up: \(technicalCause(of: error))")
    }
    await controller.library.close()
    if let reason = controller.library.reasonNotSaved {
      if await controller.library.hasUnsavedChanges {
        refuse("\(StorageWords.lost(because: reason)).", .storage)
      }
      // The user knows that nothing is kept, and these matter less.
      return
    }
    do {
      try await remembered.order.flush()
    } catch {
      refuse("The order of the favorites is not remembered: \(userMessage(for: error)).", .storage)
    }
  }
}
