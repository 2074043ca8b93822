extension StoredValue {
  /// Changes a part of the value.
  public func set<Value>(_ path: WritableKeyPath<Item, Value>, to value: Value) {
    update { $0[keyPath: path] = value }
  }
}

extension StoredValue where Item == Bool {
  /// Toggles the value.
  public func toggle() {
    update { $0.toggle() }
  }
}

extension StoredValue {
  /// Appends `element`.
  public func append<Element>(_ element: Element) where Item == [Element] {
    update { $0.append(element) }
  }

  /// Removes every element equal to `element`, or appends it if there is none.
  public func togglePresence<Element: Equatable>(_ element: Element) where Item == [Element] {
    update { $0.togglePresence(element) }
  }

  /// Replaces the first element equal to `element`, if there is one.
  public func replace<Element: Equatable>(_ element: Element, with newElement: Element)
  where Item == [Element] {
    update { $0.replace(element, with: newElement) }
  }

  /// Removes `element`, or inserts it if absent.
  public func togglePresence<Element>(_ element: Element) where Item == Set<Element> {
    update { $0.togglePresence(element) }
  }

  /// Sets the value of `key` in the dictionary; nil removes it.
  public func update<Key, Value>(key: Key, value: Value?) where Item == [Key: Value] {
    update { $0[key] = value }
  }
}

// MARK: Optional values

extension StoredValue {
  /// Changes a part of the value, if it is not nil.
  public func set<Wrapped, Value>(
    _ path: WritableKeyPath<Wrapped, Value>, to value: Value
  ) where Item == Wrapped? {
    update { $0?[keyPath: path] = value }
  }

  /// Appends `element`; nil counts as empty.
  public func append<Element>(_ element: Element)
  where Item == [Element]? {
    update { $0 = ($0 ?? []) + [element] }
  }

  /// Removes every element equal to `element`, or appends it if there is none.
  ///
  /// A nil array counts as empty.
  public func togglePresence<Element: Equatable>(_ element: Element)
  where Item == [Element]? {
    update { $0 = ($0 ?? []).togglingPresence(element) }
  }

  /// Replaces the first element equal to `element`, if there is one.
  public func replace<Element: Equatable>(
    _ element: Element, with newElement: Element
  ) where Item == [Element]? {
    update { $0?.replace(element, with: newElement) }
  }

  /// Removes `element`, or inserts it if absent; nil counts as empty.
  public func togglePresence<Element>(_ element: Element)
  where Item == Set<Element>? {
    update { $0 = ($0 ?? []).symmetricDifference([element]) }
  }

  /// Sets the value of `key` in the dictionary; nil removes it.
  ///
  /// A nil dictionary counts as empty.
  public func update<Key, Value>(
    key: Key, value: Value?
  ) where Item == [Key: Value]? {
    update { $0 = ($0 ?? [:]).merging(key: key, value: value) }
  }
}

extension Array where Element: Equatable {
  mutating func togglePresence(_ element: Element) {
    if contains(element) { removeAll { $0 == element } } else { append(element) }
  }

  mutating func replace(_ element: Element, with newElement: Element) {
    if let index = firstIndex(of: element) { self[index] = newElement }
  }
}

extension Array where Element: Equatable {
  func togglingPresence(_ element: Element) -> [Element] {
    var array = self
    array.togglePresence(element)
    return array
  }
}

extension Dictionary {
  func merging(key: Key, value: Value?) -> [Key: Value] {
    var dictionary = self
    dictionary[key] = value
    return dictionary
  }
}

extension Set {
  mutating func togglePresence(_ element: Element) {
    if remove(element) == nil { insert(element) }
  }
}
