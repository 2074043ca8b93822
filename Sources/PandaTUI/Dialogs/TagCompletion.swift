internal import PandaCore
internal import TerminalKit

/// Completes tags by Tab, those that are used most first.
struct TagCompletion: Equatable {
  private let tags: [Tags.Use]
  /// The current round of completions, until a key other than Tab is pressed.
  private var round: Round?

  private struct Round: Equatable {
    let matches: [Tags.Use]
    var next: Int
  }

  /// - Parameter tags: the known tags, in the order in which they are offered.
  init(_ tags: [Tags.Use]) { self.tags = tags }

  var isEmpty: Bool { tags.isEmpty }

  /// Completes the word before the cursor; each further Tab takes the next tag.
  mutating func complete(_ field: inout TextField) {
    var round = round ?? Round(matches: matches(for: field), next: 0)
    guard !round.matches.isEmpty else { return }
    let sign = field.wordBeforeCursor.prefix { "-#".contains($0) }
    field.replaceWordBeforeCursor(with: sign + round.matches[round.next].tag)
    round.next = (round.next + 1) % round.matches.count
    self.round = round
  }

  /// Ends the round: the next Tab completes the text at that time.
  mutating func end() { round = nil }

  /// Completes the word before the cursor to a chosen tag, and begins the next word.
  mutating func complete(_ field: inout TextField, to tag: String) {
    let sign = field.wordBeforeCursor.prefix { "-#".contains($0) }
    field.replaceWordBeforeCursor(with: "\(sign)\(tag) ")
    end()
  }

  /// A tag that Tab would take, with how many favorites have it.
  struct Chip: Equatable {
    let tag: String
    /// The drawn text, with a space at each end.
    let text: String
    /// Whether the next Tab takes it.
    let isNext: Bool
  }

  /// The tags that Tab would take, in turn, as many as fit with a space between.
  ///
  /// The first ones are left out only where the next one would not fit otherwise.
  func chips(for field: TextField, columns: Int) -> [Chip] {
    let next = round?.next ?? 0
    let chips = (round?.matches ?? matches(for: field)).enumerated().map { place, use in
      let tag = use.tag.sanitized(upTo: Tags.characterLimit)
      return Chip(tag: use.tag, text: " \(tag) \(use.count) ", isNext: place == next)
    }
    var first = 0
    var width = chips.prefix(next + 1).map { $0.text.columns + 1 }.reduce(-1, +)
    while first < next, width > columns {
      width -= chips[first].text.columns + 1
      first += 1
    }
    var room = columns + 1
    return Array(
      chips[first...].prefix { chip in
        room -= chip.text.columns + 1
        return room >= 0
      })
  }

  /// The tags that begin with the word before the cursor and are not there yet.
  private func matches(for field: TextField) -> [Tags.Use] {
    let word = field.wordBeforeCursor
    let stem = String(word.drop { "-#".contains($0) }).lowercased()
    let typed = TagEdit(field.text)
    var others = (typed.added + typed.removed).map { $0.lowercased() }
    if let own = others.firstIndex(of: stem) { others.remove(at: own) }
    return tags.filter {
      let tag = $0.tag.lowercased()
      return tag.hasPrefix(stem) && tag != stem && !others.contains(tag)
    }
  }
}
