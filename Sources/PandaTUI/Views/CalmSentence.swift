internal import PandaCore
internal import Pantry

/// Says in one calm sentence, without a full stop, what failed.
func calmSentence(for error: any Error) -> String {
  let sentence =
    switch error {
    case let error as HTTPError: error.message
    case let error as ImageSourceError: error.message
    case let error as PictureError: "\(error)"
    case let error as SQLiteError: calmSentence(for: error)
    case let error as StorageError: "\(error)"
    default: "\(error)"
    }
  return sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
}

private func calmSentence(for error: SQLiteError) -> String {
  switch error.code {
  case .full: "The disk is full"
  case .busy: "Another program keeps the favorites locked"
  case .readOnly: "The favorites cannot be written: \(error.path) is read-only"
  case .corrupt, .notADatabase: "The favorites file \(error.path) is damaged"
  default: error.description
  }
}

extension Connection.Failure {
  /// Describes why fetching failed.
  init(_ error: any Error) {
    let network = error as? HTTPError
    self.init(
      sentence: calmSentence(for: error), isOffline: network?.isOffline ?? false,
      retryAfter: network?.retryAfter)
  }
}
