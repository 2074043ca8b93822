import Foundation
import PandaTestSupport
import Pantry
import Testing

@testable import PandaTUI

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

  @Test func `all that a session keeps and saves is below HOME`() throws {
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

  @Test func `favorites in the account's home are named, until there are others`() async throws {
    // Foundation takes this for the user database's home.
    let account = TemporaryDirectory()
    let variables = ["HOME=\(home.url.path)", "CFFIXED_USER_HOME=\(account.url.path)"]
    _ = try run(
      ["HOME=\(account.url.path)"], ["--plain", "--source", "grove"], input: "favorite\n")
    let place = account.path(".local/share/panda")

    #expect(try run(variables, ["doctor"]).contains("To open them: panda --data-dir \(place)\n"))
    let sentence = "Earlier favorites: panda --data-dir \(place)"
    #expect(
      try run(variables, ["--plain", "--source", "grove"]).contains("\n\(sentence)\n"))
    let panda = try Tmux(
      BuildProducts.path(of: "panda"), ["--source", "grove"],
      environment: variables + [
        "XDG_DATA_HOME=", "XDG_STATE_HOME=", "XDG_CACHE_HOME=", "XDG_CONFIG_HOME=",
      ], columns: 160, rows: 30)
    // It is wrapped to the carousel, a long path anywhere.
    try await panda.expect("the earlier favorites") { screen in
      ["Earlier favorites:", "--data-dir"].allSatisfy { screen.contains($0) }
    }
    try panda.press("q")
    #expect(try await panda.waitForExit() == .exited(0))

    let old = try run(
      variables, ["--plain", "--source", "grove", "--data-dir", place], input: "list\n")
    #expect(old.contains("You have 1 favorite.") && !old.contains("Earlier"), "\(old)")
    let own = try run(
      variables, ["--plain", "--source", "grove"], input: "favorite\n")
    #expect(own.contains("Added to your favorites. You have 1."))
    #expect(!(try run(variables, ["--plain", "--source", "grove"]).contains("Earlier")))
  }
}
