extension AsyncStoredValue {
  /// Changes a part of the value.
  public nonisolated(nonsending) func set<Value: Sendable>(
    _ path: any WritableKeyPath<Item, Value> & Sendable, to value: Value
  ) async throws {
    try await update { $0[keyPath: path] = value }
  }
}

extension AsyncStoredValue where Item == Bool {
  /// Turns true into false and false into true.
  public nonisolated(nonsending) func toggle() async throws {
    try await update { $0.toggle() }
  }
}

extension AsyncStoredValue {
  /// Adds `element` at the end.
  public nonisolated(nonsending) func append<Element: Sendable>(_ element: Element) async throws
  where Item == [Element] {
    try await update { $0.append(element) }
  }

  /// Removes every element equal to `element`, or adds it at the end if there is none.
  public nonisolated(nonsending) func togglePresence<Element: Equatable & Sendable>(
    _ element: Element
  ) async throws where Item == [Element] {
    try await update { $0.togglePresence(element) }
  }

  /// Puts `newElement` in the place of the first that equals `element`; nothing happens without one.
  public nonisolated(nonsending) func replace<Element: Equatable & Sendable>(
    _ element: Element, with newElement: Element
  ) async throws where Item == [Element] {
    try await update { $0.replace(element, with: newElement) }
  }

  /// Removes `element`, or inserts it if it is absent.
  public nonisolated(nonsending) func togglePresence<Element: Sendable>(
    _ element: Element
  ) async throws where Item == Set<Element> {
    try await update { $0.togglePresence(element) }
  }

  /// Sets what is under `key` in the dictionary; nil removes it.
  public nonisolated(nonsending) func update<Key: Sendable, Value: Sendable>(
    key: Key, value: Value?
  ) async throws where Item == [Key: Value] {
    try await update { $0[key] = value }
  }
}

// MARK: Optional values

extension AsyncStoredValue {
  /// Changes a part of the value, if there is one.
  public nonisolated(nonsending) func set<Wrapped, Value: Sendable>(
    _ path: any WritableKeyPath<Wrapped, Value> & Sendable, to value: Value
  ) async throws where Item == Wrapped? {
    try await update { $0?[keyPath: path] = value }
  }

  /// Adds `element` at the end; nil counts as empty.
  public nonisolated(nonsending) func append<Element: Sendable>(_ element: Element) async throws
  where Item == [Element]? {
    try await update { $0 = ($0 ?? []) + [element] }
  }

  /// Removes every element equal to `element`, or adds it at the end if there is none; nil counts as
  /// empty.
  public nonisolated(nonsending) func togglePresence<Element: Equatable & Sendable>(
    _ element: Element
  ) async throws
  where Item == [Element]? {
    try await update { $0 = ($0 ?? []).togglingPresence(element) }
  }

  /// Puts `newElement` in the place of the first that equals `element`; nothing happens without one.
  public nonisolated(nonsending) func replace<Element: Equatable & Sendable>(
    _ element: Element, with newElement: Element
  ) async throws where Item == [Element]? {
    try await update { $0?.replace(element, with: newElement) }
  }

  /// Removes `element`, or inserts it if it is absent; nil counts as empty.
  public nonisolated(nonsending) func togglePresence<Element: Sendable>(_ element: Element)
    async throws
  where Item == Set<Element>? {
    try await update { $0 = ($0 ?? []).symmetricDifference([element]) }
  }

  /// Sets what is under `key` in the dictionary, nil removing it; a dictionary that is nil counts as
  /// empty.
  public nonisolated(nonsending) func update<Key: Sendable, Value: Sendable>(
    key: Key, value: Value?
  ) async throws where Item == [Key: Value]? {
    try await update { $0 = ($0 ?? [:]).merging(key: key, value: value) }
  }
}
