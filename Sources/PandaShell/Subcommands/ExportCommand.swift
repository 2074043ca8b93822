internal import FoundationEssentials
internal import PandaCore
internal import PandaSession

@MainActor
struct ExportCommand: SessionCommand {
  nonisolated static let subcommand = Subcommand(
    "export", in: .both, options: [.replacing, withoutMetadata, site, allLicenses],
    operands: [
      CommandLineValue("DIR|FILE.html", .files),
      CommandLineValue("FILTER", isOptional: true, repeats: true),
    ],
    missing: "the name of a directory or of an .html file",
    summary: "write favorites into a directory, a gallery or a site",
    discussion: "Writes favorites with captions, tags and credits into a directory, "
      + "for panda import, or into one .html file: a gallery of up to 20 that any browser opens. "
      + "With --site, writes pages, thumbnails and pictures to publish into DIR, without those of "
      + "services that are not openly licensed. "
      + "Exporting into the same directory again only writes what has changed. With a filter, "
      + "as panda list takes it, writes only those that match: into a new directory, or a new "
      + "file unless --replace is given, so that no earlier export loses the others. The "
      + "filter is then the heading of the gallery. The files are the favorites' own, byte for "
      + "byte, unless --without-metadata is given; then, as in a gallery, they say nothing of "
      + "place, time, camera and owner, and panda import still knows them."
  ) { arguments throws(UsageError) in
    let path = arguments.words[0]
    let target: ExportTarget
    do throws(ExchangeError) {
      target =
        arguments.has(site)
        ? .site(path, allLicenses: arguments.has(allLicenses)) : try ExportTarget(path: path)
    } catch {
      throw UsageError(problem: TarLines.inPlaceOfExport(to: path) ?? userMessage(for: error))
    }
    if let option = arguments.has(site)
      ? [.replacing, withoutMetadata].first(where: { arguments.has($0) })
      : arguments.has(allLicenses) ? allLicenses : nil
    {
      throw UsageError(
        problem:
          "--\(option.name) is for an export \(arguments.has(site) ? "without" : "with") --site")
    }
    return .reading { session in
      try await ExportCommand(session: session).run(
        to: target, matching: arguments.text(from: 1), replaces: arguments.has(.replacing),
        withoutMetadata: arguments.has(withoutMetadata))
    }
  }

  private nonisolated static let withoutMetadata = CommandLineOption(
    "without-metadata", help: "leave out what cameras write, such as place and owner")
  private nonisolated static let site = CommandLineOption(
    "site", help: "write a site to publish into DIR; again, only what has changed")
  private nonisolated static let allLicenses = CommandLineOption(
    "all-licenses", help: "with --site, also those that are not openly licensed")

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
          "\(PictureID(address: address)) cannot be read; an earlier export may have it", .failed))
    }
    for address in report.leftOut {
      let image = controller.library.favorites.items.first { $0.id == address }
      let license = image?.license.map { "\($0) is not an open license" } ?? "it has no license"
      output.say(
        "\(PictureID(address: address)) \((image?.name ?? "").forMessage) is left out: \(license); "
          + "--all-licenses takes it")
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
    if case .site = target { return false }
    var isDirectory = false
    guard FileManager.default.fileExists(atPath: target.path, isDirectory: &isDirectory) else {
      return false
    }
    return isDirectory || !replaces
  }
}
