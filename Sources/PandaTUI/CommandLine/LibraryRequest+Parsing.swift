internal import PandaCore
internal import TerminalKit

extension LibraryRequest {
  /// The options of a command, as typed.
  typealias Values = [CommandLineOption.Name: String]

  /// Parses the arguments of a command; nil if the command is about something else.
  ///
  /// - Parameter operands: as many as the table demands.
  init?(
    _ name: Subcommand.Name, _ operands: [String], _ values: Values
  ) throws(UsageError) {
    let isAll = values[.all] != nil
    let replaces = values[.replace] != nil
    switch name {
    case .fetch: self = .fetch(try FetchRequest(values))
    case .add: self = .add(operands)
    case .list: self = .list(try ListRequest(operands, values))
    case .show: self = .show(operands[0], asBytes: values[.bytes] != nil)
    case .card: self = .card(id: operands[0], to: operands[1], replaces: replaces)
    case .caption: self = try Self.caption(operands, isAll)
    case .tag: self = try Self.tag(operands, isAll)
    case .open: self = .open(id: operands[0])
    case .remove:
      guard isAll || !operands.isEmpty else {
        throw UsageError(problem: "remove needs the ID of a favorite, or --all")
      }
      self = .remove(
        isAll ? .all(filter: operands.joined(separator: " ")) : .ids(operands))
    case .restore: self = .restore(try PictureSelection(operands, isAll, name))
    case .purge:
      guard isAll || !operands.isEmpty else {
        throw UsageError(problem: "purge needs the ID of a picture in the trash, or --all")
      }
      self = .purge(
        try PictureSelection(operands, isAll, name), isConfirmed: values[.yes] != nil)
    case .undo: self = .undo(try Self.count(operands.first, of: name))
    case .redo: self = .redo(try Self.count(operands.first, of: name))
    case .today:
      self = .today(try TodayRequest(values))
      if values[.random] != nil, values[.greeting] != nil {
        throw UsageError(problem: "a greeting is the same all day, so it takes no --random")
      }
    case .export:
      let target: ExportTarget
      do throws(ExchangeError) {
        target = try ExportTarget(path: operands[0])
      } catch {
        throw UsageError(
          problem: TarLines.inPlaceOfExport(to: operands[0]) ?? userMessage(for: error))
      }
      self = .export(
        to: target, filter: operands.dropFirst().joined(separator: " "), replaces: replaces,
        withoutMetadata: values[.withoutMetadata] != nil)
    case .importing:
      if let lines = TarLines.inPlaceOfImport(from: operands[0]) {
        throw UsageError(problem: lines)
      }
      self = .importing(from: operands[0])
    case .backup:
      guard operands[0] != "-" else {
        throw UsageError(problem: "backup writes a file, not standard output")
      }
      self = .backup(to: operands[0], replaces: replaces)
    case .copy: self = try Self.copy(values)
    case .stats: self = .stats
    case .collections: self = .collections(try CollectionsRequest(operands))
    case .trash: self = .list(ListRequest(ofTrash: operands.joined(separator: " ")))
    case .watch: self = .watch
    default: return nil
    }
  }

  private static func copy(_ values: Values) throws(UsageError) -> LibraryRequest {
    let from = try values[.from].map { word throws(UsageError) in
      try CopyEndpoint(argument: word, of: "--from")
    }
    let to = try values[.to].map { word throws(UsageError) in
      try CopyEndpoint(argument: word, of: "--to")
    }
    guard from != nil || to != nil else {
      throw UsageError(problem: "copy needs --to with a library, or --from, or both")
    }
    return .copy(from: from, to: to)
  }

  private static func caption(_ operands: [String], _ isAll: Bool) throws(UsageError) -> Self {
    guard operands.count > 1 else {
      throw UsageError(problem: "caption --all needs a filter and a text, each may be empty")
    }
    return .caption(
      isAll ? .all(filter: operands[0]) : .ids([operands[0]]),
      operands.dropFirst().joined(separator: " "))
  }

  private static func tag(_ operands: [String], _ isAll: Bool) throws(UsageError) -> Self {
    guard isAll else { return .tag(.ids([operands[0]]), try tags(operands.dropFirst())) }
    let isChange = { (word: String) in word.hasPrefix("+") || word.hasPrefix("-") }
    let changes = operands.filter(isChange)
    guard !changes.isEmpty else {
      throw UsageError(problem: "tag --all needs tags such as +snow or -snow")
    }
    let filter = operands.filter { !isChange($0) }.joined(separator: " ")
    return .tag(.all(filter: filter), try tags(changes[...]))
  }

  private static func tags(_ words: ArraySlice<String>) throws(UsageError) -> String {
    for word in words {
      let tag = word.hasPrefix("+") || word.hasPrefix("-") ? word.dropFirst() : word[...]
      guard !tag.isEmpty, !tag.contains(where: \.isWhitespace) else {
        throw UsageError(problem: "a tag is one word, not \(word.forMessage)")
      }
    }
    return words.joined(separator: " ")
  }

  private static func count(
    _ word: String?, of name: Subcommand.Name
  ) throws(UsageError) -> Int {
    guard let word else { return 1 }
    guard let count = Int(word), (1...1_000).contains(count) else {
      throw UsageError(
        problem: "\(name.rawValue) takes a number from 1 to 1000, not \(word.forMessage)")
    }
    return count
  }
}

extension PictureSelection {
  fileprivate init(
    _ operands: [String], _ isAll: Bool, _ name: Subcommand.Name
  ) throws(UsageError) {
    guard !isAll || operands.isEmpty else {
      throw UsageError(problem: "\(name.rawValue) takes either IDs or --all")
    }
    self = isAll ? .all(filter: "") : .ids(operands)
  }
}

extension FetchRequest {
  fileprivate init(_ values: LibraryRequest.Values) throws(UsageError) {
    count = try Int(argument: values[.number], of: "--number", in: 1...1_000) ?? 1
    output = values[.output]
    keeps = values[.keep] != nil
    shows = values[.show] != nil
    if let output, output.isEmpty { throw UsageError(problem: "--output needs a file") }
    if output == "-", shows || values[.json] != nil || count > 1 {
      throw UsageError(problem: "--output - prints the bytes of one picture and nothing else")
    }
  }
}

extension ListRequest {
  fileprivate init(ofTrash filter: String) {
    self.filter = filter
    ofTrash = true
  }

  fileprivate init(_ operands: [String], _ values: LibraryRequest.Values) throws(UsageError) {
    filter = operands.joined(separator: " ")
    let forms = [CommandLineOption.Name.json, .ids, .paths].filter { values[$0] != nil }
    guard forms.count < 2 else {
      throw UsageError(
        problem: "list takes one of \(forms.map { "--\($0.rawValue)" }.alternatives)")
    }
    switch forms.first {
    case .json: form = .json
    case .ids: form = .id
    case .paths: form = .path
    default: form = .line
    }
    limit = try Int(argument: values[.number], of: "--number", in: 1...1_000_000) ?? .max
    ofTrash = values[.trash] != nil
    isNullTerminated = values[.null] != nil
    guard let word = values[.sort] else { return }
    guard let order = Order(rawValue: word) else {
      throw UsageError(
        problem: "--sort takes \(Order.allCases.map(\.rawValue).alternatives), "
          + "not \(word.forMessage)")
    }
    self.order = order
    if ofTrash { throw UsageError(problem: "the trash has one order, so it takes no --sort") }
  }
}

extension CollectionsRequest {
  fileprivate init(_ operands: [String]) throws(UsageError) {
    switch (operands.first, operands.count) {
    case (nil, _): self = .list
    case ("delete", 2): self = .delete(name: operands[1])
    case ("keep", 3...):
      self = .keep(name: operands[1], filter: operands.dropFirst(2).joined(separator: " "))
    default:
      throw UsageError(
        problem: "collections takes nothing, or keep with a name and a filter, or delete with a "
          + "name")
    }
  }
}

extension TodayRequest {
  fileprivate init(_ values: LibraryRequest.Values) throws(UsageError) {
    let forms = [CommandLineOption.Name.greeting, .path, .json].filter {
      values[$0] != nil
    }
    guard forms.count < 2 else {
      throw UsageError(
        problem: "today takes one of \(forms.map { "--\($0.rawValue)" }.alternatives)")
    }
    switch forms.first {
    case .greeting: self = .greeting
    case .path: self = .path
    case .json: self = .json
    default: self = .picture
    }
  }
}

extension Int {
  /// Parses the value of an option; nil if it is not given.
  fileprivate init?(
    argument: String?, of option: String, in range: ClosedRange<Int>
  ) throws(UsageError) {
    guard let argument else { return nil }
    guard let number = Int(argument), range.contains(number) else {
      throw UsageError(
        problem: "\(option) takes a number from \(range.lowerBound) to \(range.upperBound), "
          + "not \(argument.forMessage)")
    }
    self = number
  }
}
