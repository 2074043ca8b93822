import Foundation
import PandaCore
import Pantry
import TerminalKit
import Testing

@testable import PandaSession
@testable import PandaTUI

@Suite struct CardStateTests {
  var state = CardState(sourceName: "source", fallbackName: "grove")

  static func image(_ name: String) -> RemoteImage {
    RemoteImage(
      createdAt: Date(timeIntervalSince1970: 0), url: URL(string: "https://x/\(name)")!, width: 4,
      height: 3, dataRepresentation: Attachment(Data(name.utf8)), source: "source")
  }

  let first = image("first")
  let second = image("second")
  let drawn = image("drawn")

  private mutating func fetchFirst() {
    _ = state.handle(.fetchRequested)
    _ = state.handle(.arrived(generation: 1, first))
  }

  @Test mutating func `a picture that arrives is shown, and the next is prefetched`() {
    #expect(state.shown == nil && state.awaited == nil)
    #expect(
      state.handle(.fetchRequested) == [.fetch(generation: 1), .watch(generation: 1)])
    #expect(state.handle(.fetchRequested) == [], "one request at a time")
    #expect(
      state.handle(.arrived(generation: 1, first)) == [.record(first), .fetch(generation: 2)])
    #expect(state.shown == .init(image: first, origin: .fetched))
    #expect(state.awaited == nil)
  }

  @Test mutating func `three pictures are prefetched, and no more until one is shown`() {
    fetchFirst()
    for generation in 2...3 {
      #expect(
        state.handle(.arrived(generation: generation, Self.image("\(generation)")))
          == [.fetch(generation: generation + 1)])
    }
    #expect(state.handle(.arrived(generation: 4, Self.image("4"))) == [])
    #expect(state.queue.count == 3 && state.request == nil)
    let next = state.queue[0]
    #expect(state.handle(.fetchRequested) == [.record(next), .fetch(generation: 5)])
    #expect(state.shown?.image == next)
  }

  @Test mutating func `only one drawing is prefetched`() {
    state = CardState(sourceName: "grove", fallbackName: nil)
    fetchFirst()
    #expect(state.handle(.arrived(generation: 2, second)) == [])
    #expect(state.handle(.fetchRequested) == [.record(second), .fetch(generation: 3)])
  }

  @Test mutating func `large pictures are not prefetched without limit`() {
    fetchFirst()
    let large = RemoteImage(
      createdAt: Date(), url: URL(string: "https://x/large")!, width: 4, height: 3,
      dataRepresentation: Attachment(Data(count: CardState.aheadByteLimit)), source: "source")
    #expect(state.handle(.arrived(generation: 2, large)) == [])
  }

  @Test mutating func `a request waits for the picture that is being prefetched`() {
    fetchFirst()
    #expect(state.handle(.fetchRequested) == [.watch(generation: 2)])
    #expect(state.awaited?.generation == 2)
    _ = state.handle(.arrived(generation: 2, second))
    #expect(state.shown?.image == second)
  }

  @Test mutating func `a stale reply never replaces a newer card`() {
    _ = state.handle(.fetchRequested)
    #expect(state.handle(.cancelRequested).first == .cancelFetch)
    _ = state.handle(.fetchRequested)
    #expect(state.handle(.arrived(generation: 1, first)) == [])
    #expect(state.shown == nil)
    _ = state.handle(.arrived(generation: 2, second))
    #expect(state.shown?.image == second)
    #expect(state.handle(.failed(generation: 2, .init(sentence: "late"))) == [])
  }

  @Test mutating func `canceling does not stop a prefetch`() {
    fetchFirst()
    #expect(state.handle(.cancelRequested) == [])
    #expect(state.request?.generation == 2)
  }

  @Test mutating func `a slow source gets a fallback, and replaces it when it answers`() {
    _ = state.handle(.fetchRequested)
    #expect(state.handle(.tookLong(generation: 1)) == [.fetchFallback(generation: 1)])
    _ = state.handle(.fallbackArrived(generation: 1, drawn))
    #expect(state.shown == .init(image: drawn, origin: .fallback))
    #expect(state.request != nil, "the request goes on")
    _ = state.handle(.arrived(generation: 1, first))
    #expect(state.shown?.image == first)
  }

  @Test mutating func `a slow source that fails before its fallback arrives still gets it`() {
    _ = state.handle(.fetchRequested)
    #expect(state.handle(.tookLong(generation: 1)) == [.fetchFallback(generation: 1)])
    let effects = state.handle(
      .failed(generation: 1, .init(sentence: "Too slow")))
    #expect(!effects.contains(.fetchFallback(generation: 1)), "it is being drawn already")
    #expect(state.handle(.fallbackArrived(generation: 1, drawn)).contains(.record(drawn)))
    #expect(state.shown == .init(image: drawn, origin: .fallback))
  }

  @Test mutating func `fetching again while a slow source is pending draws another fallback`() {
    _ = state.handle(.fetchRequested)
    _ = state.handle(.tookLong(generation: 1))
    _ = state.handle(.fallbackArrived(generation: 1, drawn))
    #expect(state.handle(.fetchRequested) == [.fetchFallback(generation: 1)])
    _ = state.handle(.fallbackArrived(generation: 1, second))
    #expect(state.shown?.image == second)
  }

  @Test mutating func `messages name the source being asked when several take turns`() {
    _ = state.handle(.fetchRequested)
    _ = state.handle(.progressed(generation: 1, bytes: 0, source: "Openverse"))
    #expect(state.awaited.map(state.name) == "Openverse")
    _ = state.handle(.progressed(generation: 1, bytes: 5))
    _ = state.handle(.tookLong(generation: 1))
    #expect(
      state.handle(.fallbackArrived(generation: 1, drawn)).last
        == .say(.news("Openverse is slow. Meanwhile, a panda drawn in the grove")))
    _ = state.handle(.progressed(generation: 1, bytes: 9, source: "iNaturalist"))
    #expect(
      state.handle(.arrived(generation: 1, first))
        .contains(.say(.news("iNaturalist has answered"))))
  }

  @Test mutating func `a source that answers in time needs no fallback`() {
    fetchFirst()
    #expect(state.handle(.tookLong(generation: 1)) == [])
    _ = state.handle(.fallbackArrived(generation: 1, drawn))
    #expect(state.shown?.image == first)
  }

  @Test mutating func `a source that fails says why, and a fallback comes at once`() {
    _ = state.handle(.fetchRequested)
    #expect(
      state.handle(.failed(generation: 1, .init(sentence: "No network", reason: .offline)))
        == [.retry(after: .seconds(5), number: 1), .fetchFallback(generation: 1)])
    #expect(state.connection.reason?.rawValue == "offline")
    let effects = state.handle(.fallbackArrived(generation: 1, drawn))
    #expect(
      effects == [.record(drawn), .say(.news("No network. Drawn instead; f tries again"))])
    #expect(state.shown?.origin == .fallback)
    #expect(state.handle(.fetchRequested).first == .fetch(generation: 2))
    _ = state.handle(.failed(generation: 2, .init(sentence: "No network", reason: .offline)))
    #expect(
      state.handle(.fallbackArrived(generation: 2, second)) == [.record(second)], "said once")
  }

  @Test mutating func `a source that is back is noticed without a key`() {
    _ = state.handle(.fetchRequested)
    _ = state.handle(.failed(generation: 1, .init(sentence: "No network")))
    _ = state.handle(.fallbackArrived(generation: 1, drawn))
    #expect(state.handle(.retryDue(1)) == [.fetch(generation: 2)])
    #expect(
      state.handle(.failed(generation: 2, .init(sentence: "No network")))
        == [.retry(after: .seconds(10), number: 2)])
    #expect(state.handle(.retryDue(2)) == [.fetch(generation: 3)])
    #expect(
      state.handle(.arrived(generation: 3, first))
        == [.say(.news("source has answered. f shows its panda")), .fetch(generation: 4)])
    #expect(state.connection.reason?.rawValue == nil)
    #expect(state.shown?.image == drawn, "nothing jumps")
    #expect(state.handle(.retryDue(2)) == [])
  }

  @Test mutating func `repeated failures leave one pending retry`() {
    for generation in 1...3 {
      _ = state.handle(.fetchRequested)
      let effects = state.handle(.failed(generation: generation, .init(sentence: "No network")))
      #expect(effects.first == .retry(after: .seconds(5 << (generation - 1)), number: generation))
    }
    #expect(state.handle(.retryDue(1)) == [])
    #expect(state.handle(.retryDue(2)) == [])
    #expect(state.handle(.retryDue(3)) == [.fetch(generation: 4)])
  }

  @Test mutating func `canceling a fetch without network still schedules a retry`() {
    _ = state.handle(.fetchRequested)
    _ = state.handle(.failed(generation: 1, .init(sentence: "No network")))
    _ = state.handle(.fetchRequested)
    #expect(state.handle(.retryDue(1)) == [], "somebody is asking already")
    #expect(state.handle(.cancelRequested).last == .retry(after: .seconds(5), number: 2))
    #expect(state.handle(.retryDue(2)) == [.fetch(generation: 3)])
  }

  @Test mutating func `messages name the keys that are bound`() {
    let keys = KeyTable.standard.rebound([.card(.fetch): [.character("a")]]).table
    state = CardState(sourceName: "source", fallbackName: nil, keys: keys)
    _ = state.handle(.fetchRequested)
    #expect(
      state.handle(.cancelRequested).last == .say(.info("Stopped fetching. a fetches again")))
    let none = KeyTable.standard.rebound([.card(.fetch): []]).table
    state = CardState(sourceName: "source", fallbackName: nil, keys: none)
    _ = state.handle(.fetchRequested)
    #expect(
      state.handle(.failed(generation: 1, .init(sentence: "No network"))).last
        == .say(.problem("No network")))
  }

  @Test mutating func `the last picture seen is shown at launch until the first one arrives`() {
    _ = state.handle(.foundNewest(second))
    #expect(state.shown == .init(image: second, origin: .seen))
    #expect(state.handle(.begin) == [.fetch(generation: 1), .watch(generation: 1)])
    #expect(state.handle(.begin) == [], "once")
    #expect(state.handle(.tookLong(generation: 1)) == [], "no drawing in its place")
    _ = state.handle(.arrived(generation: 1, first))
    #expect(state.shown?.image == first)
  }

  @Test mutating func `at launch without network the last picture seen stays`() {
    _ = state.handle(.foundNewest(second))
    _ = state.handle(.begin)
    let effects = state.handle(.failed(generation: 1, .init(sentence: "No network")))
    #expect(
      effects.last
        == .say(.news("No network. Your favorites are here; f tries again")))
    #expect(state.shown?.image == second)
  }

  @Test mutating func `a failure without a fallback only reports the failure`() {
    state = CardState(sourceName: "grove", fallbackName: nil)
    _ = state.handle(.fetchRequested)
    #expect(state.handle(.tookLong(generation: 1)) == [])
    #expect(
      state.handle(.failed(generation: 1, .init(sentence: "No memory"))).last
        == .say(.problem("No memory. f tries again")))
  }

  @Test mutating func `an opened favorite stays; a late reply waits for the next fetch`() {
    _ = state.handle(.fetchRequested)
    _ = state.handle(.showRequested(second, .favorite))
    #expect(
      state.handle(.arrived(generation: 1, first)).first
        == .say(.news(FetchWords(names: KeyTable.standard).answeredAhead("source"))))
    #expect(state.shown == .init(image: second, origin: .favorite))
    #expect(state.handle(.fetchRequested) == [.record(first)])
    #expect(state.shown?.image == first)
  }

  @Test mutating func `a fallback that was saved stays when the source answers`() {
    _ = state.handle(.fetchRequested)
    _ = state.handle(.tookLong(generation: 1))
    _ = state.handle(.fallbackArrived(generation: 1, drawn))
    #expect(state.handle(.saved(drawn)) == [.delayAdvance(drawn)])
    _ = state.handle(.arrived(generation: 1, first))
    #expect(state.shown?.image == drawn)
    #expect(state.queue == [first])
    _ = state.handle(.advanceDue(drawn))
    #expect(state.shown?.image == first)
  }

  @Test mutating func `the star stays for a moment before the next picture`() {
    fetchFirst()
    #expect(!state.isAboutToAdvance)
    #expect(state.handle(.saved(first)) == [.delayAdvance(first)])
    #expect(state.isAboutToAdvance)
    _ = state.handle(.arrived(generation: 2, second))
    #expect(state.handle(.advanceDue(first)).first == .record(second))
    #expect(!state.isAboutToAdvance)
    #expect(state.handle(.advanceDue(first)) == [], "the person was faster")
  }

  @Test mutating func `a favorite opened while its star is shown stays`() {
    fetchFirst()
    _ = state.handle(.saved(first))
    _ = state.handle(.arrived(generation: 2, second))
    _ = state.handle(.showRequested(first, .favorite))
    #expect(state.handle(.advanceDue(first)) == [])
    #expect(state.shown == .init(image: first, origin: .favorite))
  }

  @Test mutating func `a favorite that is saved again stays, as does any with autoAdvance off`() {
    _ = state.handle(.showRequested(first, .favorite))
    #expect(state.handle(.saved(first)) == [])
    state = CardState(sourceName: "s", fallbackName: nil, advancesAfterSaving: false)
    fetchFirst()
    #expect(state.handle(.saved(first)) == [])
  }

  @Test mutating func `hiding a picture shows the next one`() {
    fetchFirst()
    let copy = RemoteImage(
      createdAt: first.createdAt, url: URL(string: "https://x/copy")!, width: 4, height: 3,
      dataRepresentation: Attachment(Data("first".utf8)), source: "source")
    _ = state.handle(.arrived(generation: 2, copy))
    _ = state.handle(.arrived(generation: 3, second))
    _ = state.handle(.hidden(first))
    #expect(state.shown?.image == second)
    #expect(state.handle(.hidden(first)) == [])
  }

  @Test mutating func `progress counts for the request under way only`() {
    _ = state.handle(.fetchRequested)
    _ = state.handle(.progressed(generation: 1, bytes: 500))
    #expect(state.request?.bytes == 500)
    _ = state.handle(.progressed(generation: 7, bytes: 900))
    #expect(state.request?.bytes == 500)
  }
}

@Suite struct ConnectionTests {
  @Test func `waits double to a minute, and are never shorter than the server asks for`() {
    var connection = Connection()
    var waits: [Duration] = []
    for _ in 1...9 { waits.append(connection.fail(.init(sentence: ""))) }
    #expect(
      waits == [5, 10, 20, 40, 60, 60, 60, 60, 60].map { Duration.seconds($0) })
    #expect(connection.fail(.init(sentence: "", retryAfter: .seconds(900))) == .seconds(900))
    #expect(connection.reason == .trouble)
    let answers = [connection.succeed(), connection.succeed()]
    #expect(answers == [true, false], "only the first answer is news")
    #expect(connection.fail(.init(sentence: "", reason: .offline)) == .seconds(5))
    #expect(connection.reason == .offline)
  }

  @Test(
    arguments: [
      (HTTPError(.lookupTimeout, host: "a"), "offline"),
      (HTTPError(.status(429, retryAfter: nil), host: "a"), "too many requests"),
      (HTTPError(.resting(.seconds(5)), host: "a"), "too many requests"),
      (ImageSourceError(.resting(.seconds(5)), host: "a"), "too many requests"),
      (HTTPError(.status(503, retryAfter: .seconds(5)), host: "a"), "trouble"),
      (HTTPError(.connectionRefused, host: "a"), "trouble"),
      (ImageSourceError(.webPage, host: "a"), "trouble"),
    ] as [(any Error, String)])
  func `fault 102: a word says why pictures cannot be fetched`(error: any Error, word: String) {
    #expect(Connection.Failure(error).reason.rawValue == word)
  }
}
