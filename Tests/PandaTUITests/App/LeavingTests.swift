import Foundation
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import TerminalKit

/// What leaves the program: files, and addresses.
@MainActor
@Suite struct LeavingTests {
  private let directory = TemporaryDirectory()

  @Test func `a picture is saved to a file, and never over another`() async throws {
    let panda = try AppDriver(directory, columns: 160)
    try await panda.expectPicture()
    let path = directory.path("mine")
    // Whatever is typed at once goes into the dialog.
    try panda.press(.picture(.save))
    panda.press(key: .control("u"))
    panda.enter(path)
    try await panda.expect(text: "Saved as \(path).png")
    #expect(try Data(contentsOf: URL(filePath: path + ".png")) == SmallSource.png(1))
    try panda.press(.card(.fetch))
    try await panda.expect(text: "☆ Panda 2 ")
    try await panda.open(.picture(.save), "Save the picture")
    panda.press(key: .control("u"))
    panda.enter(path + ".png")
    let screen = try await panda.expect("the reason, and the name still there") {
      $0.text.contains("Save the picture") && $0.text.contains("already")
    }
    #expect(screen.contains("mine.png"))
    try panda.press(.program(.cancel))
    try await panda.expect(noText: "Save the picture")
    #expect(try Data(contentsOf: URL(filePath: path + ".png")) == SmallSource.png(1))
    try await panda.quit()
  }

  @Test func `over SSH the address is copied instead of opened`() async throws {
    let panda = try AppDriver(
      directory,
      environment: ["TERM": "xterm-256color", "SSH_CONNECTION": "10.0.0.1 2 10.0.0.2 22"])
    try await panda.expectPicture()
    try panda.press(.picture(.open))
    try await panda.expect(text: "No browser over SSH: copied the address")
    let copied = Data("https://zoo.example/1".utf8).base64EncodedString()
    #expect(panda.display.sent == Array("\u{1B}]52;c;\(copied)\u{1B}\\".utf8))
    try await panda.quit()
  }
}
