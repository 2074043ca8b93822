internal import PandaCore
internal import PandaSession

@MainActor
struct BackupCommand: SessionCommand {
  nonisolated static let subcommand = Subcommand(
    "backup", in: .both, options: [.replacing],
    operands: [CommandLineValue("FILE", .files)],
    missing: "the name of a file",
    summary: "copy everything into one file: favorites, trash and history",
    discussion: "Copies favorites, trash and history into one file, also while the program runs. "
      + "To use it, put it in the place of favorites.sqlite while no panda runs."
  ) { arguments throws(UsageError) in
    let place = arguments.words[0]
    guard place != "-" else {
      throw UsageError(problem: "backup writes a file, not standard output")
    }
    return .reading { session in
      try await BackupCommand(session: session)
        .run(to: place, replaces: arguments.has(.replacing))
    }
  }

  let session: Session

  func run(to place: String, replaces: Bool) async throws {
    try await load()
    let report = try await doing("No backup was made") {
      try await controller.library.backup(to: place, replacing: replaces, progress: showProgress)
    }
    if report.unreadable > 0 {
      output.fail(
        CommandFailure(
          "\(pandas(report.unreadable)) cannot be read, here as well as in the backup", .failed))
    }
    let others = report.unreadableElsewhere
    if others > 0 {
      output.fail(
        CommandFailure(
          "\(others) \(others == 1 ? "picture" : "pictures") of the trash or the history cannot be "
            + "read, here as well as in the backup", .failed))
    }
    let what = report.unreadable + others == 0 ? "everything" : "everything else"
    output.say(
      "\(place.forMessage) has \(what): \(pandas(report.count)), trash, collections and history")
  }
}
