import Foundation
import PandaTestSupport
import Testing

@testable import PandaCore
@testable import Pantry

/// The memory of favorites, and what is chosen by it.
@MainActor
@Suite struct SightingTests {
  private let folder = LibraryFolder()
  private let clock = SettableClock()

  private func library(of count: Int) async throws -> ImageLibrary {
    let library = folder.library { [clock] in clock.now }
    try await library.save((1...count).map { image($0) })
    try await library.sightings.haveLoaded()
    return library
  }

  /// The memory as another process finds it.
  private func stored() async throws -> [Sighting] {
    let reopened = folder.reopened()
    try await reopened.sightings.haveLoaded()
    return reopened.sightings.store.items
  }

  @Test func `what is seen counts at once, and a picture a minute later writes it`() async throws {
    let library = try await library(of: 3)
    let began = clock.now
    for number in [1, 2, 1] { library.sightings.record(image(number).id) }
    // The user opened them: none was a choice.
    #expect(library.sightings[image(1).id].map { [$0.count, $0.turn] } == [2, 1])
    #expect(library.sightings[image(3).id] == nil)
    #expect(library.sightings.dates == [image(1).id: began, image(2).id: began])
    #expect(try await stored().isEmpty)
    clock.now += 60
    try await library.noteSeen(image(9))
    try await eventually("written") { library.sightings.unwritten.isEmpty }
    #expect(try await stored().map(\.id) == [image(2).id, image(1).id])
    #expect(library.sightings[image(1).id]?.count == 2)
    clock.now += 100
    library.sightings.record(image(2).id)
    await library.close()
    let all = try await stored()
    #expect(all.map(\.id) == [image(1).id, image(2).id])
    #expect(all.map(\.count) == [2, 2] && all.map(\.turn) == [1, 1])
    #expect(all[1].lastSeenAt == clock.now)
  }

  @Test func `what the user opens each day keeps no other from coming back`() async throws {
    let library = try await library(of: 20)
    var generator = SplitMix64(seed: 1)
    var last: [String: Int] = [:]
    var longest = 0
    for turn in 1...100 {
      for number in 1...3 { library.sightings.record(image(number).id) }
      let chosen = try #require(
        library.sightings.choose(among: library.favorites.items, using: &generator))
      library.sightings.record(chosen.id)
      if turn % 7 == 0 { try await library.sightings.write() }
      longest = max(longest, turn - (last[chosen.id] ?? 0))
      last[chosen.id] = turn
    }
    // Rule 2 holds, but for those that are opened all the time: they are never due.
    #expect(longest <= 24 && last.count >= 17)
    #expect(library.favorites.items.dropFirst(3).allSatisfy { last[$0.id, default: 0] > 100 - 24 })
  }

  @Test func `two writers at once count it once`() async throws {
    let library = try await library(of: 1)
    library.sightings.record(image(1).id)
    async let one: Void = library.sightings.write()
    async let other = library.noteSeen(image(9))
    _ = try await (one, other)
    library.sightings.record(image(1).id)
    try await library.sightings.write()
    #expect(try await stored().map(\.count) == [2])
    #expect(library.sightings.unwritten.isEmpty)
  }

  @Test func `a slideshow of days writes it once a minute`() async throws {
    let library = try await library(of: 2)
    library.sightings.record(image(1).id)
    library.sightings.writeIfDue()
    clock.now += 59
    library.sightings.writeIfDue()
    #expect(!library.sightings.unwritten.isEmpty)
    clock.now += 1
    library.sightings.writeIfDue()
    try await eventually("written") { library.sightings.unwritten.isEmpty }
    #expect(try await stored().count == 1)
  }

  @Test func `of what is no favorite any more, the memory keeps the last ones`() async throws {
    let library = try await library(of: 2)
    for number in 1...206 {
      library.sightings.record(image(number).id)
      if number == 206 { try await library.sightings.write() }
    }
    // Written in parts as well, beside this.
    try await eventually("all are written") { library.sightings.unwritten.isEmpty }
    library.sightings.record(image(1).id)
    try await library.sightings.write()
    let ids = try await stored().map(\.id)
    #expect(ids.count <= 203 && ids.last == image(1).id)
    #expect(ids.contains(image(2).id) && !ids.contains(image(3).id))
  }

  @Test func `what was seen comes last, and all in a row are each once`() async throws {
    let library = try await library(of: 4)
    let generator = SplitMix64(seed: 1)
    library.sightings.record(image(1).id)
    try await library.sightings.write()
    clock.now += 1
    library.sightings.record(image(2).id)
    let images = library.favorites.items
    let order = library.sightings.shuffled(images, using: generator).map(\.id)
    #expect(Set(order.prefix(2)) == [image(3).id, image(4).id])
    #expect(Set(order) == Set(images.map(\.id)))
    let unseen = FavoritesOrder.unseen.sorted(
      images, now: clock.now, sighting: { library.sightings[$0] })
    #expect(unseen.map(\.id) == [4, 3, 1, 2].map { image($0).id })
  }
}

/// Choosing without reading all favorites.
@MainActor
@Suite struct FavoritesReaderTests {
  private let folder = LibraryFolder()
  private var index: StorageDirectory {
    StorageDirectory(url: folder.directory.url.appending(path: "index"))
  }
  private var data: StorageDirectory {
    StorageDirectory(url: folder.directory.url.appending(path: "data"))
  }

  private func reader() -> FavoritesReader {
    FavoritesReader(in: data, index: index, named: "x")
  }

  private func choose(seed: UInt64 = 1, on day: CalendarDay? = nil) async throws -> String? {
    var generator = SplitMix64(seed: seed)
    guard let choice = try await reader().choose(on: day, using: &generator) else { return nil }
    reader().keepIndex(of: choice)
    return choice.image.id
  }

  private func kept() throws -> ChoiceIndex {
    let names = try FileManager.default.contentsOfDirectory(atPath: index.url.path)
    let file = index.url.appending(path: try #require(names.first))
    return try #require(ChoiceIndex(try Data(contentsOf: file)))
  }

  /// A favorite as one that has just been chosen.
  private func drawn(_ number: Int) -> FavoritesReader.Choice {
    FavoritesReader.Choice(image: image(number), index: ChoiceIndex())
  }

  private func addresses(_ numbers: [Int]) -> [String] { numbers.map { image($0).id } }

  @Test func `the index follows what is kept, removed and seen`() async throws {
    let library = folder.library()
    try await library.save((1...5).map { image($0) })
    await library.close()
    #expect(try await choose() != nil)
    #expect(try kept().rows.map(\.address) == addresses([1, 2, 3, 4, 5]))

    // Removed and kept again, it has another place.
    try await library.remove([image(1), image(4)])
    try await library.save([image(1), image(6)])
    for number in [5, 6, 5] { try await reader().record(drawn(number), at: Date()) }
    #expect(try await choose() != nil)
    let index = try kept()
    #expect(index.rows.map(\.address) == addresses([2, 3, 5, 1, 6]))
    #expect(index.rows.map(\.turn) == [0, 0, 3, 0, 2])
    #expect(index.rows.allSatisfy { $0.traits.day > 20_260_000 })
    // Also if as many are new as are gone, and what was seen before it was kept again.
    try await library.remove([image(6)])
    try await library.save([image(7)])
    #expect(try await choose() != nil)
    #expect(try kept().rows.map(\.address) == addresses([2, 3, 5, 1, 7]))
    try await library.remove([image(7), image(5)])
    try await library.save([image(5), image(6)])
    #expect(try await choose() != nil)
    #expect(try kept().rows.map(\.address) == addresses([2, 3, 1, 5, 6]))
    #expect(try kept().rows.map(\.turn) == [0, 0, 0, 3, 2])
    // None that was seen within the last two choices.
    for seed in 1...20 as ClosedRange<UInt64> {
      #expect(addresses([1, 2, 3]).contains(try #require(try await choose(seed: seed))))
    }
  }

  @Test func `a choice reads the index, and not the favorites`() async throws {
    let library = folder.library()
    try await library.save((1...5).map { image($0) })
    await library.close()
    _ = try await choose()
    let rows = try kept().rows.enumerated().map { place, row in
      let day: UInt32 = place == 3 ? 20_200_504 : 20_261_003
      return ChoiceIndex.Row(
        address: row.address,
        traits: FavoriteQueue.Traits(author: 0, source: 0, day: day), turn: 0)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: index.url.path)
    try ChoiceIndex(rows).data.write(to: index.url.appending(path: names[0]))
    let day = CalendarDay(number: 20_270_504)
    for seed in 1...5 as ClosedRange<UInt64> {
      #expect(try await choose(seed: seed, on: day) == image(4).id)
    }
    // What is no index is made anew.
    try Data("panda index 2\nx".utf8).write(to: index.url.appending(path: names[0]))
    #expect(try await choose() != nil)
    #expect(try kept().rows.count == 5)
  }

  @Test func `one that cannot be read is not chosen`() async throws {
    let library = folder.library()
    try await library.save((1...3).map { image($0) })
    await library.close()
    _ = try await choose()
    let database = try Database(path: folder.databasePath)
    try database.execute("UPDATE item SET data = '{' WHERE key <> '\(image(2).id)'")
    for seed in 1...5 as ClosedRange<UInt64> {
      #expect(try await choose(seed: seed) == image(2).id)
    }
  }

  @Test func `an index survives its file, and no part of it is one`() {
    let rows = (1...3).map { number in
      ChoiceIndex.Row(
        address: "https://a.example/é\(number)",
        traits: FavoriteQueue.Traits(author: .max, source: 0, day: 20_261_003),
        turn: UInt32(number))
    }
    let data = ChoiceIndex(rows).data
    #expect(ChoiceIndex(data)?.rows == rows)
    for count in 0..<data.count { #expect(ChoiceIndex(data.prefix(count)) == nil) }
    // Neither with an address that ends before it begins, or behind the last one.
    for place in data.indices.suffix(60) {
      var other = data
      other[place] ^= 0x80
      if let index = ChoiceIndex(other) { #expect(index.rows.count == 3) }
    }
    #expect(ChoiceIndex(rows).place(of: rows[1].address) == 1)
    #expect(ChoiceIndex(rows).place(of: "https://a.example/é4") == nil)
    #expect(ChoiceIndex(Data("another file, of some length".utf8)) == nil)
  }

  @Test func `a memory written by a greeting is the library's`() async throws {
    let library = folder.library()
    try await library.save((1...2).map { image($0) })
    await library.close()
    let moment = Date(timeIntervalSinceReferenceDate: 800_000_000)
    for _ in 1...2 { try await reader().record(drawn(1), at: moment) }
    #expect(try await reader().lastSeen(image(1)) == moment)
    let reopened = folder.reopened()
    try await reopened.sightings.haveLoaded()
    #expect(
      reopened.sightings.store.items == [
        Sighting(id: image(1).id, lastSeenAt: moment, count: 2, turn: 2)
      ])
    reopened.sightings.record(image(1).id)
    try await reopened.sightings.write()
    #expect(reopened.sightings.store.items.map(\.count) == [3])
  }

  @Test func `a damaged row of the memory hides no other, and stops nothing`() async throws {
    let library = folder.library()
    try await library.save((1...4).map { image($0) })
    await library.close()
    for number in 1...3 { try await reader().record(drawn(number), at: Date()) }
    let database = try Database(path: folder.databasePath)
    try database.execute(
      "UPDATE item SET data = '{' WHERE instr(CAST(data AS TEXT), '\"turn\":3') > 0")
    // The last two of four are not chosen again: that of the damaged row is not known to be one.
    for seed in 1...9 as ClosedRange<UInt64> {
      #expect(try await choose(seed: seed) != image(2).id)
    }
    try await reader().record(drawn(3), at: Date())
    try await reader().record(drawn(1), at: Date())
    #expect(try await choose() != image(1).id)
    #expect(try kept().rows.map(\.turn) == [4, 2, 3, 0])
  }
}

/// What an older Panda must not drop.
@MainActor
@Suite struct DescriptionVersionTests {
  private let folder = LibraryFolder()

  /// The rows as a program without the version reads them.
  private var older: ObjectStorage<RemoteImage> {
    ObjectStorage(storage: folder.engine("RemoteImage"))
  }

  @Test func `an older program cannot read a row with a description, nor drop that`() async throws {
    let library = folder.library()
    let described = RemoteImage(
      createdAt: Date(timeIntervalSince1970: 5), url: image(1).url, width: 4, height: 3,
      dataRepresentation: Attachment(picture(1)), source: "test", about: "Asleep")
    try await library.save(described)
    try await library.noteSeen(described)
    await library.close()
    let key = CacheKey(verbatim: image(1).id)
    await #expect(throws: LoadIssue.self) { try await older.object(forKey: key) }
    let again = folder.reopened()
    try await again.favorites.itemsHaveLoaded()
    #expect(again.favorites.items.first?.about == "Asleep")
    #expect(try await again.newestSeen()?.about == "Asleep")
    #expect(try await again.favorite(image(1).id)?.about == "Asleep")
  }

  @Test func `rows of before are read, and get the version`() async throws {
    let key = CacheKey(verbatim: image(1).id)
    try await older.store(image(1), forKey: key)
    let library = folder.library()
    try await library.favorites.itemsHaveLoaded()
    #expect(library.favorites.items.map(\.id) == [image(1).id])
    await library.close()
    try await eventually("it is written") {
      let data = try await folder.engine("RemoteImage").read(key: key)
      return String(decoding: data ?? Data(), as: UTF8.self).contains("\"$pantryVersion\":1")
    }
  }
}
