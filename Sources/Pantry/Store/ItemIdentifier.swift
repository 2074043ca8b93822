public import FoundationEssentials

/// What the `id` of an item may be, for a store that is given no key path: a text, a number, a
/// UUID, or a type of your own.
///
/// ```swift
/// struct PhotoID: Hashable, Codable, ItemIdentifier {
///   var number: Int
///   var itemIdentifierText: String { "photo-\(number)" }
/// }
/// ```
public protocol ItemIdentifier: Sendable {
  /// What stands for it on disk: the same at every launch, and another one for every other
  /// identifier.
  var itemIdentifierText: String { get }
}

extension String: ItemIdentifier {
  /// The text itself.
  public var itemIdentifierText: String { self }
}

extension Int: ItemIdentifier {
  /// Its digits.
  public var itemIdentifierText: String { String(self) }
}

extension Int64: ItemIdentifier {
  /// Its digits.
  public var itemIdentifierText: String { String(self) }
}

extension UUID: ItemIdentifier {
  /// Its usual form, in capitals.
  public var itemIdentifierText: String { uuidString }
}
