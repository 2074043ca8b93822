/// An array, a set or a dictionary, or an optional one, in which nil counts as empty.
///
/// What ``StoredValue`` and ``AsyncStoredValue`` change element by element.
public protocol _CollectionOrNil<Content> {
  /// The type of the collection.
  associatedtype Content = Self
  /// Creates an empty collection, or nil.
  init()
  /// The collection; empty in place of nil.
  var _orEmpty: Content { get set }
}

extension _CollectionOrNil where Content == Self {
  /// The collection itself.
  public var _orEmpty: Self {
    get { self }
    set { self = newValue }
  }
}

extension Array: _CollectionOrNil {}
extension Set: _CollectionOrNil {}
extension Dictionary: _CollectionOrNil {}

extension Optional: _CollectionOrNil where Wrapped: _CollectionOrNil<Wrapped> {
  /// Creates nil.
  public init() { self = nil }

  /// The collection; empty in place of nil.
  public var _orEmpty: Wrapped {
    get { self ?? Wrapped() }
    set { self = newValue }
  }
}

extension _CollectionOrNil {
  fileprivate mutating func togglePresence<Element: Equatable>(_ element: Element)
  where Content == [Element] {
    if _orEmpty.contains(element) {
      _orEmpty.removeAll { $0 == element }
    } else {
      _orEmpty.append(element)
    }
  }

  fileprivate mutating func replace<Element: Equatable>(
    _ element: Element, with newElement: Element
  ) where Content == [Element] {
    if let index = _orEmpty.firstIndex(of: element) { _orEmpty[index] = newElement }
  }
}

extension StoredValue {
  /// Changes a part of the value.
  public func set<Value: Sendable>(
    _ path: any WritableKeyPath<Item, Value> & Sendable, to value: Value
  ) {
    update { $0[keyPath: path] = value }
  }

  /// Changes a part of the value, if it is not nil.
  public func set<Wrapped, Value: Sendable>(
    _ path: any WritableKeyPath<Wrapped, Value> & Sendable, to value: Value
  ) where Item == Wrapped? {
    update { $0?[keyPath: path] = value }
  }

  /// Toggles the value.
  public func toggle() where Item == Bool {
    update { $0.toggle() }
  }
}

extension StoredValue where Item: _CollectionOrNil {
  /// Appends `element`.
  public func append<Element: Sendable>(_ element: Element)
  where Item.Content == [Element] {
    update { $0._orEmpty.append(element) }
  }

  /// Removes every element equal to `element`, or appends it if there is none.
  public func togglePresence<Element: Equatable & Sendable>(
    _ element: Element
  ) where Item.Content == [Element] {
    update { $0.togglePresence(element) }
  }

  /// Replaces the first element equal to `element`, if there is one.
  public func replace<Element: Equatable & Sendable>(
    _ element: Element, with newElement: Element
  ) where Item.Content == [Element] {
    update { $0.replace(element, with: newElement) }
  }

  /// Removes `element`, or inserts it if absent.
  public func togglePresence<Element: Sendable>(
    _ element: Element
  ) where Item.Content == Set<Element> {
    update { $0._orEmpty.formSymmetricDifference([element]) }
  }

  /// Sets the value of `key` in the dictionary; nil removes it.
  public func update<Key: Sendable, Value: Sendable>(
    key: Key, value: Value?
  ) where Item.Content == [Key: Value] {
    update { $0._orEmpty[key] = value }
  }
}

extension AsyncStoredValue {
  /// Changes a part of the value.
  ///
  /// - Throws: as ``update(_:)`` does.
  public nonisolated(nonsending) func set<Value: Sendable>(
    _ path: any WritableKeyPath<Item, Value> & Sendable, to value: Value
  ) async throws {
    try await update { $0[keyPath: path] = value }
  }

  /// Changes a part of the value, if it is not nil.
  ///
  /// - Throws: as ``update(_:)`` does.
  public nonisolated(nonsending) func set<Wrapped, Value: Sendable>(
    _ path: any WritableKeyPath<Wrapped, Value> & Sendable, to value: Value
  ) async throws where Item == Wrapped? {
    try await update { $0?[keyPath: path] = value }
  }

  /// Toggles the value.
  ///
  /// - Throws: as ``update(_:)`` does.
  public nonisolated(nonsending) func toggle() async throws where Item == Bool {
    try await update { $0.toggle() }
  }
}

extension AsyncStoredValue where Item: _CollectionOrNil {
  /// Appends `element`.
  ///
  /// - Throws: as ``update(_:)`` does.
  public nonisolated(nonsending) func append<Element: Sendable>(_ element: Element) async throws
  where Item.Content == [Element] {
    try await update { $0._orEmpty.append(element) }
  }

  /// Removes every element equal to `element`, or appends it if there is none.
  ///
  /// - Throws: as ``update(_:)`` does.
  public nonisolated(nonsending) func togglePresence<Element: Equatable & Sendable>(
    _ element: Element
  ) async throws where Item.Content == [Element] {
    try await update { $0.togglePresence(element) }
  }

  /// Replaces the first element equal to `element`, if there is one.
  ///
  /// - Throws: as ``update(_:)`` does.
  public nonisolated(nonsending) func replace<Element: Equatable & Sendable>(
    _ element: Element, with newElement: Element
  ) async throws where Item.Content == [Element] {
    try await update { $0.replace(element, with: newElement) }
  }

  /// Removes `element`, or inserts it if absent.
  ///
  /// - Throws: as ``update(_:)`` does.
  public nonisolated(nonsending) func togglePresence<Element: Sendable>(
    _ element: Element
  ) async throws where Item.Content == Set<Element> {
    try await update { $0._orEmpty.formSymmetricDifference([element]) }
  }

  /// Sets the value of `key` in the dictionary; nil removes it.
  ///
  /// - Throws: as ``update(_:)`` does.
  public nonisolated(nonsending) func update<Key: Sendable, Value: Sendable>(
    key: Key, value: Value?
  ) async throws where Item.Content == [Key: Value] {
    try await update { $0._orEmpty[key] = value }
  }
}
