import Foundation
import SystemSupport
import PandaCore
import PandaTestSupport
import Pantry
import PictureCodecs
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// Enlarged pictures that take long to draw.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct ZoomDrawingTests {
  let directory = TemporaryDirectory()

  @Test func `a favorite that is opened while another is drawn is drawn after it`() async throws {
    let output = GatedOutput()
    // A failure of the test must not keep others waiting.
    defer { output.open() }
    let app = try AppDriver(directory, columns: 100, output: output)
    try await app.favorite(2)
    try app.press(.view(.nextPane), .view(.zoom))
    try await eventually("the first one is being drawn") { output.waitingCount == 1 }
    try app.press(.move(.right))
    try await app.expect("the second one is decoded") { _ in app.app.context.zoom.percent != nil }
    try await app.expect(text: "%")
    #expect(app.display.canvas.placements.isEmpty)
    output.open()
    try await app.expect("the second one is drawn") { $0.canvas.placements.count == 1 }
    try await app.quit()
  }

  @Test func `slow steps do not block other work`() async throws {
    let output = GatedOutput(least: 1)
    defer { output.open() }
    let image = RemoteImage(
      createdAt: Date(), url: URL(string: "https://zoo.example/1")!, width: 64, height: 48,
      dataRepresentation: Attachment(try SmallSource.png(1)), source: "zoo.example")
    // More than the cooperative pool has threads.
    let views = (0...ProcessInfo.processInfo.activeProcessorCount).map { _ in
      ZoomView(output: output, log: .off)
    }
    for view in views { view.open(image) }
    let area = CellRect(column: 0, row: 0, columns: 40, rows: 20)
    try await eventually("all are being drawn") {
      for view in views {
        var canvas = Canvas(size: area.size)
        view.draw(
          in: area, cell: PixelSize(width: 8, height: 16), motion: .off, moment: .zero,
          into: &canvas)
      }
      return output.waitingCount == views.count
    }
    let answer = await Task.detached { "here" }.value
    #expect(answer == "here")
  }
}

/// An output whose large pictures wait until a test opens it.
final class GatedOutput: PictureOutput {
  private let door = DispatchSemaphore(value: 0)
  private let waiting = Lock(0)
  private let least: Int

  /// - Parameter least: the rows from which a picture is large.
  init(least: Int = 26) { self.least = least }

  /// How many pictures wait.
  var waitingCount: Int { waiting.withLock(\.self) }

  /// Lets all pictures through, for good.
  func open() { door.signal() }

  func pixelsPerCell(_ cell: PixelSize) -> PixelSize { PixelSize(width: 1, height: 2) }

  func prepare(
    _ bitmap: Bitmap, encoded: Data?, filling size: CellSize, cell: PixelSize
  ) -> any PreparedPicture {
    if size.rows >= least {
      waiting.withLock { $0 += 1 }
      door.wait()
      door.signal()
      waiting.withLock { $0 -= 1 }
    }
    return BitmapOutput().prepare(bitmap, encoded: encoded, filling: size, cell: cell)
  }
}
