extension StoreCore {
  enum Loading {
    case notStarted
    /// The newest page is being read, or has been; the rest has not been asked for.
    case newestPage(Task<Void, Never>)
    case all(Task<Void, any Error>)
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
  ///
  /// So is one that had begun before the call: what made it fail may be over.
  func load() async throws {
    if isReading, case .all(let task) = loading {
      do { return try await task.value } catch {}
    }
    switch loading {
    case .finished: return
    case .refused(let error): throw error
    case .all(let task): try await task.value
    case .newestPage(let task): try await loadAll(after: task).value
    case .notStarted: try await loadAll(after: nil).value
    }
  }

  /// Returns when the excerpt is available, or the items have been loaded.
  func loadExcerpt() async throws {
    if case .notStarted = loading { startLoading() }
    if case .newestPage(let task) = loading { await task.value }
    if excerpt == nil { try await load() }
  }

  /// Begins to read the newest page, or all rows if there is no excerpt.
  func startLoading() {
    guard excerptLimit > 0 else { return _ = loadAll(after: nil) }
    loading = .newestPage(
      Task {
        if let excerpt = await coder.excerpt(limit: excerptLimit) {
          loadGate.withMutation { self.excerpt = excerpt }
        } else if case .newestPage = loading {
          loadAll(after: nil)
        }
      })
  }

  @discardableResult
  private func loadAll(after newestPage: Task<Void, Never>?) -> Task<Void, any Error> {
    let task = Task {
      await newestPage?.value
      isReading = true
      defer { isReading = false }
      do {
        let loaded = try await coder.load(
          for: follower, count: excerpt?.count, slowly: leavesCoresFree && excerpt != nil)
        loadGate.withMutation {
          visible.gate.withMutation {
            excerpt = nil
            visible.table = loaded.table
            loading = .finished
            loadError = nil
          }
        }
        visible.notifyLoaded()
        writeBack(loaded.upgraded)
      } catch {
        // The excerpt stays: what is known is shown until more is.
        loadGate.withMutation {
          loading = .notStarted
          loadError = error
        }
        throw error
      }
    }
    loading = .all(task)
    return task
  }

  /// Writes upgraded rows back, so that they need no upgrade the next time.
  private func writeBack(_ keys: [CacheKey]) {
    guard !keys.isEmpty else { return }
    // A failure leaves them for the next time; memory is right in any case.
    Task { try? await perform([.rewrite(keys)]) }
  }
}
