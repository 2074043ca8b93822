/// A row that is in the storage but could not be made an item.
///
/// The row stays on disk as it is. Adding an item with its key replaces it; removing the key, or
/// everything, removes it.
public struct LoadIssue: Error, Equatable, Sendable, CustomStringConvertible {
  /// The row's key.
  public let key: CacheKey
  /// Why no item came of it, in a sentence.
  public let reason: String

  /// The key and the reason.
  public var description: String { "\(key.rawValue): \(reason)" }

  /// Says in one sentence what a decoder found wrong, and where.
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

extension String {
  fileprivate var dropPeriod: String { hasSuffix(".") ? String(dropLast()) : self }
}
