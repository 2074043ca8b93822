internal import FoundationEssentials
internal import PandaCore
internal import Pantry

/// The recovery of a damaged favorites file, and the backups for it.
extension PandaApp {
  /// Recovers the file, or waits for the end of a recovery that has begun.
  ///
  /// - Returns: whether the file can be read again.
  @discardableResult
  func recover(after damage: Trouble) async -> Bool {
    if let recovery { return await recovery.value }
    let recovery = Task { await recoverOnce(after: damage) }
    self.recovery = recovery
    defer { self.recovery = nil }
    return await recovery.value
  }

  private func recoverOnce(after damage: Trouble) async -> Bool {
    log.error(damage)
    // A read that failed before a recovery may come to light after it: the report stays.
    let isFirst = !hasRecovered
    if isFirst { say(.problem("Your favorites file is damaged: reading what can be read of it")) }
    do {
      guard let report = try await carousel.controller.recover() else {
        // Another terminal may have recovered it.
        log.notice(.storage, "The favorites file is whole: nothing was recovered")
        if isFirst { say(.outcome("The favorites file is whole now; try again")) }
        return true
      }
      let recovered = Trouble(recovered: report, after: damage)
      log.notice(report)
      keep(recovered)
      hasRecovered = true
      say(.problem(recovered.sentence))
      return true
    } catch {
      fail("\(damage.what), and the file was not recovered", error)
      return false
    }
  }

  /// Copies the rows of all stores, once a day, beside what the user does.
  func backUp() async {
    do {
      let copy = try await carousel.controller.backUp()
      if let copy { log.notice(.storage, "Backed up as \(copy.path)") }
    } catch {
      keep(Trouble("Your favorites were not backed up", error, at: clock.date))
    }
  }
}
