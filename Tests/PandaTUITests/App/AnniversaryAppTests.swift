import Foundation
import PandaCore
import PandaTestSupport
import Pantry
import Testing

@testable import PandaSession
@testable import PandaShell
@testable import PandaTUI
@testable import TerminalKit

/// Favorites kept on this day in earlier years.
@MainActor
@Suite struct AnniversaryAppTests {
  private let directory = TemporaryDirectory()

  /// Saves favorites some days before the date of the tests' clock.
  private func save(_ count: Int, daysAgo days: Int, first: Int = 1) async throws {
    let date = TestClock().date - TimeInterval(days) * 86_400
    let library = ImageLibrary(
      in: StorageDirectory(url: directory.url.appending(path: "data")), now: { date })
    let controller = ImagesController(library: library, source: SmallSource(first: first))
    for _ in 1...count { try await controller.saveImage(image: controller.fetchImage()) }
    await controller.library.close()
  }

  @Test func `a favorite of a year ago today is announced at launch, and is:today finds it`()
    async throws
  {
    try await save(1, daysAgo: 365, first: 11)
    try await save(2, daysAgo: 10)
    let panda = try AppDriver(directory)
    try await panda.expect(
      text: "\(Anniversary.words(1)) you kept “Panda 11”. / is:today shows it")
    try await panda.open(.favorites(.filter), "esc show all")
    panda.enter("is:today")
    try await panda.expect(text: "Favorites (1 of 3) · /is:today")
    try await panda.quit()
    #expect(try await CommandDriver(directory).run("list", "panda").lines.count == 3)
  }

  @Test func `other days have no greeting`() async throws {
    try await save(1, daysAgo: 365)
    let first = try AppDriver(directory)
    try await eventually("the launch is noted") {
      first.app.context.remembered.lastLaunch.wrappedValue != nil
    }
    try await first.quit()
    let other = try AppDriver(directory)
    other.clock.jump = 86_400
    let controller = other.app.context.favorites.controller
    try await eventually("all are read") { controller.imagesHaveLoaded }
    #expect(other.app.context.model.message == nil)
    try await other.quit()
  }

  @Test func `plain mode announces it too`() async throws {
    try await save(3, daysAgo: 365)
    var lines: [String] = []
    let library = ImageLibrary(in: StorageDirectory(url: directory.url.appending(path: "data")))
    let session = Conversation(
      library, SmallSource(), in: directory, clock: PatientClock(), now: { TestClock.start }
    ) { line in if case .said(let text) = line { lines.append(text) } }
    await session.begin()
    #expect(
      lines.contains(
        "\(Anniversary.words(1)) you kept “Panda 3” and 2 others. list is:today shows them."))
    lines = []
    await session.handle(.text("list is:today"))
    #expect(lines.first?.hasPrefix("3 of 3 favorites with is:today") == true)
    await session.finish()
  }

  @Test func `the message says who saved how many, and when`() throws {
    let now = TestClock().date
    func sentence(_ years: [Int], _ caption: String?, by: String? = nil, author: String? = nil)
      throws -> String
    {
      let images = years.enumerated().map { number, years in
        var image = RemoteImage(
          createdAt: now, url: URL(string: "https://zoo.example/\(number)")!, width: 1, height: 1,
          dataRepresentation: Attachment(Data([1])), source: "zoo", caption: caption,
          savedAt: Calendar(identifier: .gregorian).date(byAdding: .year, value: -years, to: now))
        image.savedBy = by
        return image
      }
      return try #require(Anniversary(of: images, on: now)).sentence(author: author)
    }
    #expect(try sentence([2], nil) == "2 years ago today you kept a red panda")
    #expect(
      try sentence([1, 1], "Snowy nap") == "A year ago today you kept “Snowy nap” and another one")
    #expect(
      try sentence([1, 3, 4], "Nap")
        == "On this day in earlier years you kept “Nap” and 2 others")
    #expect(try sentence([1], "Nap", by: "ada", author: "ada") == "A year ago today you kept “Nap”")
    #expect(try sentence([1], "Nap", by: "bob", author: "ada") == "A year ago today bob kept “Nap”")
    #expect(
      try sentence([1, 1], "Nap", by: "bob", author: "ada")
        == "A year ago today “Nap” and another one were kept")
    let long = try sentence([1], String(repeating: "sleepy ", count: 30))
    #expect(long.columns < 60)
  }
}
