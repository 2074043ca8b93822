internal import PandaCore

/// Describes a picture in a few sentences, for users of screen readers.
///
/// Such as "A red panda from redpanda.club, 1200 by 900 pixels, mostly rust brown and dark green.
/// Caption: Sleepy. Tags: cute, bamboo."
struct AltText: CustomStringConvertible {
  /// The sentences; sanitized, and in one line.
  let description: String

  /// The most tags that are read out, so that the list stays short.
  private static let tagLimit = 20

  /// Describes a picture by its metadata.
  ///
  /// - Parameter colors: its main colors, see `DominantColors`; empty if it is not decoded.
  init(_ image: RemoteImage, colors: [String] = []) {
    var parts = [Self.subject(image)]
    if image.width > 0, image.height > 0 {
      parts.append("\(image.width) by \(image.height) pixels")
    }
    if !colors.isEmpty { parts.append("mostly \(Self.list(colors))") }
    var sentences = [parts.joined(separator: ", ") + "."]
    if let about = Self.words(image.about, upTo: 300) { sentences.append(Self.sentence(about)) }
    if let caption = Self.words(image.caption, upTo: 300) {
      sentences.append(Self.sentence("Caption: \(caption)"))
    }
    let tags = image.tags.prefix(Self.tagLimit).compactMap { Self.words($0, upTo: 60) }
    if !tags.isEmpty { sentences.append(Self.sentence("Tags: \(tags.joined(separator: ", "))")) }
    description = sentences.joined(separator: " ")
  }

  /// Returns the subject and the author.
  ///
  /// A title that names the animal is better than a generic phrase.
  private static func subject(_ image: RemoteImage) -> String {
    let source = words(image.source, upTo: 100).map { " from \($0)" } ?? ""
    guard var title = words(image.title, upTo: 200) else { return "A red panda\(source)" }
    while let last = title.last, ".!,;:…".contains(last) || last == " " { title.removeLast() }
    if title.isEmpty { return "A red panda\(source)" }
    if title.lowercased().contains("panda") {
      return title + (source.isEmpty ? "" : ",\(source)")
    }
    return BambooGroveSource.isDrawing(image)
      ? "A drawn red panda, \(title)" : "A red panda\(source), titled \(title)"
  }

  /// Returns sanitized text without blanks around it; nil if it is empty.
  private static func words(_ text: String?, upTo limit: Int) -> String? {
    guard let text else { return nil }
    var words = text.sanitized(upTo: limit)[...].drop { $0 == " " }
    while words.last == " " { words.removeLast() }
    return words.isEmpty ? nil : String(words)
  }

  /// Returns the text with one punctuation mark at its end, its own or a period.
  private static func sentence(_ text: String) -> String {
    text.last.map { ".!?…".contains($0) } == true ? text : text + "."
  }

  /// Returns a list such as "gray, rust brown and cream".
  private static func list(_ names: [String]) -> String {
    let names = names.map { $0.sanitized(upTo: 40) }
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last)"
  }
}
