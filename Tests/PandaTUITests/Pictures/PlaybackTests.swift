import Testing

@testable import PandaSession

@Suite struct PlaybackTests {
  private static let durations = [100, 200, 300].map { Duration.milliseconds($0) }
  private var playback = Playback(durations: durations, loopCount: nil)

  /// The frame that is due, with the time until the next one.
  private mutating func due(at milliseconds: Int) -> [Int?] {
    let moment = Duration.milliseconds(milliseconds)
    playback.advance(to: moment)
    let wait = playback.nextFrame(after: moment).map { Int($0 / .milliseconds(1)) }
    return [playback.index, wait]
  }

  @Test mutating func `each frame is due for its time, without end`() {
    playback.run(at: .milliseconds(1_000))
    #expect(due(at: 1_000) == [0, 100])
    #expect(due(at: 1_099) == [0, 1])
    #expect(due(at: 1_100) == [1, 200])
    #expect(due(at: 1_300) == [2, 300])
    #expect(due(at: 1_600) == [0, 100])
    #expect(due(at: 1_850) == [1, 50])
  }

  @Test mutating func `late frames are left out`() {
    playback.run(at: .zero)
    #expect(due(at: 350) == [2, 250])
    #expect(due(at: 600 + 350) == [2, 250])
    #expect(due(at: 600 * 1_000_000_000 + 120) == [1, 180])
  }

  @Test mutating func `playback stops, and resumes where it was`() {
    #expect(due(at: 5_000) == [0, nil])
    playback.run(at: .milliseconds(5_000))
    playback.stop(at: .milliseconds(5_130))
    #expect(due(at: 9_000) == [1, nil])
    playback.stop(at: .milliseconds(9_500))
    playback.run(at: .milliseconds(10_000))
    playback.run(at: .milliseconds(10_050))
    #expect(due(at: 10_100) == [1, 70])
    #expect(due(at: 10_170) == [2, 300])
  }

  @Test(arguments: [2_000, 1_199, 1_200, 99_999])
  func `after its loops the last frame stays`(_ milliseconds: Int) {
    var playback = Playback(durations: Self.durations, loopCount: 2)
    playback.run(at: .zero)
    playback.advance(to: .milliseconds(milliseconds))
    #expect(playback.index == 2)
    #expect(playback.isOver == (milliseconds >= 1_200))
    #expect((playback.nextFrame(after: .milliseconds(milliseconds)) == nil) == playback.isOver)
    playback.advance(to: .seconds(100_000))
    playback.run(at: .seconds(100_000))
    #expect(playback.index == 2 && playback.isOver)
  }

  @Test func `one loop is seen to its end, whatever the steps`() {
    var playback = Playback(durations: Self.durations, loopCount: 1)
    playback.run(at: .zero)
    var seen: [Int] = []
    for step in 0...20 {
      playback.advance(to: .milliseconds(step * 50))
      if seen.last != playback.index { seen.append(playback.index) }
    }
    #expect(seen == [0, 1, 2])
    #expect(playback.isOver)
  }
}
