extension StoreCore {
  /// How far the loading is.
  enum Loading {
    case notStarted
    case underWay(newestPage: Task<Void, Never>, all: Task<Void, any Error>)
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
    case .underWay(_, let all): try await all.value
    case .notStarted: try await startLoading().value
    }
  }

  /// Returns when there is an excerpt, or the items have been loaded.
  func loadExcerpt() async throws {
    if case .notStarted = loading { startLoading() }
    if case .underWay(let newestPage, _) = loading { await newestPage.value }
    if excerpt == nil { try await load() }
  }

  /// Begins to read the newest page, and then all.
  @discardableResult
  func startLoading() -> Task<Void, any Error> {
    let newestPage = Task {
      guard let excerpt = await coder.excerpt(limit: excerptLimit) else { return }
      loadGate.withMutation { self.excerpt = excerpt }
    }
    let all = Task {
      await newestPage.value
      do {
        let loaded = try await coder.load(for: follower, slowly: excerpt?.count)
        loadGate.withMutation {
          gate.withMutation {
            excerpt = nil
            table = loaded.table
            loading = .finished
            loadError = nil
          }
        }
        entityGates.tell { loaded.table.holdsItem($0) }
        tellLoaded()
        writeBack(loaded.upgraded)
      } catch {
        loadGate.withMutation {
          excerpt = nil
          loading = .notStarted
          loadError = error
        }
        throw error
      }
    }
    loading = .underWay(newestPage: newestPage, all: all)
    return all
  }

  /// Writes rows that have been upgraded, so that they need not be the next time.
  private func writeBack(_ keys: [CacheKey]) {
    guard !keys.isEmpty else { return }
    // Failing leaves them for the next time: what is shown is right.
    Task { try? await perform([.rewrite(keys)]) }  // see above
  }
}
