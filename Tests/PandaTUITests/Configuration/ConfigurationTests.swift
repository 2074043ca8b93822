import Foundation
import PandaTestSupport
import Testing

@testable import PandaTUI

@Suite struct ConfigurationTests {
  let directory = TemporaryDirectory()

  func read(_ text: String) throws -> Configuration {
    let file = directory.url.appending(path: "config.json5")
    try Data(text.utf8).write(to: file)
    return try Configuration(file: file)
  }

  @Test func `what is absent has its default, a file too`() throws {
    #expect(try Configuration(file: directory.url.appending(path: "none")) == Configuration())
    #expect(try read("{}") == Configuration())
    #expect(!Configuration().reduceMotion)
  }

  @Test func `comments and trailing commas are allowed`() throws {
    #expect(try read("// mine\n{ reduceMotion: true, /* more */ }").reduceMotion)
  }

  @Test(arguments: [
    ("{\n\n  reduceMotion: tru\n}", "JSON5"), (#"{ "reduceMotion": "yes" }"#, "reduceMotion"),
    ("", "JSON5"), ("[]", "config.json5"), ("\u{0}", "config.json5"),
  ])
  func `what is wrong is named, with the file`(_ text: String, _ expected: String) throws {
    let error = #expect(throws: ConfigurationError.self) { try read(text) }
    #expect(error.map { "\($0)".contains(expected) } == true, "\(error.map { "\($0)" } ?? "")")
    #expect(error.map { "\($0)".contains("config.json5") } == true)
  }

  @Test func `the place follows the XDG specification`() {
    #expect(
      Configuration.standardFile(["XDG_CONFIG_HOME": "/x", "HOME": "/h"]).path
        == "/x/panda/config.json5")
    for value in ["", "relative"] {
      #expect(
        Configuration.standardFile(["XDG_CONFIG_HOME": value, "HOME": "/h"]).path
          == "/h/.config/panda/config.json5")
    }
  }
}
