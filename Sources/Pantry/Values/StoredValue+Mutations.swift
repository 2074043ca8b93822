extension StoredValue {
  /// Changes a part of the value.
  public func set<Value>(_ path: WritableKeyPath<Item, Value>, to value: Value) {
    update { $0[keyPath: path] = value }
  }
}

extension StoredValue where Item == Bool {
  /// Turns true into false and false into true.
  public func toggle() {
    update { $0.toggle() }
  }
}

extension StoredValue {
  /// Adds `element` at the end.
  public func append<Element>(_ element: Element) where Item == [Element] {
    update { $0.append(element) }
  }

  /// Removes every element equal to `element`, or adds it at the end if there is none.
  public func togglePresence<Element: Equatable>(_ element: Element) where Item == [Element] {
    update { $0.togglePresence(element) }
  }

  /// Puts `newElement` in the place of the first that equals `element`; nothing happens without one.
  public func replace<Element: Equatable>(_ element: Element, with newElement: Element)
  where Item == [Element] {
    update { $0.replace(element, with: newElement) }
  }

  /// Removes `element`, or inserts it if it is absent.
  public func togglePresence<Element>(_ element: Element) where Item == Set<Element> {
    update { $0.togglePresence(element) }
  }

  /// Sets what is under `key` in the dictionary; nil removes it.
  public func update<Key, Value>(key: Key, value: Value?) where Item == [Key: Value] {
    update { $0[key] = value }
  }
}

// MARK: Optional values

extension StoredValue {
  /// Changes a part of the value, if there is one.
  public func set<Wrapped, Value>(
    _ path: WritableKeyPath<Wrapped, Value>, to value: Value
  ) where Item == Wrapped? {
    update { $0?[keyPath: path] = value }
  }

  /// Adds `element` at the end; nil counts as empty.
  public func append<Element>(_ element: Element)
  where Item == [Element]? {
    update { $0 = ($0 ?? []) + [element] }
  }

  /// Removes every element equal to `element`, or adds it at the end if there is none; nil counts as
  /// empty.
  public func togglePresence<Element: Equatable>(_ element: Element)
  where Item == [Element]? {
    update { $0 = ($0 ?? []).togglingPresence(element) }
  }

  /// Puts `newElement` in the place of the first that equals `element`; nothing happens without one.
  public func replace<Element: Equatable>(
    _ element: Element, with newElement: Element
  ) where Item == [Element]? {
    update { $0?.replace(element, with: newElement) }
  }

  /// Removes `element`, or inserts it if it is absent; nil counts as empty.
  public func togglePresence<Element>(_ element: Element)
  where Item == Set<Element>? {
    update { $0 = ($0 ?? []).symmetricDifference([element]) }
  }

  /// Sets what is under `key` in the dictionary, nil removing it; a dictionary that is nil counts as
  /// empty.
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
