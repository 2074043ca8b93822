internal import PandaCore
internal import PandaSession

/// Describes a picture in a few sentences, for users of screen readers.
///
/// What it shows comes first, where its source says so, and what every panda has is left out. Such
/// as "Asleep on a branch. By Ada, CC0, from Wikimedia Commons, mostly rust brown and dark green.
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
    let about = Self.words(image.about, upTo: 300).flatMap { Self.title($0) == nil ? nil : $0 }
    var parts = [Self.subject(image, about), Self.maker(image), image.license, Self.source(image)]
      .compactMap { Self.words($0, upTo: 200) }
    if !colors.isEmpty { parts.append("mostly \(Self.list(colors))") }
    var sentences = about.map { [Self.sentence($0)] } ?? []
    let made = parts.joined(separator: ", ")
    if !made.isEmpty { sentences.append(made.prefix(1).uppercased() + made.dropFirst() + ".") }
    if let caption = Self.words(image.caption, upTo: 300) {
      sentences.append(Self.sentence("Caption: \(caption)"))
    }
    let tags = image.tags.prefix(Self.tagLimit).compactMap { Self.words($0, upTo: 60) }
    if !tags.isEmpty { sentences.append(Self.sentence("Tags: \(tags.joined(separator: ", "))")) }
    description = sentences.joined(separator: " ")
  }

  /// Returns its title, or what it is; nil if the text about it has said that.
  private static func subject(_ image: RemoteImage, _ about: String?) -> String? {
    let title = image.title.flatMap(title)
    if BambooGroveSource.isDrawing(image) {
      return title.map { "A drawn red panda, \($0)" } ?? "A drawn red panda"
    }
    guard let about else { return title ?? "A red panda" }
    return title.flatMap { about.lowercased().hasPrefix($0.lowercased()) ? nil : $0 }
  }

  private static func maker(_ image: RemoteImage) -> String? {
    ImageDescription(image).maker.flatMap { words($0, upTo: 100) }.map { "by \($0)" }
  }

  private static func source(_ image: RemoteImage) -> String? {
    BambooGroveSource.isDrawing(image)
      ? nil : words(image.source, upTo: 100).map { "from \($0)" }
  }

  /// Returns a title without the ending of a file or of a sentence; nil if every panda has it.
  private static func title(_ text: String) -> String? {
    let title = PictureTitle(text)
    guard !title.own.isEmpty else { return nil }
    var whole = title.whole
    while let last = whole.last, ".!,;:…".contains(last) || last == " " { whole.removeLast() }
    return whole
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
