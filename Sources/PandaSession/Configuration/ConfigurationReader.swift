internal import PandaCore
internal import TerminalKit

/// Reads settings from a JSON value, and reports the problems.
struct ConfigurationReader {
  private(set) var configuration = Configuration()
  private var found: [ConfigurationProblem] = []
  /// The number of problems beyond those in `found`.
  private var furtherCount = 0
  /// The line of `source`, if it was read.
  private var sourceLine: Int?
  private let file: String
  private let table: KeyTable

  /// The number of reported problems; a megabyte of them would be useless.
  static let problemLimit = 100

  /// Creates a reader with default settings.
  ///
  /// - Parameters:
  ///   - file: the file's name, for the problems.
  ///   - table: the keys that may be rebound.
  init(file: String, table: KeyTable) {
    self.file = file
    self.table = table
  }

  var problems: [ConfigurationProblem] {
    let told = found.enumerated()
      .sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }
      .map(\.element)
    guard furtherCount > 0 else { return told }
    let rest = "\(furtherCount) more of its entries cannot be used"
    return told + [ConfigurationProblem(file: file, line: nil, sentence: rest)]
  }

  mutating func read(_ value: JSONValue, _ repetitions: [JSONScanner.Repetition]) {
    guard let members = value.members else {
      found.append(
        .ofWhole(
          file, line: value.line, "the settings must be in braces, such as { mouse: true }"))
      return
    }
    for again in repetitions {
      report(
        again.line,
        "\(again.name.quotedFromFile) is set again; line \(again.earlierLine) is not used")
    }
    for (name, value) in Self.ordered(members) {
      guard let setting = Configuration.Setting(rawValue: name) else {
        if let successor = Configuration.retired[name] {
          report(
            value.line, "\"\(name)\" is no longer used: \(successor)", isRetired: true,
            endsProgram: name == "kiosk" && value.flag != false)
          continue
        }
        report(
          value.line,
          "\(name.quotedFromFile) is not a setting"
            + suggestion(for: name, among: Configuration.Setting.allCases.map(\.rawValue)),
          unknown: settingMeant(by: name))
        continue
      }
      if !value.isNull { read(value, as: setting) }
    }
    checkSource()
  }

  /// Returns the setting without a substitute that a name is at most one edit away from.
  private func settingMeant(by name: String) -> Configuration.Setting? {
    // The time to compare grows with the product of the lengths.
    guard name.utf8.count <= 64 else { return nil }
    return Configuration.Setting.withoutSubstitute.first {
      Spelling.distance(name.lowercased(), $0.rawValue) <= 1
    }
  }

  private mutating func read(_ value: JSONValue, as setting: Configuration.Setting) {
    switch setting {
    case .reduceMotion: readFlag(value, setting, into: \.reduceMotion)
    case .autoAdvance: readFlag(value, setting, into: \.autoAdvance)
    case .mouse: readFlag(value, setting, into: \.mouse)
    case .graphics: readChoice(value, setting, into: \.graphics)
    case .symbols: readChoice(value, setting, into: \.symbols)
    case .source: readSource(value)
    case .sources: readSources(value)
    case .library: readLibrary(value)
    case .author: readAuthor(value)
    case .contact: readContact(value)
    case .theme: readChoice(value, setting, into: \.theme)
    case .slideshowSeconds: readSeconds(value, setting, into: \.slideshowSeconds)
    case .keys: readKeys(value)
    }
  }

  // MARK: Types

  private mutating func readFlag(
    _ value: JSONValue, _ setting: Configuration.Setting,
    into target: WritableKeyPath<Configuration, Bool>
  ) {
    guard let flag = value.flag else {
      return report(value.line, "\"\(setting)\" must be true or false")
    }
    configuration[keyPath: target] = flag
  }

  private mutating func readSeconds(
    _ value: JSONValue, _ setting: Configuration.Setting,
    into target: WritableKeyPath<Configuration, Int>
  ) {
    let range = Configuration.secondsRange
    guard let number = value.integer, range.contains(number) else {
      return report(
        value.line,
        "\"\(setting)\" must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    configuration[keyPath: target] = number
  }

  private mutating func readChoice<Choice: CaseIterable & RawRepresentable<String>>(
    _ value: JSONValue, _ setting: Configuration.Setting,
    into target: WritableKeyPath<Configuration, Choice>
  ) {
    let names = Choice.allCases.map(\.rawValue)
    guard let choice = value.text.flatMap({ Choice(rawValue: $0) }) else {
      let list = names.dropLast().joined(separator: ", ")
      return report(value.line, "\"\(setting)\" must be \(list) or \(names.last ?? "")")
    }
    configuration[keyPath: target] = choice
  }

  private mutating func readSource(_ value: JSONValue) {
    guard let text = value.text, !text.isEmpty else {
      return report(
        value.line, "\"source\" must be \(SourceChoice.accepted)", unknown: .source)
    }
    do {
      configuration.source = try SourceChoice(argument: text, of: "\"source\"")
      sourceLine = value.line
    } catch {
      report(value.line, error.problem, unknown: .source)
    }
  }

  /// Checks names of sources after the user's own sources are known.
  ///
  /// Those may be anywhere in the file.
  private mutating func checkSource() {
    do {
      configuration.source = try configuration.source.resolved(
        own: configuration.sources, of: "\"source\"")
    } catch {
      report(sourceLine, error.problem, unknown: .source)
      configuration.source = .automatic
    }
  }

  private mutating func readSources(_ value: JSONValue) {
    let (sources, problems) = SourceSettings.sources(value)
    configuration.sources = sources
    for problem in problems { report(problem.line, problem.sentence) }
  }

  private mutating func readLibrary(_ value: JSONValue) {
    do throws(UsageError) {
      configuration.library = try LibraryChoice(argument: value.text ?? "", of: "\"library\"")
    } catch {
      report(value.line, error.problem, unknown: .library)
    }
  }

  private mutating func readAuthor(_ value: JSONValue) {
    guard let author = value.text.flatMap(LibraryAuthor.normalized) else {
      return report(
        value.line, "\"author\" must be a name of at most \(LibraryAuthor.limit) characters",
        unknown: .author)
    }
    configuration.author = author
  }

  private mutating func readContact(_ value: JSONValue) {
    guard let contact = SourceSettings.contact(value) else {
      return report(
        value.line, "\"contact\" must be a web or mail address, such as \"me@example.org\"")
    }
    configuration.contact = contact
  }

  // MARK: Keys

  private mutating func readKeys(_ value: JSONValue) {
    guard let members = value.members else {
      return report(
        value.line, "\"keys\" must be an object of commands, such as { fetch: [\"f\", \"n\"] }")
    }
    var overrides: [Command: [Key]] = [:]
    var lines: [Command: Int] = [:]
    for (name, value) in Self.ordered(members) {
      guard let command = Command(rawValue: name), table[command] != nil else {
        if let successor = Configuration.retired[name] {
          report(
            value.line, "\"\(name)\" in \"keys\" is no longer used: \(successor)", isRetired: true)
          continue
        }
        report(
          value.line,
          "\(name.quotedFromFile) in \"keys\" is not a command"
            + suggestion(for: name, among: table.bindings.map(\.command.rawValue)))
        continue
      }
      guard !value.isNull, let keys = keys(value, of: command) else { continue }
      overrides[command] = keys
      lines[command] = value.line
    }
    let (rebound, conflicts) = table.rebound(overrides)
    for conflict in conflicts {
      report(lines[conflict.command], conflict.sentence)
    }
    for command in overrides.keys {
      guard let keys = rebound[command]?.keys, keys != table[command]?.keys else { continue }
      configuration.keys[command] = keys
    }
  }

  /// The most keys of a command: the help has no space for more.
  private static let keyLimit = 8

  /// Parses the keys of a command; nil if one of them is invalid.
  private mutating func keys(_ value: JSONValue, of command: Command) -> [Key]? {
    let names = value.elements ?? [value]
    guard names.count <= Self.keyLimit else {
      report(value.line, "\"\(command)\" in \"keys\" has more than \(Self.keyLimit) keys")
      return nil
    }
    var keys: [Key] = []
    for element in names {
      guard let name = element.text, !name.isEmpty else {
        report(
          element.line,
          "\"\(command)\" in \"keys\" must be the name of a key or a list of them, such as \"f\"")
        return nil
      }
      guard let key = Key(name: name) else {
        report(
          element.line,
          "\"\(command)\" in \"keys\": no key that a terminal sends is named "
            + name.quotedFromFile + suggestion(for: name, among: Key.words.keys.sorted()))
        return nil
      }
      keys.append(key)
    }
    return keys
  }

  // MARK: Words

  /// Returns members by line, so that the first problems are those that are listed.
  private static func ordered(_ members: [String: JSONValue]) -> [(String, JSONValue)] {
    members.map { ($0, $1) }.sorted { ($0.1.line, $0.0) < ($1.1.line, $1.0) }
  }

  /// - Parameter unknown: the setting without a substitute that is not known because of it.
  private mutating func report(
    _ line: Int?, _ sentence: String, isRetired: Bool = false, endsProgram: Bool = false,
    unknown setting: Configuration.Setting? = nil
  ) {
    // A problem that ends the program is always listed.
    guard found.count < Self.problemLimit || endsProgram || setting != nil else {
      return furtherCount += 1
    }
    found.append(
      ConfigurationProblem(
        file: file, line: line, sentence: sentence, isRetired: isRetired && !endsProgram,
        endsProgram: endsProgram, unknown: Set([setting].compactMap(\.self))))
  }

  private func suggestion(for name: String, among names: [String]) -> String {
    guard found.count < Self.problemLimit else { return "" }
    return Spelling.nearest(to: name, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
  }
}

extension KeyTable.Conflict {
  /// The problem, worded for the author of the file.
  fileprivate var sentence: String {
    let beginning = "\"\(command)\" in \"keys\""
    return switch reason {
    case .taken(let key, let other):
      "\(beginning): \"\(key.label)\" belongs to \"\(other)\", so \"\(command)\" keeps its keys"
    case .countsAreMadeOf(let key):
      "\(beginning): \"\(key.label)\" cannot be bound, digits begin a count"
    case .signalIsMadeOf(let key):
      "\(beginning): \"\(key.label)\" cannot be bound, the terminal keeps it for itself"
    case .leavesNoWayToQuit:
      "\(beginning) must have a key, or there would be none to quit with"
    }
  }
}
