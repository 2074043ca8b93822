package import TerminalKit

/// Maps keys to commands.
///
/// The keyboard, the hint bar, the help and the tests all use this table.
package struct KeyTable: Sendable {
  /// In the order of the help and of the hint bar.
  package let bindings: [CommandEntry]

  package init(bindings: [CommandEntry]) { self.bindings = bindings }

  /// Returns the command of a key, if it has one.
  package func command(for key: Key) -> Command? {
    bindings.first { $0.keys.contains(key) }?.command
  }

  /// Returns the key that a key press stands for: itself if it has a command.
  ///
  /// Otherwise it is the one that stands in its place in a Latin layout, or the one that terminals
  /// send that do not tell Enter from Shift-Enter.
  package func meaning(of key: Key, base: Key?) -> Key {
    command(for: key) == nil ? base ?? key.withoutFineModifiers : key
  }

  package subscript(_ command: Command) -> CommandEntry? {
    bindings.first { $0.command == command }
  }

  /// Returns the label of the first key of a command; empty if it has none.
  package func label(of command: Command) -> String { self[command]?.keys.first?.label ?? "" }

  /// Returns a sentence with a hint.
  ///
  /// The sentence stands alone if there is no key or word for it.
  ///
  /// Such as "Stopped fetching. f fetches again".
  package func sentence(
    _ sentence: String, separator: String = ". ", then command: Command, _ hint: String
  ) -> String {
    let label = label(of: command)
    return label.isEmpty ? sentence : "\(sentence)\(separator)\(label) \(hint)"
  }

  /// Returns a key's hint as a line of its own.
  ///
  /// Empty if the command has no key.
  package func hintLine(_ command: Command, _ hint: String) -> [String] {
    let label = label(of: command)
    return label.isEmpty ? [] : ["\(label) \(hint)"]
  }
}

extension Key {
  /// The key without modifiers that only kitty's protocol and modifyOtherKeys report.
  fileprivate var withoutFineModifiers: Key {
    guard case .modified(let held, let key) = self,
      [.enter, .escape, .tab, .backspace].contains(key)
    else { return self }
    return key.with(held.intersection(key == .tab ? [.alt, .shift] : .alt))
  }

  package var label: String {
    switch self {
    case .character(" "): "space"
    case .character(let character): String(character)
    case .control(let character): "ctrl-\(character)"
    case .alt(let character): "alt-\(character)"
    case .enter: "enter"
    case .tab: "tab"
    case .backTab: "shift-tab"
    case .escape: "esc"
    case .backspace: "backspace"
    case .delete: "del"
    case .insert: "ins"
    case .up: "↑"
    case .down: "↓"
    case .left: "←"
    case .right: "→"
    case .home: "home"
    case .end: "end"
    case .pageUp: "pgup"
    case .pageDown: "pgdn"
    case .function(let number): "F\(number)"
    case .modified(let modifiers, let key):
      (modifiers.contains(.control) ? "ctrl-" : "") + (modifiers.contains(.alt) ? "alt-" : "")
        + (modifiers.contains(.shift) ? "shift-" : "") + key.label
    }
  }
}
