internal import PandaCore
internal import PandaSession

@MainActor
struct ImportCommand: SessionCommand {
  nonisolated static let subcommand = Subcommand(
    "import", in: .both, operands: [CommandLineValue("DIR", .directories)],
    missing: "the name of a directory",
    summary: "read favorites that panda export wrote",
    discussion: "Makes the pictures of an export favorites, with their captions, tags and "
      + "credits: all of them or, if something is wrong, none. What is a favorite already stays "
      + "as it is, so that importing twice changes nothing."
  ) { arguments throws(UsageError) in
    let place = arguments.words[0]
    if let lines = TarLines.inPlaceOfImport(from: place) { throw UsageError(problem: lines) }
    return .changing { try await ImportCommand(session: $0).run(from: place) }
  }

  let session: Session

  func run(from place: String) async throws {
    try await load()
    let report = try await doing("Nothing was imported") {
      try await controller.library.importFavorites(from: place, progress: showProgress)
    }
    let known =
      report.known == 0
      ? "" : "; \(report.known) \(report.known == 1 ? "was a favorite" : "were favorites") already"
    let sentence = "Imported \(pandas(report.added))\(collections(report.collections))\(known)"
    output.say(
      report.added == 0
        ? sentence : session.names.sentence(sentence, action: .undo, "takes it back"))
  }
}
