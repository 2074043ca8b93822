/// A terminal's name and version, from its answer to XTVERSION or its environment.
package struct TerminalVersion: Hashable, Sendable {
  /// The terminals that are known to differ.
  package enum Product: String, Hashable, Sendable {
    case alacritty, appleTerminal, contour, foot, ghostty, iTerm2, kitty, konsole, mintty, mlterm
    case screen, tmux, vsCode, vte, wezTerm, windowsTerminal, xterm
    case other
  }

  package let product: Product
  /// The name as the terminal spells it, such as `XTerm`.
  package let name: String
  /// The version as the terminal spells it, such as `3.3a`; empty if unreported.
  package let version: String

  init(product: Product, name: String, version: String = "") {
    self.product = product
    self.name = name
    self.version = version
  }

  /// Reads an answer to XTVERSION: `XTerm(379)`, `tmux 3.3a`, `WezTerm 20230712-072601-f4abf8fd`.
  ///
  /// The answer is untrusted: at most 40 characters of each part are kept.
  package init?(answer: String) {
    let name = answer.prefix { $0 != "(" && $0 != " " }
    guard !name.isEmpty else { return nil }
    let rest = answer[name.endIndex...].drop { $0 == "(" || $0 == " " }
    self.init(
      product: Self.product(named: name.lowercased()), name: String(name.prefix(40)),
      version: String(rest.prefix { $0 != ")" && $0 != " " }.prefix(40)))
  }

  /// Reads the secondary attributes (DA2) of a multiplexer; nil for those of any other terminal.
  ///
  /// GNU screen's are S, which no other terminal says, and its version: 83;40900;0 is 4.9.0. Those
  /// of tmux are T (84) without a version; it answers XTVERSION from 3.2.
  init?(attributes: [Int]) {
    switch attributes.first {
    case 83 where attributes.count > 1:
      let number = attributes[1]
      self.init(
        product: .screen, name: "GNU screen",
        version: "\(number / 10_000).\(number / 100 % 100).\(number % 100)")
    case 84: self.init(product: .tmux, name: "tmux")
    default: return nil
    }
  }

  /// The numeric components of the version up to the first other one: 0.41.1 is [0, 41, 1].
  package var numbers: [Int] {
    var numbers: [Int] = []
    for field in version.split(separator: ".", omittingEmptySubsequences: false) {
      let digits = field.prefix { $0.isASCII && $0.isNumber }
      guard let number = Int(digits) else { break }
      numbers.append(number)
      guard digits.count == field.count else { break }
    }
    return numbers
  }

  /// Returns whether the version is at least this one; an unknown version counts as the oldest.
  func isAtLeast(_ wanted: Int...) -> Bool {
    let own = numbers
    guard !own.isEmpty else { return false }
    for (index, number) in wanted.enumerated() {
      let mine = index < own.count ? own[index] : 0
      if mine != number { return mine > number }
    }
    return true
  }

  package var words: String { version.isEmpty ? name : "\(name) \(version)" }

  private static func product(named name: String) -> Product {
    switch name {
    case "xterm": .xterm
    // VS Code's terminal; other programs embed the same widget.
    case "xterm.js": .other
    case "libvterm", "rio", "warp": .other
    case "iterm2", "iterm.app": .iTerm2
    case "wezterm": .wezTerm
    case "vscode": .vsCode
    case "apple_terminal": .appleTerminal
    default: Product(rawValue: name) ?? .other
    }
  }
}

extension TerminalVersion {
  /// Whether there are Unicode placeholders: kitty 0.28 introduced them, Ghostty has always had
  /// them.
  package var hasPlaceholders: Bool {
    switch product {
    case .kitty: isAtLeast(0, 28)
    case .ghostty: true
    default: false
    }
  }

  /// Whether a program may say how many cells a text takes: kitty's text sizing protocol (OSC 66),
  /// from 0.40.
  var sizesText: Bool { product == .kitty && isAtLeast(0, 40) }

  /// Whether the terminal plays the animations of kitty's graphics protocol.
  ///
  /// Only kitty does, from 0.20. WezTerm takes their frames but plays none.
  package var playsAnimations: Bool { product == .kitty && isAtLeast(0, 20) }
}
