internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import TerminalKit

/// Implements `panda sources`: lists the sources, and tests one.
@MainActor
enum SourcesCommand {
  /// Performs the request, and returns the exit status.
  static func run(
    _ request: SourcesRequest, asJSON: Bool, _ configuration: Configuration,
    library: ImageLibrary, log: Log
  ) async -> Int32 {
    switch request {
    case .list: await list(asJSON: asJSON, configuration, library, log)
    case .test(let place): await test(place, configuration, log)
    case .set(let name, let isEnabled):
      await set(name, isEnabled: isEnabled, configuration, Remembered())
    }
  }

  // MARK: The list

  /// A row of the list, as in `--json`.
  struct Row: Encodable, Equatable {
    /// Grows when a member changes its meaning or goes.
    let schema = 1
    let name: String
    let label: String
    let homePage: String?
    let weight: Int
    let isEnabled: Bool
    let hasLicense: Bool
    /// The number of listed pictures that were not shown yet.
    let kept: Int
    /// `answering` or `failing`; nil if it was never asked.
    let health: String?
    let since: Date?
    let reason: String?
  }

  private static func list(
    asJSON: Bool, _ configuration: Configuration, _ library: ImageLibrary, _ log: Log
  ) async -> Int32 {
    do {
      // Without the records, every source would seem never to have been asked.
      if let reason = library.reasonNotReadable { throw reason }
      let rows = try await rows(
        SourceChoice.services(own: configuration.sources), library,
        disabled: Remembered().disabledSources.wrappedValue)
      if let reason = library.reasonNotSaved {
        log.error(.storage, "Nothing can be saved: \(technicalCause(of: reason))")
        StandardError.print("panda: nothing can be saved: \(userMessage(for: reason)).")
      }
      let text = asJSON ? try json(rows) : table(rows)
      return StandardOutput.print(text)
    } catch {
      log.error(Log.Area(of: error), technicalCause(of: error))
      StandardError.print("panda: \(userMessage(for: error)).")
      return ExitStatus(for: error).rawValue
    }
  }

  static func rows(
    _ services: [SourceDescription], _ library: ImageLibrary, disabled: [String]
  ) async throws -> [Row] {
    try await library.sourcesHaveLoaded()
    var rows: [Row] = []
    for service in services {
      let health = library.source(service.label)?.health
      let (word, since, reason): (String?, Date?, String?) =
        switch health {
        case nil: (nil, nil, nil)
        case .answering(let since)?: ("answering", since, nil)
        case .failing(let since, let reason)?: ("failing", since, reason)
        }
      rows.append(
        Row(
          name: service.name, label: service.label, homePage: service.homePage?.absoluteString,
          weight: service.weight, isEnabled: !disabled.contains(service.name),
          hasLicense: service.hasLicense, kept: try await library.keptCount(of: service.name),
          health: word, since: since, reason: reason))
    }
    return rows
  }

  /// Returns one JSON object per line.
  private static func json(_ values: [some Encodable]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return try values.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }
      .joined()
  }

  static func table(_ rows: [Row]) -> String {
    let width = rows.map(\.name.columns).max() ?? 0
    return rows.map { row in
      var words: [String] = []
      if !row.isEnabled { words.append("switched off") }
      switch row.health {
      case "answering": words.append("answers since \(row.since.map(moment) ?? "")")
      case "failing":
        words.append("fails since \(row.since.map(moment) ?? ""): \(row.reason ?? "")")
      default: words.append("not asked yet")
      }
      if row.kept > 0 { words.append("\(row.kept) picture\(row.kept == 1 ? "" : "s") kept") }
      if row.weight == 0 { words.append("only when no other has a panda") }
      if !row.hasLicense { words.append("no license") }
      let line = words.joined(separator: "; ").sanitized(upTo: 300)
      return "\(row.name.padded(to: width))  \(line)\n"
    }.joined()
  }

  private static func moment(_ date: Date) -> String {
    "\(PictureDay(date).words), \(ClockTime(date).words)"
  }

  // MARK: Switching

  /// Switches a source on or off for all later launches without `--source`.
  static func set(
    _ name: String, isEnabled: Bool, _ configuration: Configuration, _ remembered: Remembered
  ) async -> Int32 {
    let services = SourceChoice.services(own: configuration.sources).map(\.name)
    guard services.contains(name) else {
      StandardError.print(
        "panda: \(name.forMessage) is not a source; there are "
          + services.joined(separator: ", "))
      return ExitStatus.notFound.rawValue
    }
    remembered.disabledSources.update { names in
      names.removeAll { $0 == name }
      if !isEnabled { names.append(name) }
    }
    do {
      try await remembered.disabledSources.flush()
    } catch {
      StandardError.print("panda: Not saved: \(userMessage(for: error)).")
      return ExitStatus(for: error).rawValue
    }
    return StandardOutput.print("\(name) is switched \(isEnabled ? "on" : "off")\n")
  }

  // MARK: The test

  private static func test(
    _ place: String, _ configuration: Configuration, _ log: Log
  ) async -> Int32 {
    let services = SourceChoice.services(own: configuration.sources)
    guard
      let description = services.first(where: { $0.name == place })
        ?? SourceDescription(guessedFor: place)
    else {
      StandardError.print(
        "panda: \(place.forMessage) is neither a source nor an http or https address; there are "
          + services.map(\.name).joined(separator: ", "))
      return 5
    }
    let client = UserAgent.client(configuration, log: log)
    let probe = await SourceProbe(description, client: client)
    await client.close()
    let printed = StandardOutput.print(
      lines(probe, description).map { $0.sanitized(upTo: 400) + "\n" }.joined())
    guard let failure = probe.failure else { return printed }
    log.error(Log.Area(of: failure), "Testing \(place) failed: \(technicalCause(of: failure))")
    StandardError.print("panda: \(userMessage(for: failure)).".sanitized(upTo: 400))
    return failure is HTTPError ? 3 : 1
  }

  /// Returns the results of a probe, for the user.
  static func lines(_ probe: SourceProbe, _ description: SourceDescription) -> [String] {
    var lines = ["asked    \(probe.address.absoluteString)"]
    lines.append(
      "entries  \(probe.entryCount), of which \(probe.usableCount) can be shown")
    lines += probe.rejected.map { "         \($0)" }
    let width = probe.findings.map(\.member.count).max() ?? 0
    lines += probe.findings.map { finding in
      let value = finding.value ?? "nothing there"
      return "\(finding.member.padded(to: max(width, 7)))  \(finding.pointers)  \(value)"
    }
    if let picture = probe.picture {
      lines.append(
        "shown    \(picture.url.absoluteString): \(picture.format), "
          + "\(picture.width) x \(picture.height) pixels, \(ByteCount(picture.byteCount))")
      lines += probe.missing.map { "missing  the \($0): pictures will be shown without" }
    }
    return lines
  }
}
