package import FoundationEssentials
package import Pantry

extension ImageLibrary {
  /// Replaces a damaged file by one with all that can be read of it.
  ///
  /// Only this library needs to know: its stores follow the new file.
  ///
  /// - Returns: what was recovered; nil if the file is not damaged.
  /// - Throws: the engine's error; then the file is as it was.
  package func recover() async throws -> RecoveryReport? {
    try await favorites.libraryEngine?.file?.recover(at: now())
  }

  /// Copies the rows of all stores beside the file, once a day if something has changed.
  ///
  /// - Returns: the new copy; nil if none was made.
  /// - Throws: the engine's error; then there is one copy less.
  @discardableResult
  package func backUp() async throws -> URL? {
    try await favorites.libraryEngine?.file?.backUpRows(at: now())
  }
}

extension RecoveryReport {
  package var favorites: Count { counts["RemoteImage"] ?? Count() }
}
