import Foundation
import PandaCore
import PandaTestSupport
import Synchronization
import Testing

@testable import TerminalKit

/// The screens of the moving picture in the README, so that it is made again when one of them has
/// changed.
@MainActor
@Suite struct DemoTests {
  nonisolated private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardized
  private static let file = root.appending(path: "docs/screenshots/demo.txt")

  private let directory = TemporaryDirectory()

  /// The photograph, then small pictures.
  private final class DemoSource: ImageSource {
    let name = "demo"
    private let others = SmallSource()
    private let photo: FetchedImage
    private let isFirst = Atomic(true)

    init() throws {
      let file = DemoTests.root.appending(path: "docs/photos/red-panda.jpg")
      photo = FetchedImage(
        url: URL(string: "https://zoo.example/photo")!, data: try Data(contentsOf: file),
        source: name, title: "A red panda on a tree stump", credit: "Mathias Appel",
        license: "CC0")
    }

    func fetchImage(
      progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> FetchedImage {
      isFirst.exchange(false, ordering: .relaxed)
        ? photo : try await others.fetchImage(progress: progress)
    }
  }

  /// The rows of the screen, then where it has pictures; no day depends on the time zone.
  private func screen(_ display: CanvasDisplay) -> String {
    let pictures = display.canvas.placements.map { placement in
      let rect = placement.rect
      return "picture of \(rect.columns)x\(rect.rows) at \(rect.column),\(rect.row)"
    }
    return (display.lines + pictures.sorted()).joined(separator: "\n")
      .replacing(/[0-9]{1,2} (?=[A-Z][a-z]{2} [0-9]{4})/) { match in
        String(repeating: "0", count: match.output.count - 1) + " "
      }
  }

  @Test func `the moving picture of the README shows today's screens`() async throws {
    let steps = try String(
      contentsOf: Self.root.appending(path: "Scripts/demo-keys"), encoding: .utf8
    ).split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: " ")[0] }
    let names = ["start"] + steps.map(String.init)
    let known = try String(contentsOf: Self.file, encoding: .utf8)
      .components(separatedBy: "\u{0C}\n")
    var screens: [String] = []

    let panda = try AppDriver(directory, source: DemoSource(), columns: 90, rows: 28)
    for (number, name) in names.enumerated() {
      if number > 0 { panda.press(key: try #require(Key(name: name))) }
      let head = "\(number). \(name)\n"
      var (last, repetitions) = ("", 0)
      try await eventually(
        "the screen after \(head)is another one: run make demo", deadline: .seconds(60),
        seen: { screen(panda.display) }
      ) {
        panda.clock.advance(by: .milliseconds(100))
        let current = head + screen(panda.display) + "\n"
        // What is written has to be what stays.
        repetitions = current == last ? repetitions + 1 : 0
        last = current
        return GoldenFiles.areWritten
          ? repetitions == 200 : known.indices.contains(number) && current == known[number]
      }
      screens.append(last)
    }
    try await panda.quit()
    if GoldenFiles.areWritten {
      try screens.joined(separator: "\u{0C}\n")
        .write(to: Self.file, atomically: true, encoding: .utf8)
    } else {
      #expect(known.count == names.count, "run make demo")
    }
  }
}
