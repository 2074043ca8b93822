internal import FoundationEssentials
internal import PandaCore
internal import PandaSession
internal import Pantry

/// The numbers of `panda stats`; docs/Scripting.md documents the members of its JSON.
struct LibraryStatistics {
  let favorites: Int
  let bytes: Int
  let trash: Int
  let captioned: Int
  /// The number of favorites by source, by tag and by the year they were saved in.
  let sources: [String: Int]
  let tags: [String: Int]
  let years: [String: Int]

  init(_ images: [RemoteImage], trash: [TrashedImage], now: Date) {
    favorites = images.count
    bytes = images.reduce(0) { $0 + $1.dataRepresentation.byteCount }
    self.trash = trash.count
    captioned = images.count { $0.caption != nil }
    sources = images.reduce(into: [:]) { $0[$1.source, default: 0] += 1 }
    tags = images.reduce(into: [:]) { counts, image in
      for tag in image.tags { counts[tag, default: 0] += 1 }
    }
    years = images.reduce(into: [:]) { counts, image in
      let year = image.keptAt(asOf: now).map { String(PictureDay($0).numbers.prefix(4)) }
      counts[year ?? "unknown", default: 0] += 1
    }
  }

  var json: JSONValue {
    func counts(_ counts: [String: Int]) -> JSONValue {
      JSONValue(.object(counts.mapValues { JSONValue(number: $0) }))
    }
    return JSONValue(members: [
      "schema": JSONValue(number: PictureRecord.version),
      "favorites": JSONValue(number: favorites), "bytes": JSONValue(number: bytes),
      "trash": JSONValue(number: trash), "captioned": JSONValue(number: captioned),
      "sources": counts(sources), "tags": counts(tags), "years": counts(years),
    ])
  }

  var lines: [String] {
    let first = "\(favorites) \(favorites == 1 ? "favorite" : "favorites"), \(ByteCount(bytes))"
    var lines = [first, "\(captioned) with a caption", "\(trash) in the trash"]
    lines += Self.section("by source", sources.sorted { ($1.value, $0.key) < ($0.value, $1.key) })
    lines += Self.section("by tag", tags.sorted { ($1.value, $0.key) < ($0.value, $1.key) })
    lines += Self.section("by year", years.sorted { $0.key < $1.key })
    return lines
  }

  /// The most entries of a section.
  private static let limit = 20

  private static func section(_ title: String, _ counts: [(key: String, value: Int)]) -> [String] {
    guard !counts.isEmpty else { return [] }
    let width = counts.prefix(limit).map { String($0.value).count }.max() ?? 0
    var lines = ["", "\(title):"]
    for (name, count) in counts.prefix(limit) {
      let digits = String(count)
      lines.append(
        "  " + String(repeating: " ", count: width - digits.count) + "\(digits)  \(name)")
    }
    if counts.count > limit { lines.append("  and \(counts.count - limit) more") }
    return lines
  }
}
