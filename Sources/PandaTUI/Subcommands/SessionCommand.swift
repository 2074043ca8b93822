internal import PandaCore

/// A command with a file of its own, and what it uses of its session.
@MainActor
protocol SessionCommand {
  var session: CommandSession { get }
}

extension SessionCommand {
  var controller: ImagesController { session.controller }
  var options: Options { session.options }
  var output: CommandOutput { session.output }

  func load() async throws { try await session.load() }

  func reading<Result>(_ read: () async throws -> Result) async throws -> Result {
    try await session.reading(read)
  }

  func pandas(_ count: Int) -> String { session.pandas(count) }
}
