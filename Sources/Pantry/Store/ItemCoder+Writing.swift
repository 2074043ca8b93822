/// The steps of an operation that change the storage, and their changes.
struct EncodedSteps<Item: StorableItem>: Sendable {
  var steps: [ResolvedStep<Item>] = []
  var changes: [StorageChange] = []
  /// The keys whose items have the bytes of those that they replace; nil if they were not compared.
  var unchanged: Set<CacheKey>?

  fileprivate mutating func add(_ items: [Item], _ changes: [StorageChange?]) {
    let kept = zip(items, changes).filter { $1 != nil }
    guard !kept.isEmpty else { return }
    steps.append(.add(kept.count == items.count ? items : kept.map(\.0)))
    self.changes += kept.compactMap(\.1)
  }

  fileprivate mutating func add(_ step: ResolvedStep<Item>, _ changes: [StorageChange]) {
    steps.append(step)
    self.changes += changes
  }
}

extension ItemCoder {
  /// Encodes the changes of each of many operations, without replacements that have the same bytes.
  ///
  /// - Returns: for each, its changes, or the error of the first item that cannot be encoded, or
  ///   decoded again.
  @concurrent
  func changes(
    ofEach operations: [[ResolvedStep<Item>]]
  ) async -> [Result<EncodedSteps<Item>, any Error>] {
    // One of many items uses all cores by itself.
    await inChunks(operations) { operations in
      var encoded: [Result<EncodedSteps<Item>, any Error>] = []
      for steps in operations {
        do {
          encoded.append(.success(try await changes(of: steps)))
        } catch {
          encoded.append(.failure(error))
        }
      }
      return encoded
    }.flatMap(\.self)
  }

  /// Encodes the changes of `steps`, without replacements that have the same bytes.
  ///
  /// - Throws: the error of the first item that cannot be encoded, or decoded again.
  @concurrent
  func changes(of steps: [ResolvedStep<Item>]) async throws -> EncodedSteps<Item> {
    var encoded = EncodedSteps<Item>()
    // Replacements with the same bytes are left out.
    let isCompared = steps.allSatisfy { if case .replace = $0 { true } else { false } }
    if isCompared { encoded.unchanged = [] }
    for step in steps {
      switch step {
      case .add(let items): encoded.add(step, try await encode(items).compactMap(\.self))
      case .replace(let items, let former):
        encoded.add(items, try await encode(items, over: former))
      case .remove(let keys): encoded.add(step, keys.map { .remove(key: $0) })
      case .removeAll: encoded.add(step, [.removeAll])
      }
    }
    return encoded
  }

  /// Returns the edits that bring memory to the written `steps`.
  ///
  /// Releases the bytes of attachments that the engine has stored with them.
  ///
  /// - Parameter positions: the positions of the rows of `changes`, if the engine reports them.
  func edits(
    of steps: [ResolvedStep<Item>], written changes: [StorageChange], at positions: ArraySlice<Int?>
  ) -> [TableEdit<Item>] {
    storage.noteStored(changes)
    var (changes, positions) = (changes[...], positions)
    return steps.map { step in
      let count =
        switch step {
        case .add(let items), .replace(let items, _): items.count
        case .remove(let keys): keys.count
        case .removeAll: 1
        }
      defer {
        changes = changes.dropFirst(count)
        positions = positions.dropFirst(count)
      }
      return switch step {
      case .add(let items), .replace(let items, _):
        .put(
          TableEdit.Entries(
            keys: changes.prefix(count).compactMap(Self.writtenKey), items: items,
            positions: Array(positions.prefix(count))))
      case .remove(let keys): .remove(keys)
      case .removeAll: .removeAll
      }
    }
  }

  private static func writtenKey(_ change: StorageChange) -> CacheKey? {
    if case .write(_, let key, _) = change { key } else { nil }
  }

  /// Does the same off the main actor, for many rows.
  @concurrent
  func editsOfMany(
    _ steps: [ResolvedStep<Item>], written changes: [StorageChange], at positions: ArraySlice<Int?>
  ) async -> [TableEdit<Item>] {
    edits(of: steps, written: changes, at: positions)
  }
}
