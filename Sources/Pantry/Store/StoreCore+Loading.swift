extension StoreCore {
  /// How far the loading is.
  enum Loading {
    case notStarted
    case underWay(Task<Void, any Error>)
    case finished
    /// The storage is not for these items.
    case refused(StorageError)
  }

  /// Whether the items have been loaded, not observed.
  var isLoaded: Bool {
    if case .finished = loading { return true }
    return false
  }

  /// Returns when the items have been loaded; a load that has failed is tried again.
  func load() async throws {
    switch loading {
    case .finished: return
    case .refused(let error): throw error
    case .underWay(let task): try await task.value
    case .notStarted: try await startLoading().value
    }
  }

  /// Returns when there is an excerpt, or the items have been loaded.
  func loadExcerpt() async throws {
    if case .notStarted = loading { startLoading() }
    await excerptReader.hasEnded()
    if excerptReader.current == nil { try await load() }
  }

  @discardableResult
  func startLoading() -> Task<Void, any Error> {
    excerptReader.start(by: coder)
    let task = Task {
      await excerptReader.mayLoad()
      do {
        let loaded = try await coder.load(
          for: follower, slowly: excerptReader.current.map(\.count))
        loadGate.withMutation {
          gate.withMutation {
            excerptReader.drop {
              table = loaded.table
              loading = .finished
              loadError = nil
            }
          }
        }
        entityGates.tell { loaded.table.holdsItem($0) }
        tellLoaded()
        writeBack(loaded.upgraded)
      } catch {
        loadGate.withMutation {
          excerptReader.drop {
            loading = .notStarted
            loadError = error
          }
        }
        throw error
      }
    }
    loading = .underWay(task)
    return task
  }

  /// Writes rows that have been upgraded, so that they need not be the next time.
  private func writeBack(_ keys: [CacheKey]) {
    guard !keys.isEmpty else { return }
    // Failing leaves them for the next time: what is shown is right.
    Task { try? await perform([.rewrite(keys)]) }  // see above
  }
}
