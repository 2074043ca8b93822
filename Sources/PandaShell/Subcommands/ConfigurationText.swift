internal import FoundationEssentials
internal import PandaCore
internal import PandaSession
internal import TerminalKit

extension Configuration {
  /// All settings in effect, with their meanings, as a file that Panda reads back.
  ///
  /// The user's own sources are only counted: their descriptions are in the file.
  var json5: String {
    let entries = Setting.allCases.map { setting in
      let value =
        switch setting {
        case .sources: "  // sources: \(sources.count) of your own"
        case .library where hasPassword: "  // library: not shown, since it has a password"
        default: "  \(setting.rawValue): \(text(setting)),"
        }
      return "  // \(setting.documentation.summary)\n\(value)\n"
    }
    return "{\n" + entries.joined(separator: "\n") + "}\n"
  }

  private var hasPassword: Bool {
    guard case .server(let address) = library else { return false }
    return address.hasPassword
  }

  private func text(_ setting: Setting) -> String {
    switch setting {
    case .reduceMotion: "\(reduceMotion)"
    case .autoAdvance: "\(autoAdvance)"
    case .mouse: "\(mouse)"
    case .graphics: Self.quoted(graphics.rawValue)
    case .symbols: Self.quoted(symbols.rawValue)
    case .source: source.argument.map(Self.quoted) ?? "null"
    case .sources: ""
    case .library: Self.quoted(library.argument)
    case .author: author.map(Self.quoted) ?? "null"
    case .contact: contact.map(Self.quoted) ?? "null"
    case .theme: Self.quoted(theme.rawValue)
    case .slideshowSeconds: "\(slideshowSeconds)"
    case .keys: keysText
    }
  }

  private var keysText: String {
    let lines = keyTable.bindings.map { binding in
      let keys = binding.keys.map { Self.quoted($0.plainLabel) }.joined(separator: ", ")
      return "    \(binding.command.rawValue): [\(keys)],\n"
    }
    return "{\n" + lines.joined() + "  }"
  }

  private static func quoted(_ text: String) -> String { "\(JSONValue(.text(text)))" }
}

extension LibraryChoice {
  /// The choice as `--library` takes it.
  fileprivate var argument: String {
    switch self {
    case .local: "local"
    case .server(let address): address.text
    }
  }
}

extension SourceChoice {
  /// The choice as `--source` takes it; nil for the public sources in turn.
  fileprivate var argument: String? {
    switch self {
    case .automatic: nil
    case .grove: "grove"
    case .endpoint(let url): url.absoluteString
    case .services(let names): names.joined(separator: ",")
    case .folder(let path): path
    case .files(let paths): paths.joined(separator: " ")
    }
  }
}
