import Foundation
import PandaTestSupport
import SystemSupport
import Testing

@testable import PandaSession

@Suite struct PictureFileTests {
  private let directory = TemporaryDirectory()
  private let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 100_000))

  private var folder: String { directory.url.path(percentEncoded: false) }

  private func save(_ typed: String, in folder: String? = nil) async throws -> String {
    try await PictureFile.save(
      jpeg, to: typed, suggestion: "red-panda.jpg", home: self.folder,
      currentDirectory: folder ?? self.folder)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test func `a saved file is complete and readable by others, and nothing else is left`()
    async throws
  {
    #expect(try await save("wah") == directory.path("wah.jpg"))
    #expect(FileManager.default.contents(atPath: directory.path("wah.jpg")) == jpeg)
    #expect(try await save("~") == directory.path("red-panda.jpg"))
    #expect(try names() == ["red-panda.jpg", "wah.jpg"])
    // The umask of the tests, read without changing it.
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Umask:") })
    let mask = try #require(Int(line.dropFirst(6).trimmingCharacters(in: .whitespaces), radix: 8))
    let mode = try FileManager.default.attributesOfItem(atPath: directory.path("wah.jpg"))
    #expect(mode[.posixPermissions] as? Int == 0o644 & ~mask)
  }

  @Test func `an existing file is refused and stays unchanged`() async throws {
    try Data("mine".utf8).write(to: URL(filePath: directory.path("wah.jpg")))
    symlink("/nonexistent/target", directory.path("dangling.jpg"))
    for name in ["wah.jpg", "dangling.jpg"] {
      await #expect(throws: PictureFileError(reason: .exists, path: directory.path(name))) {
        try await save(name)
      }
    }
    #expect(FileManager.default.contents(atPath: directory.path("wah.jpg")) == Data("mine".utf8))
    #expect(try names() == ["dangling.jpg", "wah.jpg"])
  }

  @Test func `a requested replacement writes the whole file, over a link, not its target`()
    async throws
  {
    for name in ["wah.jpg", "target"] {
      try Data("mine".utf8).write(to: URL(filePath: directory.path(name)))
    }
    symlink(directory.path("target"), directory.path("link.jpg"))
    for name in ["wah.jpg", "link.jpg", "new.jpg"] {
      let path = try await PictureFile.save(
        jpeg, to: name, suggestion: "red-panda.jpg", replaces: true, home: folder,
        currentDirectory: folder)
      #expect(FileManager.default.contents(atPath: path) == jpeg)
    }
    #expect(FileManager.default.contents(atPath: directory.path("target")) == Data("mine".utf8))
    #expect(try names() == ["link.jpg", "new.jpg", "target", "wah.jpg"])
  }

  @Test func `concurrent saves to one name leave one complete file`() async throws {
    let saved = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 {
        group.addTask {
          // The losers learn that it exists; the words are for another test.
          (try? await save("wah")) != nil
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(saved == 1)
    #expect(FileManager.default.contents(atPath: directory.path("wah.jpg")) == jpeg)
    #expect(try names() == ["wah.jpg"])
  }

  @Test func `leftovers of a killed run are removed by the next save, unless in use`()
    async throws
  {
    for name in [".panda-new-left.tmp", ".panda-new-busy.tmp"] {
      try Data("half".utf8).write(to: URL(filePath: directory.path(name)))
    }
    let busy = open(directory.path(".panda-new-busy.tmp"), O_RDONLY | O_CLOEXEC)
    defer { close(busy) }
    #expect(flock(busy, LOCK_EX) == 0)
    _ = try await save("wah")
    #expect(try names() == [".panda-new-busy.tmp", "wah.jpg"])
  }

  @Test func `directories are not created`() async throws {
    await #expect(throws: FileError(.write, "/nonexistent/a.jpg", code: ENOENT)) {
      try await save("/nonexistent/a")
    }
    try Data().write(to: URL(filePath: directory.path("file")))
    await #expect(
      throws: FileError(.write, directory.path("file/a.jpg"), code: ENOTDIR)
    ) { try await save("file/a") }
  }

  @Test func `an unwritable directory is reported`() async throws {
    let error = await #expect(throws: FileError.self) { try await save("/proc/self/a") }
    #expect(error?.path == "/proc/self/a.jpg")
  }

  @Test func `a full disk has a user message`() {
    let full = FileError(.write, "/a.jpg", code: ENOSPC)
    #expect(
      userMessage(for: full)
        == "/a.jpg cannot be written: the disk is full. Free some space and try again")
  }

  @Test func `errors contain no control characters`() {
    let path = "/a\u{1B}[2J\nb"
    for error in [
      PictureFileError(reason: .exists, path: path), FileError(.write, path, code: EACCES),
    ] as [any Error] {
      let text = "\(error)"
      #expect(text.hasSuffix(".") && text.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }
  }

  @Test func `an empty name is reported`() async {
    await #expect(throws: PictureFileError(reason: .noName, path: " ")) { try await save(" ") }
  }
}
