internal import SystemSupport
internal import Pantry

/// Notifies followers of changes, and announces own changes to other clients.
extension PostgresServer {
  nonisolated func add(_ follower: StorageFollower, to namespace: String) {
    following.withLock { following in
      let followers = following[Name(namespace)] ?? StorageFollowers()
      followers.insert(follower)
      following[Name(namespace)] = followers
    }
  }

  /// Listens to the changes of a namespace, if it has followers; call it in a turn.
  func listen(_ namespace: Int64) async throws {
    // One that does not exist may be made, which polling finds.
    guard namespace != Self.noNamespace else { return startPolling() }
    guard !listening.contains(namespace) else { return }
    if !isPooled, library.readOnly != .standby {
      _ = try await run("LISTEN \(PostgresSchema.channel(namespace))")
    }
    listening.insert(namespace)
    startPolling()
  }

  var hasFollowers: Bool {
    following.withLock { $0.values.contains { !$0.all.isEmpty } }
  }

  func notifyAll(_ notify: (StorageFollower) -> Void) {
    for followers in following.withLock({ Array($0.values) }) { followers.all.forEach(notify) }
  }

  /// Notifies the followers of a channel's namespace that there may be changes.
  func heard(_ channel: String) {
    for (name, number) in namespaces where PostgresSchema.channel(number) == channel {
      following.withLock { $0[name] }?.all.forEach { $0.tell() }
    }
  }

  /// Notifies the followers of this process that parts of a commit may be new.
  ///
  /// A follower that has committed knows its own rows, except if it has overwritten one that may
  /// be new to it.
  nonisolated func notify(of parts: [PostgresCommit.Part], hasOverwritten: Bool) {
    for part in parts {
      let followers = following.withLock { $0[Name(part.namespace)] }?.all ?? []
      for follower in followers where hasOverwritten || follower !== part.follower {
        follower.tell()
      }
    }
  }

  /// Runs commands and commits the open transaction; the announcement goes behind them.
  func commitTransaction(
    after commands: [PostgresConnection.Command], in namespaces: [Int64]
  ) async throws -> [PostgresRows] {
    unannounced.formUnion(namespaces)
    return try await run(commands + [.init("COMMIT")]) { self.announceRest() }
  }

  /// Announces what was committed, unless a caller that waits will soon announce more.
  ///
  /// The answer is not waited for, and does not matter: without the notification, the others find
  /// the changes by polling.
  func announceRest() {
    guard let connection, !unannounced.isEmpty else { return }
    let now = ContinuousClock.now
    guard !isContended || now - lastAnnouncement > Self.announcementDelay else { return }
    lastAnnouncement = now
    connection.send(
      unannounced.map {
        .init(prepared: PostgresSchema.announcement, .text(PostgresSchema.channel($0)))
      }
    ) { _ in }
    unannounced = []
  }

  func startPolling() {
    guard polling == nil else { return }
    polling = Task { [weak self] in
      while !Task.isCancelled {
        try? await Task.sleep(for: Self.pollInterval)  // a canceled pause ends the loop
        guard !Task.isCancelled, let self, await self.poll() else { return }
      }
    }
  }

  /// Connects again if the standby has been promoted; from time to time also in case that another
  /// host is back.
  private func lookForWriter() async throws {
    pollsOfStandby += 1
    let isTime = address.attempts.count > 1 && pollsOfStandby.isMultiple(of: 30)
    try await inTurn { server in
      let isStandby = try await server.run("SELECT pg_is_in_recovery()").integer(0, 0) == 1
      if !isStandby || isTime { try await server.requireWriting() }
    }
  }

  /// Lets the followers look for changes; returns whether there are any followers.
  func poll() -> Bool {
    guard hasFollowers else {
      polling = nil
      return false
    }
    guard connection != nil else { return true }
    if library.readOnly == .standby {
      // On failure, as while it is still a standby, it is retried the next time.
      Task { try? await lookForWriter() }
    }
    notifyAll { $0.tell() }
    return true
  }
}
