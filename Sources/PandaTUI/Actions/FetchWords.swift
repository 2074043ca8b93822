/// The sentences about fetching, without a period at the end.
struct FetchWords {
  let names: any ActionNames

  /// The time that a source may take before its fallback draws a panda.
  ///
  /// Drawing takes a moment, so that the card has a picture after three seconds.
  static let patience = Duration.milliseconds(2_800)

  /// The source is slow, and its fallback has drawn a panda.
  func slow(_ source: String, fallback: String) -> String {
    "\(source) is slow. Meanwhile, a panda drawn in the \(fallback)"
  }

  /// The source failed, and its fallback has drawn a panda.
  func drawnInstead(_ failure: String) -> String {
    names.sentence("\(failure). Drawn instead", separator: "; ", action: .fetch, "tries again")
  }

  /// The source failed, and there was no fallback picture.
  func failed(_ failure: String) -> String {
    names.sentence(failure, action: .fetch, "tries again")
  }

  /// The first fetch failed while the last shown picture is on the card.
  func failedAtLaunch(_ failure: String) -> String {
    names.sentence(
      "\(failure). Your favorites are here", separator: "; ", action: .fetch, "tries again")
  }

  func answered(_ source: String) -> String { "\(source) has answered" }

  /// The source has answered, and its panda is queued.
  func answeredAhead(_ source: String) -> String {
    names.sentence(answered(source), action: .fetch, "shows its panda")
  }

  var stopped: String { names.sentence("Stopped fetching", action: .fetch, "fetches again") }
}
