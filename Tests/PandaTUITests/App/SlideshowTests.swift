import PandaTestSupport
import Testing

@testable import PandaSession
@testable import PandaTUI

@Suite struct SlideshowTests {
  private let ids = (1...7).map { "\($0)" }

  /// Shows so many favorites, beginning after one.
  private func shown(
    _ count: Int, after first: String, in ids: [String], _ show: inout Slideshow,
    _ generator: inout SplitMix64
  ) -> [String] {
    var current: String? = first
    return (1...count).compactMap { _ in
      current = show.next(after: current, in: ids, using: &generator)
      return current
    }
  }

  @Test func `in order, the first one follows the last one`() {
    var show = Slideshow()
    var generator = SplitMix64(seed: 1)
    _ = show.start(withFavorites: true)
    #expect(shown(4, after: "5", in: ids, &show, &generator) == ["6", "7", "1", "2"])
    // The current one is gone.
    #expect(show.next(after: "x", in: ids, using: &generator) == "1")
    #expect(show.next(after: "1", in: [], using: &generator) == nil)
  }

  @Test(arguments: 1...20) func `shuffled, none comes twice before all were shown`(_ seed: UInt64) {
    var show = Slideshow()
    var generator = SplitMix64(seed: seed)
    _ = show.start(withFavorites: true, isShuffled: true)
    let first = ["3"] + shown(6, after: "3", in: ids, &show, &generator)
    #expect(first.sorted() == ids)
    let second = shown(7, after: first[6], in: ids, &show, &generator)
    #expect(Set(second.prefix(6) + [first[6]]) == Set(ids))
    for (one, other) in zip(first + second, (first + second).dropFirst()) { #expect(one != other) }
  }

  @Test func `a seed gives one order, and another seed another`() {
    let orders = ([1, 1, 2] as [UInt64]).map { seed in
      var show = Slideshow()
      var generator = SplitMix64(seed: seed)
      _ = show.start(withFavorites: true, isShuffled: true)
      return shown(7, after: "1", in: ids, &show, &generator)
    }
    #expect(orders[0] == orders[1] && orders[0] != orders[2])
  }

  @Test func `a resumed slideshow continues, with new favorites`() {
    var show = Slideshow()
    var generator = SplitMix64(seed: 3)
    _ = show.start(withFavorites: true, isShuffled: true)
    let first = ["1"] + shown(3, after: "1", in: ids, &show, &generator)
    show.stop()
    _ = show.start(withFavorites: true, isShuffled: true)
    let rest = shown(4, after: first[3], in: ids + ["8"], &show, &generator)
    #expect((first + rest).sorted() == ids + ["8"])
  }

  @Test func `one favorite is shown again and again`() {
    var show = Slideshow()
    var generator = SplitMix64(seed: 4)
    _ = show.start(withFavorites: true, isShuffled: true)
    #expect(shown(3, after: "1", in: ["1"], &show, &generator) == ["1", "1", "1"])
  }

  @Test func `the key for the order only pauses a show of new pandas`() {
    var show = Slideshow()
    _ = show.start(withFavorites: false)
    #expect(
      show.isPaused(by: .favorites(.sort)) && show.isPaused(by: nil)
        && !show.isPaused(by: .favorites(.favorite)))
    _ = show.start(withFavorites: true)
    #expect(
      !show.isPaused(by: .favorites(.sort)) && show.isPaused(by: .favorites(.remove))
        && show.isPaused(by: nil))
  }
}
