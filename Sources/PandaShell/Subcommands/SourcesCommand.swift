internal import FoundationEssentials
internal import PandaCore
internal import PandaSession
internal import Pantry
internal import TerminalKit

/// Lists the sources, tests one, and switches them on and off.
@MainActor
struct SourcesCommand: SessionCommand {
  nonisolated static let subcommand = Subcommand(
    "sources", in: .both, options: [.json],
    operands: [
      CommandLineValue(
        "test|enable|disable SOURCE", .words { SourcesCommand.words + SourceChoice.names },
        isOptional: true, repeats: true)
    ],
    summary: "list the sources and how they answer; test one, switch it on or off",
    discussion: "Lists the sources of pictures: how they answered last, and how many pictures "
      + "they have named that were not shown yet. With test and the name of a source, or the "
      + "address of an answer, asks it once and prints what each pointer of its description "
      + "finds, and what the picture is. With enable or disable, switches a source on or off, "
      + "as in the program."
  ) { arguments throws(UsageError) in
    let printsJSON = arguments.has(.json)
    guard let word = arguments.words.first else {
      return .session(.sources) { try await SourcesCommand(session: $0).list(asJSON: printsJSON) }
    }
    guard SourcesCommand.words.contains(word) else {
      throw UsageError(
        problem: "sources takes the words test, enable and disable, not \(word.forMessage)")
    }
    guard arguments.words.count == 2 else {
      let address = word == "test" ? ", or an address" : ""
      throw UsageError(problem: "sources \(word) needs the name of a source\(address)")
    }
    guard !printsJSON else { throw UsageError(problem: "sources \(word) prints no JSON") }
    let name = arguments.words[1]
    return .session(.sources) { session in
      let command = SourcesCommand(session: session)
      if word == "test" { return try await command.test(name) }
      try await command.set(name, isEnabled: word == "enable")
    }
  }

  nonisolated static let words = ["test", "enable", "disable"]

  let session: Session

  private var services: [SourceDescription] {
    SourceChoice.services(own: session.configuration.sources)
  }

  // MARK: The list

  /// A row of the list, as in `--json`.
  struct Row: Equatable {
    /// Grows when a member changes its meaning or goes.
    static let schema = 1
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
    /// How long it is not asked, and why; nil if it may be asked now.
    let rest: RequestGate.Rest?

    var json: JSONValue {
      JSONValue(members: [
        "schema": JSONValue(number: Self.schema), "name": JSONValue(text: name),
        "label": JSONValue(text: label), "homePage": JSONValue(text: homePage),
        "weight": JSONValue(number: weight), "isEnabled": JSONValue(flag: isEnabled),
        "hasLicense": JSONValue(flag: hasLicense), "kept": JSONValue(number: kept),
        "health": JSONValue(text: health),
        "since": JSONValue(text: since?.formatted(.iso8601)), "reason": JSONValue(text: reason),
        "restSeconds": rest.map { JSONValue(number: Int(($0.wait / .seconds(1)).rounded(.up))) },
        "restReason": JSONValue(text: rest?.words),
      ])
    }
  }

  private func list(asJSON: Bool) async throws {
    let library = session.library
    // Without the records, every source would seem never to have been asked.
    if let reason = library.reasonNotReadable { throw reason }
    let rows = try await Self.rows(
      services, library.sources, disabled: session.remembered.disabledSources.wrappedValue)
    if session.conversation == nil, let reason = library.reasonNotSaved {
      output.fail(
        CommandFailure(
          "nothing can be saved: \(userMessage(for: reason))", .done, cause: reason))
    }
    try output.print(text: asJSON ? rows.map { "\($0.json)\n" }.joined() : Self.table(rows))
  }

  static func rows(
    _ services: [SourceDescription], _ records: SourceRecords, disabled: [String],
    gates: RequestGates = UserAgent.requestGates
  ) async throws -> [Row] {
    try await records.haveLoaded()
    var rows: [Row] = []
    for service in services {
      let health = records[service.label]?.health
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
          hasLicense: service.hasLicense, kept: try await records.keptCount(of: service.name),
          health: word, since: since, reason: reason,
          rest: gates.rest(of: service.name, at: service.host)))
    }
    return rows
  }

  static func table(_ rows: [Row]) -> String {
    let width = rows.map(\.name.columns).max() ?? 0
    return rows.map { row in
      var words: [String] = []
      if !row.isEnabled { words.append("switched off") }
      switch row.health {
      case "answering": words.append("answers since \(row.since.map(ClockTime.withDay) ?? "")")
      case "failing":
        words.append("fails since \(row.since.map(ClockTime.withDay) ?? ""): \(row.reason ?? "")")
      default: words.append("not asked yet")
      }
      if let rest = row.rest { words.append(rest.words) }
      if row.kept > 0 { words.append("\(row.kept) picture\(row.kept == 1 ? "" : "s") kept") }
      if row.weight == 0 { words.append("only when no other has a panda") }
      if !row.hasLicense { words.append("no license") }
      let line = words.joined(separator: "; ").sanitized(upTo: 300)
      return "\(row.name.padded(to: width))  \(line)\n"
    }.joined()
  }

  // MARK: Switching

  /// Switches a source on or off for all later launches without `--source`.
  private func set(_ name: String, isEnabled: Bool) async throws {
    let names = services.map(\.name)
    guard names.contains(name) else {
      throw CommandFailure(
        "\(name.forMessage) is not a source; there are \(names.joined(separator: ", "))", .notFound)
    }
    let disabled = session.remembered.disabledSources
    disabled.update { names in
      names.removeAll { $0 == name }
      if !isEnabled { names.append(name) }
    }
    do {
      try await disabled.flush()
    } catch {
      throw CommandFailure("Not saved", because: error)
    }
    try output.print("\(name) is switched \(isEnabled ? "on" : "off")")
  }

  // MARK: The test

  private func test(_ place: String) async throws {
    guard
      let description = services.first(where: { $0.name == place })
        ?? SourceDescription(guessedFor: place)
    else {
      throw CommandFailure(
        "\(place.forMessage) is neither a source nor an http or https address; there are "
          + services.map(\.name).joined(separator: ", "), .notFound)
    }
    let probe = await SourceProbe(description, client: session.client)
    for line in Self.lines(probe, description) { try output.print(line.sanitized(upTo: 400)) }
    if let failure = probe.failure {
      throw CommandFailure(
        userMessage(for: failure), failure is HTTPError ? .network : .failed, cause: failure)
    }
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
