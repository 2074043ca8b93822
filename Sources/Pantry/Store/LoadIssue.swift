public import FoundationEssentials

/// A row in the storage that could not be decoded as an item.
///
/// The row stays on disk unchanged. Adding an item with its key replaces it, in its place; removing
/// the key removes it, and ``Store/removeRows(of:)`` does. Removing everything leaves it, since it
/// may be another type's. A row written by a newer version of the program is neither replaced nor
/// removed, except by ``Store/removeRows(of:)``.
public struct LoadIssue: Error, Equatable, Sendable, CustomStringConvertible {
  /// The row's key; the name of the file if that is all that can be read (``DiskStorageEngine``).
  public let key: CacheKey
  /// The reason why the row could not be decoded, as a sentence.
  public let reason: String
  /// The bytes of the row, for recovery: JSON, unless the row is damaged.
  public let data: Data
  /// The version of its model if newer than the program's: such a row is never overwritten.
  let newerVersion: Int?
  /// The identifier of its item, if that is not the key, and no upgrade was to change it.
  let otherIdentifier: CacheKey?
  /// The version of the model before the upgrades that gave it this identifier; nil if none did.
  let versionBeforeUpgrade: Int?

  init(
    key: CacheKey, reason: String, data: Data, newerVersion: Int? = nil,
    otherIdentifier: CacheKey? = nil, versionBeforeUpgrade: Int? = nil
  ) {
    self.key = key
    self.reason = reason
    self.data = data
    self.newerVersion = newerVersion
    self.otherIdentifier = otherIdentifier
    self.versionBeforeUpgrade = versionBeforeUpgrade
  }

  /// The key and the reason.
  public var description: String { "\(key.rawValue): \(reason)" }

  /// The error of a change that depends on the row.
  func refusal(of type: TypeName, supported: Int) -> StorageError {
    newerVersion.map { .newerModel(type: type.shown, version: $0, supported: supported) }
      ?? .unreadable(type: type.shown, key: key.rawValue, reason: reason)
  }

  /// Describes in one sentence what a decoder found wrong, and where.
  static func describe(_ error: any Error) -> String {
    func sentence(_ context: DecodingError.Context, _ what: String) -> String {
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      return path.isEmpty ? "\(what)." : "\(what) at \(path)."
    }
    return switch error as? DecodingError {
    case .keyNotFound(let key, let context): sentence(context, "\(key.stringValue) is missing")
    case .valueNotFound(_, let context): sentence(context, "A value is missing")
    case .typeMismatch(let type, let context): sentence(context, "It is not a \(type)")
    case .dataCorrupted(let context): sentence(context, context.debugDescription.dropPeriod)
    default: "\(error)"
    }
  }
}

extension LoadIssue: RemediableError {
  package var remedy: Remedy? { newerVersion == nil ? nil : .update }
}

extension String {
  fileprivate var dropPeriod: String { hasSuffix(".") ? String(dropLast()) : self }
}
