internal import PandaCore
internal import Pantry
internal import TerminalKit

/// An error that may have a number of the system behind its sentence.
protocol NumberedError: Error {
  /// The system's error number (`errno`); nil if it has none.
  var systemCode: Int32? { get }
}

extension TerminalError: NumberedError {
  var systemCode: Int32? { code }
}

extension DiskError: NumberedError {
  var systemCode: Int32? { code }
}

extension FolderError: NumberedError {
  var systemCode: Int32? { code }
}
