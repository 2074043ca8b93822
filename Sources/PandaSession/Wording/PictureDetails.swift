package import FoundationEssentials
package import PandaCore
internal import Pantry

/// All known details of a picture, in sanitized lines.
package struct PictureDetails {
  package let lines: [(label: String, text: String)]

  /// - Parameters:
  ///   - source: the record of its source.
  ///   - isFavorite: whether it is currently a favorite.
  ///   - removedAt: when it went into the trash, if it is there.
  ///   - seen: when it was on the card, if known.
  ///   - sighting: when it was last seen as a favorite, if it was.
  ///   - now: the date, by which those of a wrong clock are known.
  package init(
    _ image: RemoteImage, source: SourceRecord?, isFavorite: Bool, removedAt: Date? = nil,
    seen: SeenImage?, sighting: Sighting? = nil, now: Date
  ) {
    var lines: [(label: String, text: String)] = []
    func add(_ label: String, _ text: String?) {
      guard let text = text?.sanitized(upTo: 4_200), !text.isEmpty else { return }
      lines.append((label, text))
    }
    add("caption", image.caption)
    add("title", image.title)
    add("description", image.about)
    add("tags", image.tags.map { "#\($0)" }.joined(separator: " "))
    add("source", image.source)
    add("home page", source?.homePage?.absoluteString)
    add("credit", image.credit)
    add("license", image.license ?? source?.license)
    add("page", image.page?.absoluteString)
    add("size", "\(image.width) x \(image.height) pixels")
    add("file", "\(ByteCount(image.dataRepresentation.byteCount))")
    add("fetched", ClockTime.withDay(image.createdAt))
    if isFavorite {
      add(
        "favorite",
        image.keptAt(asOf: now).map { "since \(ClockTime.withDay($0))" } ?? "since an unknown day")
      add("kept by", image.savedBy)
      if image.changedBy != image.savedBy { add("last changed by", image.changedBy) }
    }
    if let removedAt {
      if removedAt > now + 86_400 {
        add("in the trash", "since an unknown day, and never deleted by itself")
      } else {
        add("in the trash", "since \(ClockTime.withDay(removedAt))")
        let end = removedAt + Double(ImageLibrary.trashDays) * 86_400
        add("deleted", "for good after \(PictureDay(end).words)")
      }
    }
    if let seen { add("first seen", ClockTime.withDay(seen.firstSeenAt)) }
    if isFavorite, let sighting { add("last seen", Self.words(sighting, now)) }
    add("address", image.url.absoluteString)
    add(Self.digestLabel, image.dataRepresentation.digest.hexadecimal)
    self.lines = lines
  }

  package static let digestLabel = "SHA-256"

  /// Such as "12 Mar, 4 times".
  private static func words(_ sighting: Sighting, _ now: Date) -> String {
    let day = PictureDay(sighting.lastSeenAt).words
    let isThisYear = CalendarDay(sighting.lastSeenAt)?.year == CalendarDay(now)?.year
    let times = sighting.count == 1 ? "once" : "\(sighting.count) times"
    return "\(isThisYear ? String(day.dropLast(5)) : day), \(times)"
  }
}
