public import FoundationEssentials

/// A type that can be the `id` of an item in a store without a key path, and names items in verbs.
///
/// Strings, integers and UUIDs conform, and so can a type of your own.
///
/// ```swift
/// struct PhotoID: Hashable, Codable, ItemIdentifier {
///   var number: Int
///   var itemIdentifierText: String { "photo-\(number)" }
/// }
/// ```
///
/// The text is asked for off the main actor too, and for each item of an operation.
public protocol ItemIdentifier: Sendable {
  /// The text of the identifier on disk: stable across launches, and unique for each identifier.
  var itemIdentifierText: String { get }
}

extension CacheKey {
  /// The key of the row of an item.
  init(of identifier: some ItemIdentifier) { self.init(verbatim: identifier.itemIdentifierText) }
}

extension String: ItemIdentifier {
  /// The string itself.
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
  /// Its standard form, in uppercase.
  public var itemIdentifierText: String { uuidString }
}
