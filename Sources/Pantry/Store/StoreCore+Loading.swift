extension StoreCore {
  /// The state of loading.
  enum Loading {
    case notStarted
    case underWay(newestPage: Task<Void, Never>, all: Task<Void, any Error>)
    case finished
    /// The storage belongs to other items.
    case refused(StorageError)
  }

  /// Whether the items have been loaded, not observed.
  var isLoaded: Bool {
    if case .finished = loading { return true }
    return false
  }

  /// Returns when the items have been loaded; a failed load is retried.
  func load() async throws {
    switch loading {
    case .finished: return
    case .refused(let error): throw error
    case .underWay(_, let all): try await all.value
    case .notStarted: try await startLoading().value
    }
  }

  /// Returns when the excerpt is available, or the items have been loaded.
  func loadExcerpt() async throws {
    if case .notStarted = loading { startLoading() }
    if case .underWay(let newestPage, _) = loading { await newestPage.value }
    if excerpt == nil { try await load() }
  }

  /// Begins to read the newest page, and then all rows.
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
        entityGates.notify { loaded.table.holdsItem($0) }
        notifyLoaded()
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

  /// Writes upgraded rows back, so that they need no upgrade the next time.
  private func writeBack(_ keys: [CacheKey]) {
    guard !keys.isEmpty else { return }
    // A failure leaves them for the next time; memory is right in any case.
    Task { try? await perform([.rewrite(keys)]) }  // see above
  }
}
