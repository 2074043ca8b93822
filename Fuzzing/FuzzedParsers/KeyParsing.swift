@testable internal import TerminalKit

/// Bytes from the keyboard: whole, one by one, and in two parts.
enum KeyParsing {
  static func parse(_ input: [UInt8]) throws {
    let expectsAnswers = input.count % 2 == 1
    var (whole, single, split) = (KeyDecoder(), KeyDecoder(), KeyDecoder())
    whole.expectsAnswers = expectsAnswers
    single.expectsAnswers = expectsAnswers
    split.expectsAnswers = expectsAnswers

    let events = whole.feed(input)
    let middle = Int(input.first ?? 0) % (input.count + 1)
    try require(input.flatMap { single.feed([$0]) } == events, "byte by byte as whole")
    let parts = split.feed(input[..<middle]) + split.feed(input[middle...])
    try require(parts == events, "in two parts as whole")
    try require(
      single.state == whole.state && single.patience == whole.patience, "byte by byte as whole")
    try require((whole.patience != nil) == (whole.state != .ground), "what is held is waited for")

    let rest = whole.flush()
    try require(single.flush() == rest && split.flush() == rest, "flushed as whole")
    try require(whole.state == .ground && whole.patience == nil, "nothing is held after a flush")
    for event in events + rest { try check(event) }
  }

  private static func check(_ event: InputEvent) throws {
    switch event {
    case .paste(let text):
      try require(text.utf8.count <= KeyDecoder.pasteLimit, "a paste is limited")
    case .key(.character, let base), .key(.alt, let base):
      // An arrow that was typed is named like the key.
      try require(base == nil || base.map { Key(name: $0.label) } == base, "a base is a key")
    case .key(let key, _):
      try require(!key.label.isEmpty, "\(key) has a label")
      let named = Key(name: key.label)
      try require(
        named == nil || named == key,
        "\(key) is named \(key.label), which names \(String(describing: named))")
    case .mouse, .reply, .focus: break
    }
  }
}
