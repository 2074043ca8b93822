internal import FoundationEssentials
internal import PandaCore

/// One line of the log: the time, the level, the area, the process and a sentence.
///
/// Such as `2026-11-22T20:03:04.123Z error network [4711] The sentence`.
struct LogLine: Hashable, Sendable {
  /// The greatest length of a sentence, in characters.
  static let sentenceLimit = 2_000

  let text: String

  /// - Parameters:
  ///   - date: the time, which is written in UTC.
  ///   - process: the process, since several may write to one log.
  init(_ entry: Log.Entry, at date: Date, process: Int32) {
    let time = date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    // Invisible characters are removed first, so that no secret can hide behind them.
    let sentence = entry.text.sanitized(upTo: Self.sentenceLimit).withoutSecrets
    text = "\(time) \(entry.level) \(entry.area) [\(process)] \(sentence)"
  }
}
