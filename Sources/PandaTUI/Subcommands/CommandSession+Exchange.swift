internal import FoundationEssentials
internal import PandaCore
internal import TerminalKit

/// `panda export`, `import` and `backup`.
extension CommandSession {
  func export(to place: String, replaces: Bool) async throws {
    throw CommandFailure("export", .failed)
  }

  func importFavorites(from place: String) async throws {
    throw CommandFailure("import", .failed)
  }

  func backUp(to place: String, replaces: Bool) async throws {
    throw CommandFailure("backup", .failed)
  }
}
