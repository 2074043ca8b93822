public import FoundationEssentials

/// The name under which an engine keeps one item.
///
/// A key made with ``init(_:)`` or ``init(url:)`` is 64 hexadecimal digits, so it is safe as a file
/// name for any input: a URL of 4,096 characters, `..`, a slash, NUL, names that differ only in
/// case. ``init(verbatim:)`` keeps the text; an engine that makes file names of keys must still be
/// safe.
///
/// Two keys are equal if their UTF-8 bytes are, as on every disk. Strings that are equal to Swift,
/// such as "é" in one scalar and in two, are different keys.
///
/// A value for any thread. ``init(_:)`` and ``init(url:)`` hash the text; comparing and hashing
/// take O(length).
public struct CacheKey: Hashable, Sendable, Codable {
  /// The text that an engine stores.
  public let rawValue: String

  /// Creates a key from the SHA-256 digest of `value`.
  public init(_ value: String) {
    rawValue = ContentDigest(of: Data(value.utf8)).hexadecimal
  }

  /// Creates a key from the SHA-256 digest of the URL's whole text.
  public init(url: URL) {
    self.init(url.absoluteString)
  }

  /// Creates a key that is `value` itself.
  public init(verbatim value: String) {
    rawValue = value
  }

  /// Returns whether the bytes are the same.
  public static func == (one: CacheKey, other: CacheKey) -> Bool {
    Name(one.rawValue) == Name(other.rawValue)
  }

  /// Feeds the bytes to `hasher`.
  public func hash(into hasher: inout Hasher) {
    Name(rawValue).hash(into: &hasher)
  }
}
