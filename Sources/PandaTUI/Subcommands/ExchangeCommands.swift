internal import FoundationEssentials
internal import PandaCore
internal import TerminalKit

@MainActor
struct ExchangeCommands: SessionCommand {
  let session: CommandSession

  /// - Parameter filter: what the favorites have to match; an empty one matches all.
  func export(
    to target: ExportTarget, matching filter: String, replaces: Bool, withoutMetadata: Bool
  ) async throws {
    try await load()
    let heading = filter.allSatisfy(\.isWhitespace) ? nil : filter
    var images: [RemoteImage]?
    if let heading {
      guard !wouldLoseOthers(target, replaces: replaces) else {
        throw CommandFailure(
          "Not exported", because: PictureFileError(reason: .exists, path: target.path))
      }
      images = try await session.favorites(matching: heading)
    }
    let report = try await doing("Not exported") {
      try await controller.library.export(
        images, to: target, heading: heading, replacing: replaces,
        withoutMetadata: withoutMetadata, linkingTo: session.configuration.namedSources,
        progress: showProgress)
    }
    for address in report.unreadable {
      output.fail(
        CommandFailure(
          "\(PictureID(address: address)) cannot be read, and is not in the export", .failed))
    }
    for address in report.encodedAgain {
      output.say(
        "\(PictureID(address: address)) was encoded again: its file cannot be stripped of metadata")
    }
    let news = report.written == report.count ? "" : ", \(report.written) of them new"
    output.say("Exported \(pandas(report.count))\(news) to \(target.path.forMessage)")
    if report.withMetadata > 0 {
      output.say(
        "The files contain camera metadata, such as location and owner;"
          + " --without-metadata leaves that out")
    }
  }

  /// Whether there is something at the target, whose other favorites an export of some would lose.
  private func wouldLoseOthers(_ target: ExportTarget, replaces: Bool) -> Bool {
    var isDirectory = false
    guard FileManager.default.fileExists(atPath: target.path, isDirectory: &isDirectory) else {
      return false
    }
    return isDirectory || !replaces
  }

  func importFavorites(from place: String) async throws {
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

  func backUp(to place: String, replaces: Bool) async throws {
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

  func copy(from source: CopyEndpoint?, to target: CopyEndpoint?) async throws {
    for (place, option) in [(source, "--from"), (target, "--to")] {
      guard case .choice(let choice) = place, let warning = choice.warning(of: option) else {
        continue
      }
      StandardError.print("panda: \(warning).")
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

  private func collections(_ count: Int) -> String {
    count == 0 ? "" : ", and \(count == 1 ? "1 collection" : "\(count) collections")"
  }

  private func open(_ place: CopyEndpoint) throws -> ImageLibrary {
    do {
      return try session.opening.library(place)
    } catch {
      throw CommandFailure("Not copied", because: error)
    }
  }

  /// Performs a long operation, and words its failure.
  private func doing<Report>(
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
  private var showProgress: @Sendable (ExchangeProgress) -> Void {
    { [output] progress in
      Task { @MainActor in output.showProgress("\(progress.done) of \(progress.total)") }
    }
  }
}
