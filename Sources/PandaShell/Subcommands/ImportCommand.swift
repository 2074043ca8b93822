internal import PandaCore
internal import PandaSession

@MainActor
struct ImportCommand: SessionCommand {
  nonisolated static let subcommand = Subcommand(
    "import", in: .both, options: [restore], operands: [CommandLineValue("DIR", .directories)],
    missing: "the name of a directory",
    summary: "read favorites that panda export wrote",
    discussion: "Makes the pictures of an export favorites, with their captions, tags and "
      + "credits: all of them or, if something is wrong, none. What is a favorite already stays "
      + "as it is, and what is in the trash stays there, so that importing twice changes nothing. "
      + "The answer says what was left out."
  ) { arguments throws(UsageError) in
    let place = arguments.words[0]
    if let lines = TarLines.inPlaceOfImport(from: place) { throw UsageError(problem: lines) }
    let restores = arguments.has(restore)
    return .changing { try await ImportCommand(session: $0).run(from: place, restoring: restores) }
  }

  private nonisolated static let restore = CommandLineOption(
    "restore", help: "also pictures that are in the trash here: they become favorites again")

  let session: Session

  func run(from place: String, restoring: Bool) async throws {
    try await load()
    let report = try await doing("Nothing was imported") {
      try await controller.library.importFavorites(
        from: place, restoring: restoring, progress: showProgress)
    }
    let sentence = Self.sentence(
      "Imported \(pandas(report.added))\(collections(report.collections))", report)
    output.say(
      report.added == 0
        ? sentence : session.names.sentence(sentence, action: .undo, "takes it back"))
  }

  /// Returns a sentence with what was left out.
  private static func sentence(_ imported: String, _ report: ImportReport) -> String {
    func part(_ count: Int, _ one: String, _ several: String) -> String? {
      count == 0 ? nil : "\(count) \(count == 1 ? one : several)"
    }
    let parts = [
      part(report.known, "was a favorite already", "were favorites already"),
      part(
        report.trashed, "was in your trash: --restore brings it back",
        "were in your trash: --restore brings them back"),
      part(
        report.otherCaptions, "has another caption here: yours stays",
        "have other captions here: yours stay"),
      part(report.otherTags, "has other tags here: yours stay", "have other tags here: yours stay"),
    ]
    return ([imported] + parts.compactMap(\.self)).joined(separator: "; ")
  }
}
