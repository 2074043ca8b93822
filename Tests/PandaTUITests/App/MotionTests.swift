import Foundation
import PandaCore
import PandaTestSupport
import PictureCodecs
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// An animated picture on the card.
@MainActor
@Suite struct MotionTests {
  private let directory = TemporaryDirectory()

  /// Starts the program with an animation of three frames of 100, 200 and 300 milliseconds.
  private func start(
    loopCount: Int? = nil, _ configuration: Configuration = Configuration()
  ) async throws -> AppDriver {
    let panda = try AppDriver(
      directory, source: MovingSource(loopCount: loopCount), configuration: configuration)
    try await panda.expectPicture()
    try await panda.expect(favorites: 0)
    return panda
  }

  /// Lets what was waiting before end, and waits until the first frame is shown.
  private func settle(_ panda: AppDriver) async throws {
    try await eventually("the animation is decoded") { panda.app.context.cardView.isMoving }
    try await expectFrame(0, panda)
  }

  private func expectFrame(_ number: Int, _ panda: AppDriver) async throws {
    try await panda.expect("frame \(number)") { _ in frame(panda) == number }
  }

  /// Waits until a frame is anywhere on the screen.
  private func expectShown(_ number: Int, _ panda: AppDriver) async throws {
    try await panda.expect("frame \(number)") { display in
      display.canvas.placements.contains { placement in
        (placement.picture as? BitmapPicture).map {
          Array($0.bitmap.pixels.prefix(3)) == MovingSource.colors[number]
        } ?? false
      }
    }
  }

  /// The number of the frame on the card, by its color.
  private func frame(_ panda: AppDriver) -> Int? {
    (panda.cardPicture as? BitmapPicture).flatMap { picture in
      MovingSource.colors.firstIndex { $0 == Array(picture.bitmap.pixels.prefix(3)) }
    }
  }

  @Test func `each frame is shown for its time, again and again`() async throws {
    let panda = try await start()
    try await settle(panda)
    for _ in 0..<2 {
      for (number, milliseconds) in [(1, 100), (2, 200), (0, 300)] {
        panda.clock.advance(by: .milliseconds(milliseconds))
        try await expectFrame(number, panda)
      }
    }
    try await panda.quit()
  }

  @Test func `an animation stops after its loops, and no timer remains`() async throws {
    let panda = try await start(loopCount: 2)
    try await settle(panda)
    for _ in 0..<20 {
      panda.clock.advance(by: .milliseconds(100))
      await Task.yield()
    }
    try await eventually("the animation is over") { panda.app.context.cardView.isMoving == false }
    panda.clock.advance(by: .seconds(60))
    try await expectFrame(2, panda)
    try await eventually("nothing is waited for") { panda.clock.waitingCount == 0 }
    try await panda.quit()
  }

  @Test func `the selected picture of the grid is animated`() async throws {
    let panda = try await start()
    try await settle(panda)
    try panda.press(.favorites(.favorite))
    try await panda.expect(favorites: 1)
    try panda.press(.view(.grid))
    try await panda.expect(text: "1/1")
    try await eventually("the animation is decoded") {
      panda.app.context.carousel.nextFrame(after: .zero) != nil
    }
    #expect(panda.app.context.cardView.isMoving == false, "the card is hidden")
    panda.clock.advance(by: .milliseconds(100))
    try await expectShown(1, panda)
    try panda.press(.program(.cancel))
    try await panda.expect(favorites: 1)
    try await eventually("nothing moves there") {
      panda.app.context.carousel.nextFrame(after: .zero) == nil
    }
    try await panda.quit()
  }

  @Test func `an enlarged picture is animated while all of it is shown`() async throws {
    let panda = try await start()
    try await settle(panda)
    try panda.press(.view(.zoom))
    try await eventually("the animation is decoded") {
      panda.app.context.zoom.nextFrame(after: .zero) != nil
    }
    #expect(panda.app.context.cardView.isMoving == false, "the card is hidden")
    panda.clock.advance(by: .milliseconds(100))
    try await expectShown(1, panda)
    panda.clock.advance(by: .milliseconds(200))
    try await expectShown(2, panda)
    // On a large screen, the few pixels are as large as they become.
    panda.resize(columns: 30, rows: 8)
    try await eventually("frames of that size move") {
      panda.app.context.zoom.state?.view.columns == 30
        && panda.app.context.zoom.nextFrame(after: .zero) != nil
    }
    try panda.press(.view(.larger))
    try await eventually("an enlarged one stands") {
      panda.app.context.zoom.nextFrame(after: .zero) == nil
    }
    try await expectShown(0, panda)
    try panda.press(.view(.smaller))
    try await eventually("it moves again") { panda.app.context.zoom.nextFrame(after: .zero) != nil }
    panda.app.handle([.focus(false)])
    try await eventually("it stands without focus") {
      panda.app.context.zoom.nextFrame(after: .zero) == nil
    }
    panda.resize(columns: 120, rows: 30)
    try panda.press(.program(.cancel))
    try await eventually("the card moves") { panda.app.context.cardView.isMoving }
    try await panda.quit()
  }

  @Test func `in the grid nothing moves while a filter hides the selected one`() async throws {
    let panda = try await start()
    try await settle(panda)
    try panda.press(.favorites(.favorite))
    try await panda.expect(favorites: 1)
    try panda.press(.view(.grid))
    try await panda.expect(text: "1/1")
    try await eventually("the animation is decoded") {
      panda.app.context.carousel.nextFrame(after: .zero) != nil
    }
    try panda.press(.favorites(.filter))
    panda.type("nothing")
    try await panda.expect(text: "No matches")
    panda.clock.advance(by: .seconds(60))
    try await panda.expectAnotherFrame()
    #expect(panda.clock.waitingCount == 0)
    try panda.press(.program(.cancel))
    try await panda.quit()
  }

  @Test func `an animation pauses without focus, under a dialog and where there is no room`()
    async throws
  {
    let panda = try await start()
    try await settle(panda)
    panda.clock.advance(by: .milliseconds(100))
    try await expectFrame(1, panda)
    // A key means that the window has the focus.
    let pauses: [(begin: () throws -> Void, end: () throws -> Void)] = [
      ({ panda.app.handle([.focus(false)]) }, { panda.app.handle([.focus(true)]) }),
      ({ panda.app.handle([.focus(false)]) }, { try panda.press(.view(.nextPane)) }),
      ({ try panda.press(.program(.help)) }, { panda.press(key: .escape) }),
      ({ panda.resize(columns: 20, rows: 5) }, { panda.resize(columns: 120, rows: 30) }),
    ]
    for pause in pauses {
      try pause.begin()
      try await eventually("it stands") { !panda.app.context.cardView.isMoving }
      panda.clock.advance(by: .seconds(60))
      try await eventually("nothing is waited for") { panda.clock.waitingCount == 0 }
      try pause.end()
      try await eventually("it moves") { panda.app.context.cardView.isMoving }
    }
    try await panda.quit()
  }

  @Test func `reduceMotion shows the first frame`() async throws {
    let panda = try await start(Configuration(reduceMotion: true))
    panda.clock.advance(by: .seconds(60))
    try await eventually("nothing is waited for") { panda.clock.waitingCount == 0 }
    #expect(frame(panda) == 0)
    #expect(!panda.app.context.cardView.isMoving)
    try await panda.quit()
  }

  @Test func `a slow terminal gets fewer frames, and the keys in between`() async throws {
    let panda = try await start()
    try await settle(panda)
    // A hundred loops, in which everything else comes to rest.
    panda.clock.advance(by: .seconds(60))
    try await expectFrame(0, panda)
    try await eventually("only the next frame is waited for") { panda.clock.waitingCount == 1 }
    panda.display.onPresent = { panda.clock.pass(.milliseconds(450)) }
    panda.clock.advance(by: .milliseconds(100))
    try await eventually("the first slow frame is shown") {
      panda.clock.waitingCount == 1 && frame(panda) == 1
    }
    let frames = panda.display.frameCount
    panda.clock.advance(by: .milliseconds(674))
    await Task.yield()
    #expect(panda.display.frameCount == frames, "the terminal has longer for keys")
    panda.clock.advance(by: .milliseconds(1))
    try await eventually("frames are left out") { panda.display.frameCount == frames + 1 }
    #expect(frame(panda) == 0)
    panda.display.onPresent = {}
    try await panda.quit()
  }

  @Test func `nothing moves while the terminal takes a frame, and keys do not change that`()
    async throws
  {
    let panda = try await start()
    try await settle(panda)
    panda.display.isSlow = true
    panda.clock.advance(by: .milliseconds(100))
    try await expectFrame(1, panda)
    // Another frame of the animation would cut off the one that is being sent.
    panda.clock.advance(by: .milliseconds(250))
    try panda.press(.view(.nextPane))
    let frames = panda.display.frameCount
    try await eventually("the key is drawn") { panda.display.frameCount > frames }
    #expect(frame(panda) == 1)
    panda.display.isSlow = false
    panda.display.take()
    panda.clock.advance(by: .milliseconds(600))
    try await expectFrame(2, panda)
    try await panda.quit()
  }
}

/// A source of one animated GIF.
struct MovingSource: ImageSource {
  let name = "moving.example"
  var loopCount: Int?

  /// Red, green and blue of each frame.
  static let colors: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255]]

  func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> FetchedImage {
    let gif = AnimatedGIF(colors: Self.colors, delays: [10, 20, 30], loopCount: loopCount)
    return FetchedImage(
      url: URL(string: "https://moving.example/1")!, data: Data(gif.bytes), source: name,
      title: "Moving")
  }
}
