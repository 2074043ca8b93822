import Foundation
import PandaTestSupport
import Testing

@testable import PandaCore
@testable import Pantry

/// Exports and imports in processes of their own: killed, on a full disk, beside others.
@MainActor
@Suite struct ExchangeProcessTests {
  let fixture = ExchangeFixture()

  private func probe(_ arguments: String...) throws -> ProbeProcess {
    try ProbeProcess("ExchangeProbe", arguments)
  }

  /// Runs the probe to its end, and returns its last lines.
  private func run(_ arguments: String...) throws -> [Substring] {
    let result = try Subprocess.run(
      [try BuildProducts.path(of: "ExchangeProbe")] + arguments,
      environment: ["PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"])
    return result.output.split(separator: "\n").suffix(2)
  }

  @Test func `fault 66: an import that is killed leaves the library as it was, or imports all`()
    async throws
  {
    let name = "panda"
    let count = 60
    // A megabyte for every few pictures, so that the import stores them in several steps.
    _ = try run("fill", fixture.path("source"), "\(count)", "300000")
    _ = try run("export", fixture.path("source"), fixture.path(name))
    let rounds = Torture.rounds(6, orTorture: 200)
    for round in 0..<rounds {
      let place = fixture.path("library-\(round)")
      let library = try await fixture.library("library-\(round)", [.sample(1)])
      await library.close()
      let importing = try probe("import", place, fixture.path(name))
      // The last line of all is that of its end, when everything has been imported.
      for _ in 0..<(count + 1) * (round + 1) / rounds { #expect(await importing.line() != nil) }
      importing.kill()
      _ = await importing.hasSucceeded()

      let found = fixture.library("library-\(round)")
      try await found.favorites.itemsHaveLoaded()
      let images = found.favorites.items
      #expect([1, count + 1].contains(images.count), "round \(round)")
      for image in images { _ = try await image.dataRepresentation.data() }
      // Importing again completes it.
      #expect(try await found.importFavorites(from: fixture.path(name)).known == images.count - 1)
      #expect(found.favorites.items.count == count + 1)
      await found.close()
    }
  }

  @Test(arguments: ["panda", "panda.html"])
  func `fault 66: an export that is killed leaves nothing under its name, or all of it`(
    _ name: String
  ) async throws {
    _ = try run("fill", fixture.path("source"), "20", "100000")
    for round in 0..<Torture.rounds(4, orTorture: 100) {
      let exporting = try probe("export", fixture.path("source"), fixture.path(name))
      for _ in 0..<(round * 7) % 21 { #expect(await exporting.line() != nil) }
      exporting.kill()
      _ = await exporting.hasSucceeded()
      let list = name == "panda" ? "panda/favorites.ndjson" : name
      guard FileManager.default.fileExists(atPath: fixture.path(list)) else { continue }
      if name == "panda.html" {
        #expect(try fixture.bytes(name).suffix(8) == Data("</html>\n".utf8))
      } else {
        let other = fixture.library("other\(round)")
        #expect(try await other.importFavorites(from: fixture.path(name)).added == 20)
      }
      try FileManager.default.removeItem(atPath: fixture.path(name))
    }
  }

  @Test(
    .enabled(if: PrivateMounts.areAllowed),
    arguments: ["panda", "panda.html", "backup"])
  func `fault 66: an export to a full disk leaves the former one, and says so`(
    _ name: String
  ) async throws {
    _ = try run("fill", fixture.path("source"), "20", "100000")
    _ = try run("fill", fixture.path("small"), "2", "100000")
    let mount = fixture.path("mount")
    try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: true)
    let (isWell, output) = PrivateMounts.run(
      """
      content() { find "$1" -type f | sort | xargs -d '\n' -r cat | sha256sum; }
      mount -t tmpfs -o size=1500k tmpfs "$1"
      command=export
      if [ "$5" = backup ]; then command=backup; else "$2" export "$4" "$1/$5" >/dev/null; fi
      content "$1"
      "$2" $command "$3" "$1/$5" 2>&1 | tail -n 1
      content "$1"
      ls -A "$1"
      """,
      [
        mount, try BuildProducts.path(of: "ExchangeProbe"), fixture.path("source"),
        fixture.path("small"), name,
      ], withErrors: true)
    let lines = output.split(separator: "\n").map(String.init)
    #expect(isWell && lines.count >= 3, "\(output)")
    guard lines.count >= 3 else { return }
    #expect(lines[1].hasPrefix("failed: "), "\(output)")
    #expect(lines[1].contains("the disk is full") || lines[1].contains("no room"), "\(output)")
    #expect(lines[0] == lines[2])
    #expect(lines[3...] == (name == "backup" ? [] : [name]), "\(output)")
  }

  @Test(.enabled(if: Torture.isOn))
  func `ten thousand pictures are exported and imported within fifty megabytes`() async throws {
    _ = try run("fill", fixture.path("source"), "10000", "50000")
    let idle = try memory(run("export", fixture.path("none"), fixture.path("nothing")))
    let exporting = try memory(run("export", fixture.path("source"), fixture.path("panda")))
    let importing = try memory(run("import", fixture.path("other"), fixture.path("panda")))
    #expect(exporting - idle < 50_000, "\(exporting), \(idle)")
    #expect(importing - idle < 100_000, "\(importing), \(idle)")
  }

  private func memory(_ lines: [Substring]) throws -> Int {
    try #require(Int(lines.last?.split(separator: " ").last ?? ""), "\(lines)")
  }
}
