import Foundation
import Testing

@testable import PandaCore

@Suite struct ExactDateTests {
  @Test(arguments: [
    (0, "2001-01-01T00:00:00Z"), (-978_307_200, "1970-01-01T00:00:00Z"),
    (-1, "2000-12-31T23:59:59Z"), (801_324_309.25, "2026-05-24T14:05:09.25Z"),
    (-63_113_904_000, "0001-01-01T00:00:00Z"), (162_345_600, "2006-02-23T00:00:00Z"),
    (-26_524_800, "2000-02-29T00:00:00Z"), (-0.5, "2000-12-31T23:59:59.5Z"),
  ])
  func `a date is ISO 8601, and the text is that date`(_ seconds: Double, _ text: String) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    #expect(ExactDate.text(date) == text)
    #expect(ExactDate.date(text) == date)
  }

  @Test func `Foundation reads the same second`() throws {
    // Since 1601: before that, Foundation's calendar is another one.
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<1_000 {
      let seconds = Int.random(in: -12_622_780_800..<252_423_993_600, using: &generator)
      let date = Date(timeIntervalSinceReferenceDate: Double(seconds))
      #expect(try Date(ExactDate.text(date), strategy: .iso8601) == date)
    }
  }

  @Test func `every date of this century comes back to the last bit`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<10_000 {
      let seconds = Double.random(in: 10_000_000...3_000_000_000, using: &generator)
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      #expect(ExactDate.date(ExactDate.text(date)) == date, "\(seconds)")
      let next = Date(timeIntervalSinceReferenceDate: seconds.nextUp)
      #expect(ExactDate.date(ExactDate.text(next)) == next, "\(seconds.nextUp)")
    }
  }

  @Test func `a date without such a text is clamped to the ends of the calendar`() {
    for seconds in [1e300, .infinity, -1e300, -.infinity, .nan, 252_423_993_600] {
      let text = ExactDate.text(Date(timeIntervalSinceReferenceDate: seconds))
      #expect(ExactDate.date(text) != nil, "\(text)")
      #expect(ExactDate.day(Date(timeIntervalSinceReferenceDate: seconds)).utf8.count == 10)
    }
  }

  @Test(arguments: [
    "", "2026", "2026-02-31T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00", "2026-01-01 00:00:00Z",
    "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1234567891Z", "+026-01-01T00:00:00Z",
    "2026-01-01T00:00:00+01:00", "２026-01-01T00:00:00Z", "2026-00-01T00:00:00Z",
    "2026-01-00T00:00:00Z",
  ])
  func `anything else is not a date`(_ text: String) { #expect(ExactDate.date(text) == nil) }
}
