import Foundation
import Pantry
import Testing

@testable import PandaCore

@Suite struct AnniversaryTests {
  private static let utc = TimeZone(secondsFromGMT: 0)!
  private static let tokyo = TimeZone(secondsFromGMT: 9 * 3_600)!

  private static func moment(_ text: String) throws -> Date {
    try Date.ISO8601FormatStyle().parse(text)
  }

  private func image(_ name: String, _ saved: String) throws -> RemoteImage {
    FavoritesFilterTests.image(name, saved: try Self.moment(saved).timeIntervalSince1970)
  }

  @Test(
    arguments: [
      ("2025-11-24T23:59:59Z", "2026-11-24T00:00:00Z", 1),
      ("2016-11-24T12:00:00Z", "2026-11-24T12:00:00Z", 10),
      ("2026-11-24T01:00:00Z", "2026-11-24T12:00:00Z", nil),
      ("2027-11-24T01:00:00Z", "2026-11-24T12:00:00Z", nil),
      ("2025-11-23T12:00:00Z", "2026-11-24T12:00:00Z", nil),
      ("2025-10-24T12:00:00Z", "2026-11-24T12:00:00Z", nil),
      // February 29 is on February 28 where there is none, also in 2100.
      ("2024-02-29T12:00:00Z", "2026-02-28T12:00:00Z", 2),
      ("2024-02-29T12:00:00Z", "2028-02-29T12:00:00Z", 4),
      ("2024-02-29T12:00:00Z", "2028-02-28T12:00:00Z", nil),
      ("2096-02-29T12:00:00Z", "2100-02-28T12:00:00Z", 4),
      ("2025-02-28T12:00:00Z", "2028-02-29T12:00:00Z", nil),
      ("2025-02-28T12:00:00Z", "2028-02-28T12:00:00Z", 3),
      ("2024-02-29T12:00:00Z", "2026-03-01T12:00:00Z", nil),
    ] as [(String, String, Int?)])
  func `the same day of an earlier year is an anniversary`(
    _ saved: String, _ now: String, _ years: Int?
  ) throws {
    let day = try #require(CalendarDay(Self.moment(now), in: Self.utc))
    #expect(try image("1", saved).years(on: day, in: Self.utc) == years)
  }

  @Test func `the days are those of the time zone`() throws {
    let images = [try image("1", "2025-11-23T20:00:00Z")]
    let (morning, evening) = (
      try Self.moment("2026-11-24T02:00:00Z"), try Self.moment("2026-11-23T16:00:00Z")
    )
    #expect(Anniversary(of: images, on: morning, in: Self.utc) == nil)
    #expect(Anniversary(of: images, on: morning, in: Self.tokyo)?.years == 1)
    // In Tokyo both are of the next day.
    #expect(Anniversary(of: images, on: evening, in: Self.tokyo)?.years == 1)
    var index = FavoritesIndex()
    let found = [Self.utc, Self.tokyo].map { zone in
      FavoritesFilter("is:today", now: { morning }, in: zone).apply(to: images, index: &index).count
    }
    #expect(found == [0, 1])
  }

  @Test func `the most recently saved favorite represents the others`() throws {
    let images = [
      try image("a", "2023-11-24T08:00:00Z"), try image("b", "2025-11-24T08:00:00Z"),
      try image("c", "2025-11-24T07:00:00Z"), try image("d", "2025-11-25T07:00:00Z"),
    ]
    let now = try Self.moment("2026-11-24T08:00:00Z")
    let all = try #require(Anniversary(of: images, on: now, in: Self.utc))
    #expect(all.image.id == "https://x/b" && all.years == 1 && all.others == 2 && !all.isOfOneYear)
    let some = try #require(Anniversary(of: Array(images[1...]), on: now, in: Self.utc))
    #expect(some.others == 1 && some.isOfOneYear)
    #expect(Anniversary(of: [], on: now, in: Self.utc) == nil)
  }

  @Test func `is:today combines with words, and is not matched as a word itself`() throws {
    let now = try Self.moment("2026-11-24T08:00:00Z")
    var images = [try image("a", "2025-11-24T08:00:00Z"), try image("b", "2025-11-24T08:00:00Z")]
    images[1].caption = "Snowy nap"
    var index = FavoritesIndex()
    func found(_ text: String) -> Int {
      FavoritesFilter(text, now: { now }, in: Self.utc).apply(to: images, index: &index).count
    }
    #expect(found("is:today") == 2 && found("IS:TODAY snow") == 1 && found("is:today zzz") == 0)
    #expect(found("today") == 0 && found("is:today is:similar") == 0)
    #expect(!FavoritesFilter("is:today").isEmpty)
  }
}
