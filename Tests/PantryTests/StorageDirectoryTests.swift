import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

@Suite struct StorageDirectoryTests {
  private let directory = TemporaryDirectory()

  private func failure(at path: String) -> String? {
    do {
      try StorageDirectory(url: URL(filePath: path)).create()
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `a directory is created with its parents, for its owner only`() throws {
    let path = directory.path("a/b/c")
    #expect(failure(at: path) == nil)
    #expect(failure(at: path) == nil)
    for name in ["a", "a/b", "a/b/c"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: directory.path(name))
      #expect(attributes[.posixPermissions] as? Int == 0o700)
    }
    let link = directory.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(failure(at: link) == nil)
    #expect(failure(at: directory.path("link/d")) == nil)
  }

  @Test func `the error says what prevents creating the directory`() throws {
    let file = directory.path("file")
    try Data().write(to: URL(filePath: file))
    #expect(failure(at: file) == "\(file) could not be created: it is a file, not a directory.")
    #expect(
      failure(at: "\(file)/x") == "\(file)/x could not be created: part of its path is a file.")
    #expect(
      failure(at: "/proc/x/y")
        == "/proc/x could not be created: its file system has no directories.")
    let name = String(repeating: "x", count: 256)
    #expect(failure(at: directory.path(name))?.hasSuffix(": the name is too long.") == true)
  }
}
