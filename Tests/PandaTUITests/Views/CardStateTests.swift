import Foundation
import PandaCore
import Pantry
import Testing

@testable import PandaTUI

@Suite struct CardStateTests {
  var state = CardState(sourceName: "source", standInName: "grove")

  static func image(_ name: String) -> RemoteImage {
    RemoteImage(
      createdAt: Date(timeIntervalSince1970: 0), url: URL(string: "https://x/\(name)")!, width: 4,
      height: 3, dataRepresentation: Attachment(Data(name.utf8)), source: "source")
  }

  let first = image("first")
  let second = image("second")
  let drawn = image("drawn")

  @Test mutating func `a picture that arrives is shown`() {
    #expect(state.isIdle)
    #expect(state.handle(.fetchRequested) == [.fetch(generation: 1)])
    #expect(state.handle(.fetchRequested) == [], "one request at a time")
    #expect(state.handle(.arrived(generation: 1, first)) == [])
    #expect(state.shown == .init(image: first, origin: .fetched))
    #expect(state.request == nil)
  }

  @Test mutating func `a stale reply never replaces a newer card`() {
    _ = state.handle(.fetchRequested)
    #expect(state.handle(.cancelRequested).first == .cancelFetch)
    _ = state.handle(.fetchRequested)
    #expect(state.handle(.arrived(generation: 1, first)) == [])
    #expect(state.shown == nil)
    _ = state.handle(.arrived(generation: 2, second))
    #expect(state.shown?.image == second)
    #expect(state.handle(.failed(generation: 2, sentence: "late")) == [])
  }

  @Test mutating func `a slow source gets a stand-in, and replaces it when it answers`() {
    _ = state.handle(.fetchRequested)
    #expect(state.handle(.tookLong(generation: 1)) == [.fetchStandIn(generation: 1)])
    _ = state.handle(.standInArrived(generation: 1, drawn))
    #expect(state.shown == .init(image: drawn, origin: .standIn))
    #expect(state.request != nil, "the request goes on")
    _ = state.handle(.arrived(generation: 1, first))
    #expect(state.shown?.image == first)
  }

  @Test mutating func `while a slow source lets wait, fetching draws another stand-in`() {
    _ = state.handle(.fetchRequested)
    _ = state.handle(.tookLong(generation: 1))
    _ = state.handle(.standInArrived(generation: 1, drawn))
    #expect(state.handle(.fetchRequested) == [.fetchStandIn(generation: 1)])
    _ = state.handle(.standInArrived(generation: 1, second))
    #expect(state.shown?.image == second)
  }

  @Test mutating func `a source that answers in time is not stood in for`() {
    _ = state.handle(.fetchRequested)
    _ = state.handle(.arrived(generation: 1, first))
    #expect(state.handle(.tookLong(generation: 1)) == [])
    _ = state.handle(.standInArrived(generation: 1, drawn))
    #expect(state.shown?.image == first)
  }

  @Test mutating func `a source that fails says why, and a stand-in comes at once`() {
    _ = state.handle(.fetchRequested)
    #expect(
      state.handle(.failed(generation: 1, sentence: "No network"))
        == [.fetchStandIn(generation: 1)])
    let effects = state.handle(.standInArrived(generation: 1, drawn))
    #expect(
      effects == [.say(.problem("No network. Drawn instead; f tries again"))])
    #expect(state.shown?.origin == .standIn)
    #expect(state.handle(.fetchRequested) == [.fetch(generation: 2)])
  }

  @Test mutating func `without a stand-in the failure is all there is to say`() {
    state = CardState(sourceName: "grove", standInName: nil)
    _ = state.handle(.fetchRequested)
    #expect(state.handle(.tookLong(generation: 1)) == [])
    #expect(
      state.handle(.failed(generation: 1, sentence: "No memory"))
        == [.say(.problem("No memory. f tries again"))])
  }

  @Test mutating func `who turned to a favorite keeps it; the reply waits for the next fetch`() {
    _ = state.handle(.fetchRequested)
    _ = state.handle(.showRequested(second))
    _ = state.handle(.arrived(generation: 1, first))
    #expect(state.shown == .init(image: second, origin: .favorite))
    #expect(state.handle(.fetchRequested) == [])
    #expect(state.shown?.image == first)
  }

  @Test mutating func `a stand-in that was saved stays when the source answers`() {
    _ = state.handle(.fetchRequested)
    _ = state.handle(.tookLong(generation: 1))
    _ = state.handle(.standInArrived(generation: 1, drawn))
    #expect(state.handle(.saved(drawn)) == [.admire(drawn)])
    _ = state.handle(.arrived(generation: 1, first))
    #expect(state.shown?.image == drawn)
    #expect(state.waiting == first)
    _ = state.handle(.admired(drawn))
    #expect(state.shown?.image == first)
  }

  @Test mutating func `after saving, the star is admired, then the next comes`() {
    _ = state.handle(.fetchRequested)
    _ = state.handle(.arrived(generation: 1, first))
    #expect(state.handle(.saved(first)) == [.admire(first)])
    #expect(state.handle(.admired(first)) == [.fetch(generation: 2)])
    _ = state.handle(.arrived(generation: 2, second))
    #expect(state.handle(.admired(first)) == [], "the person was faster")
  }

  @Test mutating func `a favorite that is saved again stays, and so does all with autoAdvance off`()
  {
    _ = state.handle(.showRequested(first))
    #expect(state.handle(.saved(first)) == [])
    state = CardState(sourceName: "s", standInName: nil, advancesAfterSaving: false)
    _ = state.handle(.fetchRequested)
    _ = state.handle(.arrived(generation: 1, first))
    #expect(state.handle(.saved(first)) == [])
  }

  @Test mutating func `progress counts for the request under way only`() {
    _ = state.handle(.fetchRequested)
    _ = state.handle(.progressed(generation: 1, bytes: 500))
    #expect(state.request?.bytes == 500)
    _ = state.handle(.progressed(generation: 7, bytes: 900))
    #expect(state.request?.bytes == 500)
  }
}
