internal import PandaCore
internal import TerminalKit

extension [RemoteImage] {
  /// Returns what is written below each picture: what sets it apart, or nothing.
  ///
  /// A label is cut at its end. Of two that would be the same then, each ends with its last word
  /// that the other lacks. They say nothing about the author, who is seldom what differs.
  ///
  /// - Parameter columns: the columns of a label; fewer than 16 are too few for one.
  /// - Complexity: O(n), and O(k²) for k equal labels.
  package func labels(upTo columns: Int) -> [String] {
    guard columns >= PictureTitle.leastColumns else { return map { _ in "" } }
    let titles = map { image in
      image.caption.flatMap { PictureTitle(caption: $0) } ?? PictureTitle(image.title ?? "")
    }
    var labels = titles.map { $0.own.shortened(to: columns) }
    let equal = Dictionary(grouping: indices) { labels[$0] }
    for (label, group) in equal where group.count > 1 && !label.isEmpty {
      let words = group.map { titles[$0].telling.map(\.core) }
      for (number, index) in group.enumerated() {
        let end = words[number].last { word in
          words.enumerated().contains { $0 != number && !$1.contains(word) }
        }
        guard let end, end.columns * 2 <= columns else { continue }
        let own = titles[index].own
        let beginning = own.hasSuffix(" \(end)") ? String(own.dropLast(end.count + 1)) : own
        labels[index] = "\(beginning.shortened(to: columns - end.columns - 1)) \(end)"
      }
    }
    return labels
  }
}

/// The title of a picture, and what of it not every red panda's title says.
///
/// Titles come from files, observations and albums: "File:Ailurus fulgens at Zoo Duisburg 1.jpg",
/// "Red Panda (24986761703)", "DSC_0123".
package struct PictureTitle {
  /// The fewest columns in which words are worth reading.
  package static let leastColumns = 16

  /// The words of the whole title.
  package let words: [Substring]
  /// The whole title, without the ending of a file.
  package var whole: String { words.joined(separator: " ") }

  /// The title without what every title says; empty if that is all, or if no letter is left.
  package let own: String
  /// Its words that may tell it from another one: those, and the numbers of cameras.
  package let telling: [Substring]

  /// Creates a title of the user's own words, which all count; nil if there are none.
  package init?(caption: String) {
    own = caption.sanitized(upTo: 200)
    words = own.split(separator: " ")
    telling = words
    if words.isEmpty { return nil }
  }

  package init(_ title: String) {
    var text = title.sanitized(upTo: 200)[...]
    if text.lowercased().hasPrefix("file:") { text = text.dropFirst(5) }
    if let dot = text.lastIndex(of: "."),
      Self.endings.contains(text[dot...].dropFirst().lowercased())
    {
      text = text[..<dot]
    }
    // A file's name often has signs in place of spaces.
    let signs: Set<Character> = text.contains(" ") ? [" ", "_"] : [" ", "_", "-", "+"]
    words = text.split(whereSeparator: signs.contains)
    (own, telling) = Self.own(words)
  }

  private static func own(_ words: [Substring]) -> (own: String, telling: [Substring]) {
    let cores = words.map { $0.core.lowercased() }
    var (own, telling) = ([] as [Substring], [] as [Substring])
    var number = 0
    var wasCamera = false
    while number < words.count {
      let common = phrases.first { phrase in
        cores.dropFirst(number).prefix(phrase.count).elementsEqual(phrase) { $1.contains($0) }
      }
      if let common {
        // "Portrait of a red panda in winter"
        while let last = own.last, leadingTo.contains(last.lowercased()) {
          own.removeLast()
          telling.removeLast()
        }
        number += common.count
        continue
      }
      let isCamera = Self.isCamera(cores[number], after: wasCamera)
      if !isCamera { own.append(words[number]) }
      telling.append(words[number])
      wasCamera = isCamera
      number += 1
    }
    own = own.enumerated().filter { index, word in
      // A sign between two parts, of which one may be gone.
      !word.core.isEmpty || index > 0 && !own[index - 1].core.isEmpty
    }.map(\.element)
    while let first = own.first, first.core.isEmpty || joining.contains(first.lowercased()) {
      own.removeFirst()
    }
    while own.last?.core.isEmpty == true { own.removeLast() }
    var text = own.joined(separator: " ")
    if text.count(where: { $0 == "(" }) != text.count(where: { $0 == ")" }) {
      text.removeAll { "()".contains($0) }
    }
    text = String(text.trimmed { ",;:.-–—#|/".contains($0) })
    return (text.contains(where: \.isLetter) ? text : "", telling)
  }

  /// Whether a word is the name or the number that a camera or a service gave, or a size.
  private static func isCamera(_ word: String, after wasCamera: Bool) -> Bool {
    let parts = word.split(separator: "-")
    return !parts.isEmpty
      && parts.allSatisfy { part in
        if cameras.contains(String(part)) { return true }
        let digits = part.drop(while: \.isLetter)
        let letters = part.count - digits.count
        guard digits.allSatisfy(\.isNumber) else {
          let size = digits.replacing("px", with: "").split(separator: "x")
          let isSize = size.allSatisfy { $0.count > 2 && $0.allSatisfy(\.isNumber) }
          // The end of a name of Flickr's: 24986761703_3f2b1a7c0d_o.
          let isSecret = wasCamera && part.count >= 8 && part.allSatisfy(\.isHexDigit)
          return letters == 0 && isSize || isSecret
        }
        if digits.isEmpty { return wasCamera && part.count == 1 && part.first?.isASCII == true }
        let isYear = part.count == 4 && ("1900"..."2099").contains(String(part)) && !wasCamera
        return letters <= 4 && digits.count >= 4 && !isYear
      }
  }

  /// What every title says, word by word.
  private static let phrases: [[Set<String>]] = [
    [["ailurus"], ["fulgens", "f"], ["fulgens", "refulgens", "styani"]],
    [["ailurus"], ["fulgens", "styani"]],
    [
      [
        "red", "lesser", "kleine", "kleiner", "kleinen", "rote", "roter", "roten", "petit",
        "petits",
      ], ["panda", "pandas"],
    ],
    [["panda", "pandas"], ["rojo", "rojos", "roux"]],
    [["redpanda", "redpandas", "ailurus"]],
  ]
  private static let endings: Set<String> = [
    "avif", "gif", "heic", "jpeg", "jpg", "png", "svg", "tif", "tiff", "webp",
  ]
  private static let cameras: Set<String> = [
    "cimg", "dji", "dsc", "dscf", "dscn", "gopr", "img", "imgp", "mg", "mvi", "pict", "pxl", "sam",
  ]
  /// Words that lead to the name of the animal, and go with it.
  private static let leadingTo: Set<String> = ["a", "an", "by", "of", "our", "the", "with"]
  /// Words that nothing begins with.
  private static let joining: Set<String> = ["and", "&", "et", "is", "und", "y"]
}

extension Substring {
  /// The word without the signs around it, and without a genitive's ending.
  fileprivate var core: Substring {
    let core = trimmed { !$0.isLetter && !$0.isNumber }
    return core.hasSuffix("'s") || core.hasSuffix("’s") ? core.dropLast(2) : core
  }
}

extension StringProtocol where SubSequence == Substring {
  fileprivate func trimmed(_ isSign: (Character) -> Bool) -> Substring {
    var rest = drop(while: isSign)
    while let last = rest.last, isSign(last) { rest.removeLast() }
    return rest
  }
}
