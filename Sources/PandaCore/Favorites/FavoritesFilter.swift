package import FoundationEssentials
internal import Glibc

/// A search for favorites: those that contain every word.
///
/// Case and accents do not matter. The search covers caption, title, tags, source, credit and the
/// day that the picture was saved, as "3 oct 2026" and "2026-10-03". A word that begins with `#`
/// matches the beginning of a tag, and one that begins with `#=` a whole tag; one that begins with
/// `@` matches the beginning of the name of who favorited it, in a shared library. `is:similar`
/// matches those that look like another one, and `is:today` those that were saved on this day of an
/// earlier year. `seen:today` and `seen:week` match those that were seen today or in the last seven
/// days, `seen:never` those that never were; any other word that begins so matches nothing.
/// `in:snow-naps` or `in:"snow naps"` stands for the filter of the collection of that name.
package struct FavoritesFilter: Equatable, Sendable {
  /// The words in UTF-8.
  private let words: [[UInt8]]
  private let tags: [String]
  private let names: [String]
  /// Whether only pictures match that look like another one.
  package let findsSimilar: Bool
  /// The day of whose anniversaries pictures must be; nil if they may be of any.
  private let day: CalendarDay?
  private let timeZone: TimeZone?
  /// When pictures must have been seen: all of these.
  private let sightings: [SeenWord]
  private let now: Date
  /// Why nothing can match; nil if all collections that it names are resolved.
  package let unresolved: Unresolved?

  private enum SeenWord: String, CaseIterable {
    case today, week, never, unknown

    static let prefix = "seen:"
    var text: String { Self.prefix + rawValue }

    /// Reads a word; nil for one that says nothing of when pictures were seen.
    init?(_ word: String) {
      guard word.hasPrefix(Self.prefix) else { return nil }
      self = Self(rawValue: String(word.dropFirst(Self.prefix.count))) ?? .unknown
    }
  }

  package enum Unresolved: Equatable, Sendable {
    /// No collection has this name.
    case unknown(String)
    /// The collection of this name names itself, or leads back to itself by others.
    case circular(String)
  }

  /// Parses the search text.
  ///
  /// - Parameters:
  ///   - collections: returns those that `in:` can mean.
  ///   - now: returns the moment that `is:today` means.
  ///   - timeZone: the time zone of days; nil means that of the process.
  package init(
    _ text: String, collections: @autoclosure () -> [SavedFilter] = [],
    now: () -> Date = { Date() }, in timeZone: TimeZone? = nil
  ) {
    var all: [String]
    (all, unresolved) = Self.words(of: text, collections)
    findsSimilar = all.contains(Self.similar)
    self.now = now()
    day = all.contains(Self.today) ? CalendarDay(self.now, in: timeZone) : nil
    self.timeZone = timeZone
    sightings = all.compactMap { SeenWord($0) }
    all.removeAll { $0 == Self.similar || $0 == Self.today || SeenWord($0) != nil }
    words = all.filter { !$0.hasPrefix("#") && !$0.hasPrefix("@") }.map { Array($0.utf8) }
    names = all.filter { $0.hasPrefix("@") }.map { String($0.dropFirst()) }
    tags = all.filter { $0.hasPrefix("#") }.map { String($0.dropFirst()) }
  }

  /// Returns the words of a text, folded, with those of the collections that it names.
  private static func words(
    of text: String, _ collections: () -> [SavedFilter]
  ) -> (all: [String], unresolved: Unresolved?) {
    var all: [String] = []
    // Those whose words are being read, and those whose words are among all: several may name one.
    var (open, known): (Set<String>, Set<String>) = ([], [])
    var rest = split(text).reversed().map(Step.word)
    while let step = rest.popLast() {
      guard case .word(let word) = step else {
        if case .end(let id) = step { open.remove(id) }
        continue
      }
      guard let name = collectionName(word) else {
        all.append(TextFold.fold(word))
        continue
      }
      guard let found = collections().named(name) else { return (all, .unknown(name)) }
      if open.contains(found.id) { return (all, .circular(found.name)) }
      guard known.insert(found.id).inserted else { continue }
      open.insert(found.id)
      rest.append(.end(of: found.id))
      rest += split(found.filter).reversed().map(Step.word)
    }
    return (all, nil)
  }

  /// A word to read, or the end of a collection's words.
  private enum Step {
    case word(String), end(of: String)
  }

  /// Returns the names of the collections that a text names itself.
  static func collectionNames(in text: String) -> [String] {
    split(text).compactMap(collectionName)
  }

  private static func collectionName(_ word: String) -> String? {
    isCollection(word) ? word.dropFirst(collection.count).filter { $0 != "\"" } : nil
  }

  /// Splits at blanks, except in the quotes of `in:"…"`, where hyphens replace them.
  private static func split(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).reduce(into: []) { words, word in
      if let last = words.last, isCollection(last), last.count(where: { $0 == "\"" }) == 1 {
        words[words.count - 1] += "-\(word)"
      } else {
        words.append(String(word))
      }
    }
  }

  private static func isCollection(_ word: String) -> Bool {
    word.lowercased().hasPrefix(collection)
  }

  /// The beginning of a word that names a collection.
  private static let collection = "in:"

  /// The word for pictures that look like another one.
  package static let similar = "is:similar"

  /// The word for pictures that were saved on this day of an earlier year.
  package static let today = "is:today"

  /// Returns what is wrong with a search text: a word such as `is:foo`; nil if nothing is.
  package static func problem(in text: String) -> String? {
    for word in text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init) {
      if word.hasPrefix("is:"), word != similar, word != today {
        return "\(word) is unknown; there are \(similar) and \(today)"
      }
      if SeenWord(word) == .unknown {
        let known = SeenWord.allCases.dropLast().map(\.text)
        return "\(word) is unknown; there are \(known[0]), \(known[1]) and \(known[2])"
      }
    }
    return nil
  }

  package var isEmpty: Bool { !findsSimilar && matchesAll }
  /// Whether it asks when favorites were seen: see ``FavoritesIndex/lastSeen``.
  package var asksWhenSeen: Bool { !sightings.isEmpty }

  private var matchesAll: Bool {
    hasNoWords && day == nil && sightings.isEmpty && unresolved == nil
  }
  private var hasNoWords: Bool { words.isEmpty && tags.isEmpty && names.isEmpty }

  /// Returns the matching favorites, in their order.
  ///
  /// - Parameter index: caches the text of favorites between calls.
  /// - Complexity: O(n) in the length of their texts.
  package func apply(to images: [RemoteImage], index: inout FavoritesIndex) -> [RemoteImage] {
    let images = findsSimilar ? NearDuplicates.all(in: images) : images
    guard !matchesAll else { return images }
    return images.filter { matchesWords($0, index: &index) }
  }

  /// Returns whether a picture has all words and the day, whatever it looks like.
  package func matchesWords(_ image: RemoteImage, index: inout FavoritesIndex) -> Bool {
    if unresolved != nil { return false }
    if let day, image.years(on: day, in: timeZone) == nil { return false }
    for word in sightings where !matches(word, index.lastSeen[image.id]) { return false }
    return hasNoWords || matches(index.entry(of: image))
  }

  private func matches(_ word: SeenWord, _ lastSeen: Date?) -> Bool {
    switch word {
    case .never: lastSeen == nil
    case .week: lastSeen.map { $0 > now - 7 * 86_400 } ?? false
    case .today:
      lastSeen.flatMap { CalendarDay($0, in: timeZone) == CalendarDay(now, in: timeZone) } ?? false
    case .unknown: false
    }
  }

  private func matches(_ entry: FavoritesIndex.Entry) -> Bool {
    for tag in tags where !entry.tags.contains(where: { Self.matches($0, tag) }) { return false }
    for name in names where entry.savedBy?.hasPrefix(name) != true { return false }
    return words.allSatisfy { Self.contains($0, in: entry.text) }
  }

  /// Returns whether a picture's tag matches one of the filter: wholly, or in its beginning.
  private static func matches(_ tag: String, _ wanted: String) -> Bool {
    tag.hasPrefix(wanted) || wanted.hasPrefix("=") && tag == wanted.dropFirst()
  }

  /// Returns the text of the filter for all pictures that have a tag.
  package static func having(tag: String) -> String { "#=\(tag)" }

  /// Returns whether bytes occur in others.
  ///
  /// Comparing characters, as the standard library does, takes several times as long: 200,000 texts
  /// are searched for the counts of 20 collections.
  private static func contains(_ word: [UInt8], in text: [UInt8]) -> Bool {
    guard let first = word.first else { return true }
    return text.withUnsafeBytes { text in
      var start = 0
      while start + word.count <= text.count,
        let match = memchr(
          text.baseAddress! + start, Int32(first), text.count - word.count - start + 1)
      {
        if memcmp(match, word, word.count) == 0 { return true }
        start = UnsafeRawPointer(match) - text.baseAddress! + 1
      }
      return false
    }
  }
}

/// A cache of the folded texts of favorites, each computed at its first search.
package struct FavoritesIndex: Sendable {
  struct Entry {
    /// All texts of the favorite, folded, in UTF-8.
    var text: [UInt8]
    var tags: [String]
    var savedBy: String?
  }

  private struct Kept {
    var caption: String?
    var tags: [String]
    var savedBy: String?
    var entry: Entry
  }

  private var kept: [String: Kept] = [:]
  /// When favorites were last seen, for a filter that asks for it; none for one that never was.
  package var lastSeen: [String: Date] = [:]

  package init() {}

  mutating func entry(of image: RemoteImage) -> Entry {
    // Nothing else about a favorite ever changes.
    if let known = kept[image.id], known.caption == image.caption, known.tags == image.tags,
      known.savedBy == image.savedBy
    {
      return known.entry
    }
    let entry = Entry(
      text: Self.text(of: image), tags: image.tags.map(TextFold.fold),
      savedBy: image.savedBy.map(TextFold.fold))
    kept[image.id] = Kept(
      caption: image.caption, tags: image.tags, savedBy: image.savedBy, entry: entry)
    return entry
  }

  private static func text(of image: RemoteImage) -> [UInt8] {
    let day = PictureDay(image.savedAt ?? image.createdAt)
    let parts: [String?] = [
      image.caption, image.title, image.tags.joined(separator: " "), image.source, image.credit,
      day.words, day.numbers,
    ]
    return Array(TextFold.fold(parts.compactMap(\.self).joined(separator: "\n")).utf8)
  }
}
