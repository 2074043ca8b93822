internal import FoundationEssentials
internal import PandaCore
internal import TerminalKit

/// Says what a picture is, in a line.
struct ImageDescription {
  private let image: RemoteImage

  init(_ image: RemoteImage) {
    self.image = image
  }

  /// Such as "Asleep · Ada · Wikimedia Commons · CC BY 4.0 · 1200x900 · 214 KB · 3 Oct 2026"; harmless
  /// for the terminal.
  ///
  /// Who made it and on which terms stand before the figures: those are what a narrow screen lacks.
  var line: String {
    let names = [image.caption, image.title, maker, image.source, image.license]
    return (names.compactMap { $0?.sanitized(upTo: 200) } + [facts]).joined(separator: " · ")
  }

  /// Whom to credit; some services say it in a sentence, and the grove's name says it already.
  private var maker: String? {
    guard let credit = image.credit, credit != BambooGroveSource.credit else { return nil }
    return credit.sanitized(upTo: 200).clipped(to: 40)
  }

  /// What is in ``line`` but names: such as "1200x900 · 214 KB · 3 Oct 2026".
  var facts: String {
    let bytes = ByteCount(image.dataRepresentation.byteCount)
    return "\(image.width)x\(image.height) · \(bytes) · \(Self.day(image.createdAt))"
  }

  /// Such as "3 Oct 2026", in the person's time zone.
  static func day(_ date: Date) -> String { PictureDay(date).words }
}

/// A number of bytes as a person reads it: 820 B, 214 KB, 1.4 MB, in powers of 1,000.
struct ByteCount: CustomStringConvertible {
  private let count: Int

  init(_ count: Int) {
    self.count = count
  }

  var description: String {
    switch count {
    case ..<1_000: "\(count) B"
    case ..<999_500: "\((count + 500) / 1_000) KB"
    default: "\(count / 1_000_000).\(count % 1_000_000 / 100_000) MB"
    }
  }
}

/// The sign that something is under way.
enum Spinner {
  private static let frames = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

  /// The sign at a moment since the program started.
  static func frame(_ moment: Duration) -> Character {
    frames[Int(moment / interval) % frames.count]
  }

  /// How long a sign is seen.
  static let interval = Duration.milliseconds(80)
}
