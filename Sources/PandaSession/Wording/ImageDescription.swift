internal import FoundationEssentials
package import PandaCore
internal import Pantry
internal import TerminalKit

/// Describes a picture in one line.
package struct ImageDescription {
  private let image: RemoteImage

  package init(_ image: RemoteImage) {
    self.image = image
  }

  /// The description in one line, sanitized.
  ///
  /// Such as "Asleep · Ada · CC BY 4.0 · Wikimedia Commons · 1200x900 · 214 KB · 3 Oct 2026".
  package var line: String { (parts + facts).joined(separator: " · ") }

  /// The names and the credit, the most important ones first.
  var parts: [String] { names + credit }

  package var names: [String] { [image.caption, image.title].compactMap(Self.words) }

  /// The author, the license and the source.
  ///
  /// A panda that the program drew is called so.
  package var credit: [String] {
    let drawn = BambooGroveSource.isDrawing(image) ? "drawn" : nil
    return [maker ?? drawn, image.license, image.source].compactMap(Self.words)
  }

  /// The credit as a line of its own; the name of a folder alone is none.
  package var creditLine: [String] { isOfFolder ? [] : credit }

  /// Whether nothing but the name of its folder is known of who made it.
  private var isOfFolder: Bool {
    image.id.hasPrefix("file:") && image.credit == nil && image.license == nil
  }

  private static func words(_ text: String?) -> String? {
    let words = text?.sanitized(upTo: 200)
    return words?.contains { $0 != " " } == true ? words : nil
  }

  /// Returns the parts that fit; the title is cut before the author is.
  package func listed(upTo columns: Int) -> String { parts.listed(upTo: columns, keeping: maker) }

  /// The name to credit.
  ///
  /// Some services put it into a sentence, and the grove's name already has it.
  package var maker: String? {
    guard let credit = image.credit, credit != BambooGroveSource.credit else { return nil }
    return credit.sanitized(upTo: 200).clipped(to: 40)
  }

  /// The numbers in ``line``, such as 1200x900, 214 KB and 3 Oct 2026.
  var facts: [String] {
    let bytes = ByteCount(image.dataRepresentation.byteCount)
    return ["\(image.width)x\(image.height)", "\(bytes)", Self.day(image.createdAt)]
  }

  /// Returns a day such as "3 Oct 2026", in the user's time zone.
  static func day(_ date: Date) -> String { PictureDay(date).words }
}

/// A number of bytes for display.
///
/// Such as 820 B, 214 KB or 1.4 MB, in powers of 1,000.
package struct ByteCount: CustomStringConvertible {
  private let count: Int

  package init(_ count: Int) {
    self.count = count
  }

  package var description: String {
    switch count {
    case ..<1_000: "\(count) B"
    case ..<999_500: "\((count + 500) / 1_000) KB"
    default: "\(count / 1_000_000).\(count % 1_000_000 / 100_000) MB"
    }
  }
}

package enum Spinner {
  private static let frames = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

  /// Returns the sign at a moment since the program started.
  package static func frame(_ moment: Duration) -> Character {
    frames[Int(moment / interval) % frames.count]
  }

  /// The time for which each sign is visible.
  package static let interval = Duration.milliseconds(80)
}

extension RemoteImage {
  /// The name in a list: the caption, else the title, else a description.
  package var name: String {
    let names = [caption, title].compactMap { $0?.sanitized(upTo: 200) }
    return names.first { name in name.contains { $0 != " " } } ?? "A red panda"
  }
}
