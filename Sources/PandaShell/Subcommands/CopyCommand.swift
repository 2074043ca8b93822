internal import PandaCore
internal import PandaSession

@MainActor
struct CopyCommand: SessionCommand {
  nonisolated static let subcommand = Subcommand(
    "copy", options: [from, to],
    summary: "copy favorites, trash and history into another library",
    discussion: "Copies favorites with their pictures, captions and tags, the trash, the hidden "
      + "pictures and the history from one library into another; a LIBRARY is a postgresql:// "
      + "address, a directory, or local. What is there already stays as it is, so a copy that "
      + "was interrupted goes on when it is started again."
  ) { arguments throws(UsageError) in
    let source = try CopyEndpoint(arguments, from)
    let target = try CopyEndpoint(arguments, to)
    guard source != nil || target != nil else {
      throw UsageError(problem: "copy needs --to with a library, or --from, or both")
    }
    // It looks at both libraries itself.
    return .session(.favorites) { try await CopyCommand(session: $0).run(from: source, to: target) }
  }

  private nonisolated static let from = CommandLineOption(
    "from", value: CommandLineValue("LIBRARY", .words { ["local"] }),
    help: "copy this library in place of the one in use")
  private nonisolated static let to = CommandLineOption(
    "to", value: CommandLineValue("LIBRARY", .words { ["local"] }),
    help: "copy into this library in place of the one in use")

  let session: Session

  /// - Parameters:
  ///   - source: nil means the library in use, as it does for the target; at most one is nil.
  func run(from source: CopyEndpoint?, to target: CopyEndpoint?) async throws {
    for (place, option) in [(source, "--from"), (target, "--to")] {
      guard case .choice(let choice) = place, let warning = choice.warning(of: option) else {
        continue
      }
      output.fail(CommandFailure(warning, .done))
    }
    let (from, to) = try (source.map(open), target.map(open))
    let report = try await doing("Not copied") {
      try await controller.library.copyAll(from: from, to: to, progress: showProgress)
    }
    for library in [from, to] { await library?.close() }
    for address in report.unreadable {
      output.fail(
        CommandFailure(
          "\(PictureID(address: address)) cannot be read, and was not copied", .failed))
    }
    if report.undecodable > 0 {
      let entries = report.undecodable == 1 ? "1 entry" : "\(report.undecodable) entries"
      output.fail(CommandFailure("\(entries) cannot be read, and were not copied", .failed))
    }
    let known =
      report.known == 0
      ? "" : "; \(report.known) \(report.known == 1 ? "was" : "were") there already"
    let trash = report.trashed == 0 ? "" : ", and \(report.trashed) in the trash"
    output.say(
      "Copied \(pandas(report.copied))\(trash)\(collections(report.collections))\(known)")
  }

  private func open(_ place: CopyEndpoint) throws -> ImageLibrary {
    do {
      return switch place {
      case .choice(let choice):
        try session.opening.library(choice, in: session.options.dataDirectory)
      case .directory(let path): try session.opening.library(.local, in: path)
      }
    } catch {
      throw CommandFailure("Not copied", because: error)
    }
  }
}
