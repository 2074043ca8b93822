import Foundation
import PandaCore
import PandaTestSupport
import Pantry
import Testing

@testable import PandaSession
@testable import PandaShell

@MainActor
@Suite struct TodayCommandTests {
  private let directory = TemporaryDirectory()
  private let panda: CommandDriver

  init() { panda = CommandDriver(directory) }

  private func image(_ number: Int, savedAt: Date) -> RemoteImage {
    RemoteImage(
      createdAt: savedAt, url: URL(string: "https://zoo.example/\(number)")!, width: 1, height: 1,
      dataRepresentation: Attachment(Data("\(number)".utf8)), source: "zoo", savedAt: savedAt)
  }

  @Test func `the picture stays the same all day, even without the stored choice`() async throws {
    try await panda.save(5)
    let today = try #require(
      try CommandDriver.objects(try await panda.run("today", "--json")).first)
    try await panda.save(3, source: SmallSource(first: 101))
    let later = try CommandDriver.objects(try await panda.run("today", "--json")).first
    #expect(later == today)
    // In words it is the same too, and there is no picture in a pipe.
    let words = try await panda.run("today").lines
    #expect(words.count == 1 && words[0].contains("zoo.example"))
  }

  @Test func `a random favorite may be another one each time`() async throws {
    try await panda.save(4)
    let today = try await panda.run("today", "--json").text
    var seen: Set<String> = []
    // With a fair choice, one in 10^16 such runs would see the same one in all of them.
    for _ in 1...27 where seen.count < 2 {
      seen.insert(try await panda.run("today", "--random", "--json").text)
    }
    #expect(seen.count == 2)
    #expect(try await panda.run("today", "--json").text == today)
  }

  @Test func `a favorite of this day in another year is preferred`() throws {
    let calendar = Calendar(identifier: .gregorian)
    let now = Date()
    let images = (1...30).map { number in
      image(number, savedAt: calendar.date(byAdding: .day, value: -3 * number, to: now)!)
    }
    let usual = try #require(TodayCommand.choice(among: images, on: now))
    #expect(TodayCommand.choice(among: images.shuffled(), on: now) == usual)
    // Four years earlier, every day but a few of February exists.
    let anniversary = image(99, savedAt: calendar.date(byAdding: .year, value: -4, to: now)!)
    #expect(TodayCommand.choice(among: images + [anniversary], on: now) == anniversary)
    #expect(TodayCommand.choice(among: [], on: now) == nil)
  }

  @Test func `the path is that of a copy, and a greeting has the number`() async throws {
    try await panda.save(3)
    let path = try #require(try await panda.run("today", "--path").lines.first)
    let data = try Data(contentsOf: URL(filePath: path))
    #expect(try (1...3).map(SmallSource.png).contains(data))
    let greeting = try await panda.run("today", "--greeting").text
    #expect(greeting.hasPrefix("3 favorite red pandas. Today: Panda "))
  }

  @Test func `without favorites it says how to get one`() async throws {
    for arguments in [["today"], ["today", "--random"]] {
      let result = try await panda.run(arguments)
      #expect(result.status == .notFound)
      #expect(
        result.words
          == "panda: \(ActionWords.favorites(0)). panda fetch --keep finds and keeps one.\n")
    }
  }
}
