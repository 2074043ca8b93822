import Dispatch
import Foundation
import PandaTestSupport
import PictureCodecs
import Synchronization
import Testing

@testable import TerminalKit

/// The end of the program while something takes long.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct QuittingTests {
  private let directory = TemporaryDirectory()

  @Test func `quitting never waits for pictures that are being drawn`() async throws {
    try await ManyFavorites.save(4, in: directory)
    let output = BlockedOutput()
    defer { output.release() }
    let panda = try AppDriver(directory, output: output)
    // The card's picture, and thumbnails; how many at a time depends on the cores.
    try await panda.expect("pictures that are being drawn") { _ in output.begunCount >= 2 }
    var hasEnded = false
    let quitting = Task {
      try await panda.quit()
      hasEnded = true
    }
    try await eventually("the end of the run") { hasEnded }
    #expect(output.endedCount == 0)
    try await quitting.value
  }
}

/// An output that takes as long for each picture as the test wants.
private final class BlockedOutput: PictureOutput {
  private let output = BitmapOutput()
  private let begun = Atomic(0)
  private let ended = Atomic(0)
  private let isReleased = Atomic(false)
  private let gate = DispatchGroup()

  init() {
    gate.enter()
    // If drawing blocked Swift's pool, no task would be left to see the deadline of the test.
    DispatchQueue.global().asyncAfter(deadline: .now() + 120) { [weak self] in self?.release() }
  }

  /// How many pictures were begun, and how many of them are ready.
  var begunCount: Int { begun.load(ordering: .relaxed) }
  var endedCount: Int { ended.load(ordering: .relaxed) }

  /// Lets all pictures become ready.
  func release() {
    if !isReleased.exchange(true, ordering: .relaxed) { gate.leave() }
  }

  func pixelsPerCell(_ cell: PixelSize) -> PixelSize { output.pixelsPerCell(cell) }

  func prepare(
    _ bitmap: Bitmap, encoded: Data?, filling size: CellSize, cell: PixelSize
  ) -> any PreparedPicture {
    begun.add(1, ordering: .relaxed)
    gate.wait()
    ended.add(1, ordering: .relaxed)
    return output.prepare(bitmap, encoded: encoded, filling: size, cell: cell)
  }
}
