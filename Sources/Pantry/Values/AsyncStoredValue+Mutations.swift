extension AsyncStoredValue {
  /// Changes a part of the value.
  ///
  /// - Throws: the error of the engine or the encoder; then nothing has changed.
  public nonisolated(nonsending) func set<Value: Sendable>(
    _ path: any WritableKeyPath<Item, Value> & Sendable, to value: Value
  ) async throws {
    try await update { $0[keyPath: path] = value }
  }
}

extension AsyncStoredValue where Item == Bool {
  /// Toggles the value.
  ///
  /// - Throws: the error of the engine or the encoder; then nothing has changed.
  public nonisolated(nonsending) func toggle() async throws {
    try await update { $0.toggle() }
  }
}

extension AsyncStoredValue {
  /// Appends `element`.
  ///
  /// - Throws: the error of the engine or the encoder; then nothing has changed.
  public nonisolated(nonsending) func append<Element: Sendable>(_ element: Element) async throws
  where Item == [Element] {
    try await update { $0.append(element) }
  }

  /// Removes every element equal to `element`, or appends it if there is none.
  ///
  /// - Throws: the error of the engine or the encoder; then nothing has changed.
  public nonisolated(nonsending) func togglePresence<Element: Equatable & Sendable>(
    _ element: Element
  ) async throws where Item == [Element] {
    try await update { $0.togglePresence(element) }
  }

  /// Replaces the first element equal to `element`, if there is one.
  ///
  /// - Throws: the error of the engine or the encoder; then nothing has changed.
  public nonisolated(nonsending) func replace<Element: Equatable & Sendable>(
    _ element: Element, with newElement: Element
  ) async throws where Item == [Element] {
    try await update { $0.replace(element, with: newElement) }
  }

  /// Removes `element`, or inserts it if absent.
  ///
  /// - Throws: the error of the engine or the encoder; then nothing has changed.
  public nonisolated(nonsending) func togglePresence<Element: Sendable>(
    _ element: Element
  ) async throws where Item == Set<Element> {
    try await update { $0.togglePresence(element) }
  }

  /// Sets the value of `key` in the dictionary; nil removes it.
  ///
  /// - Throws: the error of the engine or the encoder; then nothing has changed.
  public nonisolated(nonsending) func update<Key: Sendable, Value: Sendable>(
    key: Key, value: Value?
  ) async throws where Item == [Key: Value] {
    try await update { $0[key] = value }
  }
}

// MARK: Optional values

extension AsyncStoredValue {
  /// Changes a part of the value, if it is not nil.
  ///
  /// - Throws: the error of the engine or the encoder; then nothing has changed.
  public nonisolated(nonsending) func set<Wrapped, Value: Sendable>(
    _ path: any WritableKeyPath<Wrapped, Value> & Sendable, to value: Value
  ) async throws where Item == Wrapped? {
    try await update { $0?[keyPath: path] = value }
  }

  /// Appends `element`; nil counts as empty.
  ///
  /// - Throws: the error of the engine or the encoder; then nothing has changed.
  public nonisolated(nonsending) func append<Element: Sendable>(_ element: Element) async throws
  where Item == [Element]? {
    try await update { $0 = ($0 ?? []) + [element] }
  }

  /// Removes every element equal to `element`, or appends it if there is none.
  ///
  /// A nil array counts as empty.
  ///
  /// - Throws: the error of the engine or the encoder; then nothing has changed.
  public nonisolated(nonsending) func togglePresence<Element: Equatable & Sendable>(
    _ element: Element
  ) async throws
  where Item == [Element]? {
    try await update { $0 = ($0 ?? []).togglingPresence(element) }
  }

  /// Replaces the first element equal to `element`, if there is one.
  ///
  /// - Throws: the error of the engine or the encoder; then nothing has changed.
  public nonisolated(nonsending) func replace<Element: Equatable & Sendable>(
    _ element: Element, with newElement: Element
  ) async throws where Item == [Element]? {
    try await update { $0?.replace(element, with: newElement) }
  }

  /// Removes `element`, or inserts it if absent; nil counts as empty.
  ///
  /// - Throws: the error of the engine or the encoder; then nothing has changed.
  public nonisolated(nonsending) func togglePresence<Element: Sendable>(_ element: Element)
    async throws
  where Item == Set<Element>? {
    try await update { $0 = ($0 ?? []).symmetricDifference([element]) }
  }

  /// Sets the value of `key` in the dictionary; nil removes it.
  ///
  /// A nil dictionary counts as empty.
  ///
  /// - Throws: the error of the engine or the encoder; then nothing has changed.
  public nonisolated(nonsending) func update<Key: Sendable, Value: Sendable>(
    key: Key, value: Value?
  ) async throws where Item == [Key: Value]? {
    try await update { $0 = ($0 ?? [:]).merging(key: key, value: value) }
  }
}
