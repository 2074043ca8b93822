import Foundation
import PandaTestSupport
import Testing

@testable import PandaTUI

/// The program on the files of a released version: favorites, values, settings, thumbnails.
@Suite struct ReleasedHomeTests {
  let directory = TemporaryDirectory()

  @Test(arguments: ReleasedData.all("closed"))
  func `a home of a release is shown as it was left`(data: ReleasedData) async throws {
    try data.copy(to: directory)
    // The favorites are where `--data-dir` looks for them.
    let panda = try PandaDriver(
      directory, source: "grove",
      arguments: ["--data-dir", directory.path("data/panda")])
    try await panda.tmux.expect(text: "★ 4 · oldest first")
    try await panda.expectThumbnails()
    // 8 pandas were shown, and one more is now.
    try await panda.tmux.expect(text: "9 seen")
    // Its configuration gave fetching a third key.
    try panda.tmux.press("F")
    try await panda.tmux.expect(text: "10 seen")
    try panda.press(.nextPane, .first)
    try await panda.tmux.expect(text: "The first one – naïve café")
    try panda.press(.trash)
    try await panda.tmux.expect(text: "Trash (2)")
    if data.release != "0.1.0" {
      // Its configuration gave the collections another key.
      try panda.tmux.press("K")
      try await panda.tmux.expect(text: "In the snow")
      try panda.tmux.press(.escape)
      // Esc with the next key at once would be Alt with it.
      try await panda.tmux.expect("the list is closed") { !$0.contains("In the snow") }
    }
    try await panda.quit()
  }

  @Test(arguments: ReleasedData.all("killed"))
  func `the last changes of a killed release are in its log, and are shown`(data: ReleasedData)
    async throws
  {
    try data.copy(to: directory)
    let panda = try PandaDriver(
      directory, source: "grove",
      arguments: ["--data-dir", directory.path("data/panda")], columns: 150)
    try await panda.tmux.expect(text: "Favorites (6) · oldest first")
    try panda.press(.nextPane, .first)
    try await panda.tmux.expect(text: "Only in the -wal")
    try panda.press(.redo)
    try await panda.expect(favorites: 5)
    try await panda.quit()
  }
}
