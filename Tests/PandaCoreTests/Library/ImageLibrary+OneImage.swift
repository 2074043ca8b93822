import PandaCore

extension ImageLibrary {
  /// Makes one picture a favorite; returns whether it was not yet one.
  @discardableResult
  func save(_ image: RemoteImage) async throws -> Bool { try await !save([image]).isEmpty }
}
