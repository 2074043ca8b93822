internal import SystemSupport

/// Finds objects by key as long as they are retained elsewhere.
final class WeakTable<Key: Hashable & Sendable>: Sendable {
  private struct Reference {
    weak var object: (any AnyObject & Sendable)?
  }

  private let references = Lock<[Key: Reference]>([:])

  /// Returns the object under `key`, if there is one.
  func object<Object: AnyObject & Sendable>(_ key: Key) -> Object? {
    references.withLock { $0[key]?.object as? Object }
  }

  func insert(_ object: some AnyObject & Sendable, _ key: Key) {
    references.withLock { references in
      references = references.filter { $0.value.object != nil }
      references[key] = Reference(object: object)
    }
  }

  /// Returns the object under `key`, or creates it with `make`, once even with concurrent callers.
  func object<Object: AnyObject & Sendable>(_ key: Key, make: () -> Object) -> Object {
    references.withLock { references in
      if let object = references[key]?.object as? Object { return object }
      let object = make()
      references = references.filter { $0.value.object != nil }
      references[key] = Reference(object: object)
      return object
    }
  }
}
