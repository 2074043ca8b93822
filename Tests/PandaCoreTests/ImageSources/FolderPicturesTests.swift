import Foundation
import PandaTestSupport
import SystemSupport
import Testing

@testable import Grove
@testable import PandaCore
@testable import PictureCodecs

/// Folders as pictures to choose from.
@Suite struct FolderPicturesTests {
  let directory = TemporaryDirectory()

  private func write(_ data: Data, _ name: String) throws {
    let file = directory.url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
  }

  private func picture() throws -> Data {
    try BambooGrove.drawing(seed: 1, size: PixelSize(width: 16, height: 12)).pngData()
  }

  @Test func `names tell what is listed at once, and contents what stays`() async throws {
    for name in ["b é.PNG", "a.jpg", "sub/c.webp", "no ending"] { try write(try picture(), name) }
    try write(Data("text".utf8), "d.jpeg")
    try write(Data("text".utf8), "notes.txt")
    let listed = try FolderPictures(of: directory.url.path)
    #expect(listed.images.map(\.title) == ["a.jpg", "b é.PNG", "d.jpeg", "sub/c.webp"])
    let (checked, unreadable) = await listed.checked()
    #expect(checked.images.map(\.title) == ["a.jpg", "b é.PNG", "no ending", "sub/c.webp"])
    #expect(unreadable == 1)
    for image in checked.images {
      #expect(try await checked.attachment(of: image).data() == picture())
      // The address is that of the file.
      #expect(try Data(contentsOf: image.url) == picture())
      let path = try #require(checked.path(of: image))
      #expect(String(decoding: path, as: UTF8.self) == directory.path(image.title ?? ""))
    }
  }

  @Test func `a folder without files is empty, and one that is not there throws`() throws {
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    #expect(try FolderPictures(of: directory.url.path).isEmpty)
    #expect(throws: FileError.self) { try FolderPictures(of: directory.path("none")) }
  }

  @Test func `paths stay as they were typed`() throws {
    try write(try picture(), "a.png")
    let path = directory.url.path
    for typed in [path, path + "/", path + "/../" + directory.url.lastPathComponent] {
      let pictures = try FolderPictures(of: typed)
      let found = try #require(pictures.path(of: pictures.images[0]))
      let slash = typed.hasSuffix("/") ? "" : "/"
      #expect(String(decoding: found, as: UTF8.self) == "\(typed)\(slash)a.png")
    }
  }
}
