internal import Synchronization

/// Finds objects by key for as long as somebody else holds on to them.
final class WeakTable<Key: Hashable & Sendable>: Sendable {
  private struct Reference {
    weak var object: (any AnyObject & Sendable)?
  }

  private let references = Mutex<[Key: Reference]>([:])

  /// The object under `key`, if there is one.
  func object<Object: AnyObject & Sendable>(_ key: Key) -> Object? {
    references.withLock { $0[key]?.object as? Object }
  }

  /// Puts `object` under `key`.
  func insert(_ object: some AnyObject & Sendable, _ key: Key) {
    references.withLock { references in
      references = references.filter { $0.value.object != nil }
      references[key] = Reference(object: object)
    }
  }

  /// The object under `key`, or the one that `make` makes; nobody else makes one meanwhile.
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
