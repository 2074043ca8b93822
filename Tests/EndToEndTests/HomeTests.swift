import Foundation
import PandaTestSupport
import Pantry
import Testing

@testable import PandaSession

/// Which home directory the program uses.
@Suite(.timeLimit(.minutes(15))) struct HomeTests {
  let home = TemporaryDirectory()

  /// Runs the program with these variables and no others, and returns what it printed.
  private func run(_ variables: [String], _ arguments: [String], input: String = "") throws
    -> String
  {
    let script = "printf '%s' \"$1\" | { shift; exec \"$@\"; }"
    let result = try Subprocess.run(
      ["sh", "-c", script, "sh", input, "env", "-i"] + variables
        + ["setsid", "--wait", BuildProducts.path(of: "panda")] + arguments,
      environment: ["PATH=/usr/bin:/bin"])
    #expect(result.status == 0, "\(result.output)")
    return result.output
  }

  /// What the doctor says of the places, by their labels.
  private func places(_ variables: [String]) throws -> [Substring: Substring] {
    let lines = try run(variables, ["doctor"]).split(separator: "\n")
    return Dictionary(
      lines.compactMap { line in
        line.firstIndex(of: " ").map { space in
          (line[..<space], line[space...].drop { $0 == " " })
        }
      }, uniquingKeysWith: { first, _ in first })
  }

  @Test(arguments: ["HOME", "nothing", "empty"])
  func `doctor names one home for favorites, settings, cache and state`(_ kind: String) throws {
    // Its own home is named by HOME alone; without it the user database's counts.
    let variables = ["HOME": ["HOME=\(home.url.path)"], "empty": ["HOME="]][kind] ?? []
    let expected = kind == "HOME" ? home.url.path : BaseDirectories.accountHome.path
    let places = try places(variables)
    #expect(places["favorites"] == "\(expected)/.local/share/panda")
    #expect(places["cache"] == "\(expected)/.cache/panda")
    #expect(places["state"] == "\(expected)/.local/state/panda")
    #expect(places["settings"]?.hasPrefix("\(expected)/.config/panda/config.json5") == true)
    let placeholder = " (a placeholder: some services refuse it; set contact to yours)"
    #expect(
      places["contact"].map(String.init) == Project.contact
        + (Project.contact.contains(".example") ? placeholder : ""))
  }

  @Test func `doctor says which place cannot be written to, and why`() throws {
    try FileManager.default.createDirectory(at: home.url, withIntermediateDirectories: true)
    try Data().write(to: home.url.appending(path: ".cache"))
    let places = try places(["HOME=\(home.url.path)"])
    #expect(
      places["cache"]
        == "\(home.path(".cache/panda")) (cannot be written to: it is a file, not a directory)")
    #expect(places["state"] == "\(home.path(".local/state/panda"))")
    #expect(!FileManager.default.fileExists(atPath: home.path(".local")))
  }

  @Test func `a session stores everything under HOME, where doctor reads the settings`() throws {
    try FileManager.default.createDirectory(
      at: home.url.appending(path: ".config/panda"), withIntermediateDirectories: true)
    try Data("{ contact: 'me@example.org' }".utf8)
      .write(to: home.url.appending(path: ".config/panda/config.json5"))
    #expect(try places(["HOME=\(home.url.path)"])["contact"] == "me@example.org")
    let output = try run(
      ["HOME=\(home.url.path)"], ["--plain", "--source", "grove"],
      input: "favorite\nsort\nsave ~/wah\n")
    #expect(output.contains("Saved as \(home.path("wah.png"))"), "\(output)")
    for name in [
      "wah.png", ".local/share/panda/favorites.sqlite", ".local/state/panda/values.json.d",
    ] {
      #expect(FileManager.default.fileExists(atPath: home.path(name)), "\(name)")
    }
  }
}
