internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import PictureCodecs
internal import SystemSupport
internal import TerminalKit

/// Returns one user message that says what failed, without a period.
///
/// Every error that reaches the user is worded here: Panda's own errors have a message, those of
/// Foundation and the system get one here.
package func userMessage(for error: any Error) -> String {
  let sentence =
    switch error {
    case let error as HTTPError: error.message
    case let error as ImageSourceError: error.message
    case let error as SQLiteError: userMessage(for: error)
    case StorageError.damagedFile(let path, _): damagedMessage(path)
    case StorageError.olderSchema(let path):
      "\(path) was written by Panda 0.1.0; open it once with 0.2.0"
    case StorageError.outcomeUnknown:
      "It may or may not have been saved: check before you repeat it"
    case let error as TerminalError:
      "Could not \(error.operation.rawValue): \(SystemError(code: error.code))"
    case is CancellationError: "It was canceled"
    case is DecodingError: "The stored data cannot be read"
    case is EncodingError: "It cannot be encoded"
    default: SystemError(error).map(capitalized) ?? ownWords(of: error)
    }
  return sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
}

extension String {
  /// The sentence with its end: a period, unless it has a mark of its own.
  var withPeriod: String { last.map(".?!".contains) == true ? self : "\(self)." }
}

/// Returns the technical cause of an error: numbers, hosts and codes.
package func technicalCause(of error: any Error) -> String {
  switch error {
  case let error as PictureError: return error.cause
  // Panda recovers it by itself, so Pantry's advice to repair it is left out.
  case StorageError.damagedFile(let path, let reason): return "\(path) is damaged: \(reason)."
  case let error as FileError: return "\(error) (errno \(error.code))"
  case let error as TerminalError: return "\(error) (errno \(error.code))"
  default:
    guard let system = SystemError(error) else { return "\(error)" }
    return "\(system) (errno \(system.code))"
  }
}

private func capitalized(_ error: SystemError) -> String {
  let words = error.description
  return words.prefix(1).uppercased() + words.dropFirst()
}

/// Returns an error's own message; errors without one for users are not shown to them.
private func ownWords(of error: any Error) -> String {
  // Foundation's errors have a description for developers.
  let isForeign = error is CocoaError || error is POSIXError
  let words = isForeign ? nil : (error as? any CustomStringConvertible)?.description
  return words ?? "Something unexpected went wrong"
}

/// The words for favorites that another program has locked.
let lockedMessage = "The favorites are locked by another program"

/// The words for a damaged file: damage leaves a mark, which the next launch obeys.
private func damagedMessage(_ path: String) -> String {
  "The favorites file \(path) is damaged; panda recovers it when it starts"
}

private func userMessage(for error: SQLiteError) -> String {
  switch error.kind {
  case .full: "The disk is full"
  case .busy: lockedMessage
  case .readOnly: "The favorites cannot be written: \(error.path) is read-only"
  case .corrupt, .notADatabase: damagedMessage(error.path)
  case .cannotOpen: "The favorites file \(error.path) cannot be opened"
  case .inputOutput: "The disk reported an error at \(error.path)"
  default: "The favorites file \(error.path) cannot be used: \(error.message)"
  }
}
