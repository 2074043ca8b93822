/// The sentences about fetching, without a period at the end.
package struct FetchWords {
  package let names: any ActionNames

  package init(names: any ActionNames) { self.names = names }

  /// The time that a source may take before its fallback draws a panda.
  ///
  /// Drawing takes a moment, so that the card has a picture after three seconds.
  package static let patience = Duration.milliseconds(2_800)

  /// The source is slow, and its fallback has drawn a panda.
  package func slow(_ source: String, fallback: String) -> String {
    "\(source) is slow. Meanwhile, a panda drawn in the \(fallback)"
  }

  /// The source failed, and its fallback has drawn a panda.
  package func drawnInstead(_ failure: String) -> String {
    names.sentence("\(failure). Drawn instead", separator: "; ", action: .fetch, "tries again")
  }

  /// The source failed, and there was no fallback picture.
  package func failed(_ failure: String) -> String {
    names.sentence(failure, action: .fetch, "tries again")
  }

  /// The first fetch failed while the last shown picture is on the card.
  package func failedAtLaunch(_ failure: String) -> String {
    names.sentence(
      "\(failure). Your favorites are here", separator: "; ", action: .fetch, "tries again")
  }

  package func answered(_ source: String) -> String { "\(source) has answered" }

  /// The source has answered, and its panda is queued.
  package func answeredAhead(_ source: String) -> String {
    names.sentence(answered(source), action: .fetch, "shows its panda")
  }

  package var stopped: String {
    names.sentence("Stopped fetching", action: .fetch, "fetches again")
  }
}
