internal import PandaCore
internal import PandaSession

/// A command with a type of its own, and what it uses of its session.
@MainActor
protocol SessionCommand {
  var session: Session { get }
}

extension SessionCommand {
  var controller: ImagesController { session.controller }
  var output: Output { session.output }

  func load() async throws { try await session.load() }

  func reading<Result>(_ read: () async throws -> Result) async throws -> Result {
    try await session.reading(read)
  }

  func pandas(_ count: Int) -> String { session.pandas(count) }

  /// Returns how many collections were written or read, as the end of a list.
  func collections(_ count: Int) -> String {
    count == 0 ? "" : ", and \(count == 1 ? "1 collection" : "\(count) collections")"
  }

  /// Performs a long operation, and words its failure.
  func doing<Report>(
    _ failure: String, _ operation: () async throws -> Report
  ) async throws -> Report {
    defer { output.showProgress(nil) }
    do {
      return try await operation()
    } catch {
      output.showProgress(nil)
      throw CommandFailure(failure, because: error)
    }
  }

  /// Shows how far the operation is; called off the main actor.
  var showProgress: @Sendable (ExchangeProgress) -> Void {
    { [output] progress in
      Task { @MainActor in output.showProgress("\(progress.done) of \(progress.total)") }
    }
  }
}
