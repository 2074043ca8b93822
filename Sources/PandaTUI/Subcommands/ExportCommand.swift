internal import FoundationEssentials
internal import PandaCore
internal import TerminalKit

@MainActor
struct ExportCommand: SessionCommand {
  nonisolated static let subcommand = Subcommand(
    "export", in: .both, options: [.replacing, withoutMetadata],
    operands: [
      CommandLineValue("DIR|FILE.html", .files),
      CommandLineValue("FILTER", isOptional: true, repeats: true),
    ],
    missing: "the name of a directory or of an .html file",
    summary: "write favorites into a directory or a gallery",
    discussion: "Writes favorites with captions, tags and credits into a directory, "
      + "for panda import, or into one .html file: a gallery that any browser opens. "
      + "Exporting into the same directory again only writes what has changed. With a filter, "
      + "as panda list takes it, writes only those that match: into a new directory, or a new "
      + "file unless --replace is given, so that no earlier export loses the others. The "
      + "filter is then the heading of the gallery. The files are the favorites' own, byte for "
      + "byte, unless --without-metadata is given; then, as in a gallery, they say nothing of "
      + "place, time, camera and owner, and panda import still knows them."
  ) { arguments throws(UsageError) in
    let target: ExportTarget
    do throws(ExchangeError) {
      target = try ExportTarget(path: arguments.words[0])
    } catch {
      throw UsageError(
        problem: TarLines.inPlaceOfExport(to: arguments.words[0]) ?? userMessage(for: error))
    }
    return .reading { session in
      try await ExportCommand(session: session).run(
        to: target, matching: arguments.text(from: 1), replaces: arguments.has(.replacing),
        withoutMetadata: arguments.has(withoutMetadata))
    }
  }

  private nonisolated static let withoutMetadata = CommandLineOption(
    "without-metadata", help: "leave out what cameras write, such as place and owner")

  let session: Session

  /// - Parameter filter: what the favorites have to match; an empty one matches all.
  func run(
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
}
