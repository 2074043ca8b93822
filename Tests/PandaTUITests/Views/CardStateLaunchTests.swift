import Testing

@testable import PandaTUI

/// What is on the card until the first picture has been fetched.
@Suite struct CardStateLaunchTests {
  var state = CardState(sourceName: "source", fallbackName: "grove")
  let first = CardStateTests.image("first")
  let second = CardStateTests.image("second")
  let drawn = CardStateTests.image("drawn")

  @Test mutating func `at the very first launch a panda is drawn, until the photo comes`() {
    #expect(
      state.handle(.begin)
        == [.fetch(generation: 1), .watch(generation: 1), .sketchFallback(generation: 1)])
    _ = state.handle(.sketchArrived(second))
    #expect(state.shown == nil && state.sketch == second, "it is seen, and cannot be kept")
    #expect(state.handle(.fallbackArrived(generation: 1, drawn)) == [.record(drawn)])
    #expect(state.shown == .init(image: drawn, origin: .fallback) && state.sketch == nil)
    #expect(state.handle(.tookLong(generation: 1)) == [], "no second drawing")
    _ = state.handle(.arrived(generation: 1, first))
    #expect(state.shown?.image == first)
  }

  @Test mutating func `a sketch is seen before anything is fetched, and never after a choice`() {
    _ = state.handle(.sketchArrived(second))
    #expect(state.shown == nil && state.sketch == second)
    _ = state.handle(.begin)
    _ = state.handle(.cancelRequested)
    #expect(state.sketch == nil)
    _ = state.handle(.sketchArrived(second))
    #expect(state.sketch == nil, "nobody waits for it")
    _ = state.handle(.showRequested(drawn, .favorite))
    _ = state.handle(.sketchArrived(second))
    #expect(state.sketch == nil && state.shown?.image == drawn)
  }

  @Test mutating func `a key at the first launch keeps the drawing, and the photo is next`() {
    _ = state.handle(.begin)
    _ = state.handle(.fallbackArrived(generation: 1, drawn))
    _ = state.handle(.touched)
    _ = state.handle(.arrived(generation: 1, first))
    #expect(state.shown?.image == drawn && state.queue == [first])
    _ = state.handle(.fetchRequested)
    #expect(state.shown?.image == first)
  }

  @Test mutating func `without network the drawing of the first launch stays, and says why`() {
    _ = state.handle(.begin)
    #expect(
      state.handle(.failed(generation: 1, .init(sentence: "No network")))
        == [.retry(after: .seconds(5), number: 1)], "it is being drawn")
    _ = state.handle(.sketchArrived(second))
    #expect(state.sketch == second, "until it has been drawn")
    #expect(
      state.handle(.fallbackArrived(generation: 1, drawn))
        == [.record(drawn), .say(.news("No network. Drawn instead; f tries again"))])
    state = CardState(sourceName: "source", fallbackName: "grove")
    _ = state.handle(.begin)
    _ = state.handle(.fallbackArrived(generation: 1, drawn))
    #expect(
      state.handle(.failed(generation: 1, .init(sentence: "No network")))
        == [
          .retry(after: .seconds(5), number: 1),
          .say(.news("No network. Drawn instead; f tries again")),
        ])
  }

  @Test mutating func `a choice made before launch ends is kept`() {
    _ = state.handle(.foundNewest(second))
    _ = state.handle(.showRequested(drawn, .favorite))
    #expect(state.handle(.begin) == [.fetch(generation: 1)], "ahead")
    _ = state.handle(.arrived(generation: 1, first))
    #expect(state.shown?.image == drawn)
    state = CardState(sourceName: "source", fallbackName: nil)
    _ = state.handle(.fetchRequested)
    #expect(state.handle(.begin) == [])
  }

  @Test mutating func `a key press during launch keeps the picture on the card`() {
    _ = state.handle(.foundNewest(second))
    _ = state.handle(.begin)
    _ = state.handle(.touched)
    _ = state.handle(.arrived(generation: 1, first))
    #expect(state.shown?.image == second)
    _ = state.handle(.fetchRequested)
    #expect(state.shown?.image == first)
  }

  @Test mutating func `a key pressed before the first picture changes nothing`() {
    _ = state.handle(.begin)
    _ = state.handle(.touched)
    _ = state.handle(.arrived(generation: 1, first))
    #expect(state.shown?.image == first)
    _ = state.handle(.foundNewest(second))
    #expect(state.shown?.image == first, "the newer one stays")
  }
}
