import Foundation
import PandaTestSupport
import Testing

@testable import PandaSession

/// The program on the files of a released version: favorites, values, settings, thumbnails.
@Suite struct ReleasedHomeTests {
  let directory = TemporaryDirectory()

  @Test(arguments: ReleasedData.all("closed"))
  func `a home of a release is shown as it was left`(data: ReleasedData) async throws {
    try data.copy(to: directory)
    // The favorites are where `--data-dir` looks for them.
    let panda = try PandaDriver(
      directory, source: "grove",
      arguments: ["--data-dir", directory.path("data/panda")],
      environment: ["XDG_DATA_HOME=\(directory.path("data"))"])
    try await panda.tmux.expect(text: "★ 4 · oldest first")
    try await panda.expectThumbnails()
    // 8 pandas were shown, and one more is now.
    try await panda.tmux.expect(text: "9 seen")
    // Its configuration gave fetching a third key.
    try panda.tmux.press("F")
    try await panda.tmux.expect(text: "10 seen")
    try panda.press(.view(.nextPane), .move(.first))
    try await panda.tmux.expect(text: "The first")
    try panda.press(.favorites(.trash))
    try await panda.tmux.expect(text: "Trash (2)")
    // Its configuration gave the collections another key.
    try panda.tmux.press("K")
    try await panda.tmux.expect(text: "In the snow")
    try panda.tmux.press(.escape)
    // Esc with the next key at once would be Alt with it.
    try await panda.tmux.expect("the list is closed") { !$0.contains("In the snow") }
    try await panda.quit()
  }

  @Test func `a home of 0.1.0 is refused with status 4, and untouched`() throws {
    try ReleasedData(release: "0.1.0", home: "closed").copy(to: directory)
    let files = ["data/panda/favorites.sqlite", "state/panda/values.json"].map {
      directory.url.appending(path: $0)
    }
    let before = try files.map { try Data(contentsOf: $0) }
    for arguments in [["list"], ["fetch", "--keep"], ["backup", directory.path("copy")]] {
      let result = try Subprocess.run(
        [try BuildProducts.path(of: "panda"), "--source", "grove"] + arguments,
        environment: [
          "PATH=/usr/bin:/bin", "HOME=\(directory.url.path)", "LC_ALL=C.UTF-8", "TERM=xterm",
          "XDG_DATA_HOME=\(directory.path("data"))", "XDG_STATE_HOME=\(directory.path("state"))",
        ])
      #expect(result.status == 4, "\(arguments): \(result.output)")
      #expect(result.output.contains("written by Panda 0.1.0; open it once with 0.2.0"))
    }
    #expect(try files.map { try Data(contentsOf: $0) } == before)
    #expect(!FileManager.default.fileExists(atPath: directory.path("state/panda/values.json.d")))
  }

  @Test func `collections of 0.2.0 come into the default library, and leave with it`() throws {
    try ReleasedData(release: "0.2.0", home: "closed").copy(to: directory)
    let former = directory.url.appending(path: "state/panda/values.json.d/collections.json")
    let bytes = try Data(contentsOf: former)
    func panda(_ arguments: String..., status: Int32 = 0) throws -> String {
      let result = try Subprocess.run(
        [try BuildProducts.path(of: "panda")] + arguments,
        environment: [
          "PATH=/usr/bin:/bin", "HOME=\(directory.url.path)", "LC_ALL=C.UTF-8",
          "XDG_DATA_HOME=\(directory.path("data"))", "XDG_STATE_HOME=\(directory.path("state"))",
          "XDG_CACHE_HOME=\(directory.path("cache"))",
          "XDG_CONFIG_HOME=\(directory.path("config"))",
        ])
      #expect(result.status == status, "\(arguments): \(result.output)")
      return result.output
    }
    let snow = "in:\"In the snow\""
    #expect(try panda("list", "--ids", snow).split(separator: "\n").count == 1)
    #expect(try Data(contentsOf: former) == bytes)
    // Other libraries take nothing by themselves.
    let other = directory.path("other")
    #expect(
      try panda("list", "--data-dir", other, snow, status: 5).contains("no collection In-the-snow"))
    let (all, imported) = (directory.path("all"), directory.path("imported"))
    _ = try panda("export", all)
    _ = try panda("import", all, "--data-dir", imported)
    #expect(!(try panda("list", "--ids", "--data-dir", imported, snow).isEmpty))
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    _ = try panda("backup", other + "/favorites.sqlite", "--replace")
    #expect(!(try panda("list", "--ids", "--data-dir", other, snow).isEmpty))
  }

  @Test(arguments: ReleasedData.all("killed"))
  func `the last changes of a killed release are in its log, and are shown`(data: ReleasedData)
    async throws
  {
    try data.copy(to: directory)
    let panda = try PandaDriver(
      directory, source: "grove",
      arguments: ["--data-dir", directory.path("data/panda")], columns: 150)
    try await panda.tmux.expect(text: "┬─ Favorites (6) · oldest first")
    try panda.press(.view(.nextPane), .move(.first))
    try await panda.tmux.expect(text: "Only in the -wal")
    try panda.press(.favorites(.redo))
    try await panda.expect(favorites: 5)
    try await panda.quit()
  }
}
