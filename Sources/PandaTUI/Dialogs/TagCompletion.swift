internal import PandaCore
internal import TerminalKit

/// Completes tags by Tab, those that are used most first.
struct TagCompletion: Equatable {
  private let tags: [Tags.Use]
  /// What Tab has completed, until another key is pressed.
  private var round: Round?

  private struct Round: Equatable {
    let matches: [Tags.Use]
    var next: Int
  }

  /// - Parameter tags: the known tags, in the order in which they are offered.
  init(_ tags: [Tags.Use]) { self.tags = tags }

  /// Whether there is anything to offer.
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

  /// Ends the turns of Tab: the next one completes what is typed then.
  mutating func end() { round = nil }

  /// The tags that Tab would take, with how many favorites have them, as far as they fit.
  func offer(for field: TextField, columns: Int) -> String {
    var line = ""
    for use in round?.matches ?? matches(for: field) {
      let entry = "\(use.tag) (\(use.count))".sanitized(upTo: Tags.characterLimit + 10)
      let longer = line.isEmpty ? "Tab: \(entry)" : "\(line), \(entry)"
      guard longer.columns <= columns else { break }
      line = longer
    }
    return line
  }

  /// The tags that begin with the word before the cursor and are not there yet.
  private func matches(for field: TextField) -> [Tags.Use] {
    let word = field.wordBeforeCursor
    let stem = String(word.drop { "-#".contains($0) }).lowercased()
    var others = Tags.parse(field.text.replacing("-", with: " ")).map { $0.lowercased() }
    if let own = others.firstIndex(of: stem) { others.remove(at: own) }
    return tags.filter {
      let tag = $0.tag.lowercased()
      return tag.hasPrefix(stem) && tag != stem && !others.contains(tag)
    }
  }
}
