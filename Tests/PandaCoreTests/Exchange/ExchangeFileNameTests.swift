import Foundation
import PandaTestSupport
import Pantry
import PictureCodecs
import Testing

@testable import PandaCore

@Suite struct ExchangeFileNameTests {
  @Test func `a name has the day, the caption and the digest`() {
    let image = RemoteImage.sample(
      1, caption: "Asleep on a branch", savedAt: Date(timeIntervalSince1970: 1_790_000_000))
    let digest = image.dataRepresentation.digest.hexadecimal.prefix(8)
    #expect(
      ExchangeFileName.name(of: image, format: .png)
        == "2026-09-21 Asleep on a branch \(digest).png")
    #expect(ExchangeFileName.name(of: image, format: .jpeg).hasSuffix(".jpg"))
  }

  @Test func `without a caption the title is in the name, and without both some words`() {
    #expect(ExchangeFileName.name(of: .sample(1), format: .png).contains(" Panda 1 "))
    let blank = RemoteImage.sample(1, title: "...", caption: " ")
    #expect(ExchangeFileName.name(of: blank, format: .png).contains(" Red panda "))
  }

  @Test func `hostile text makes a name that every file system takes`() throws {
    let directory = TemporaryDirectory()
    var taken: Set<String> = []
    for (number, text) in HostileText.all.enumerated() {
      let image = RemoteImage.sample(number, title: text, caption: number % 2 == 0 ? text : nil)
      let name = ExchangeFileName.unique(
        ExchangeFileName.name(of: image, format: .png), in: &taken)
      #expect(ExchangeFileName.isPlain(name), "\(name.debugDescription)")
      #expect(name.utf8.count <= 200 && !HostileText.steers(name), "\(name.debugDescription)")
      #expect(!name.contains { "/\\:*?\"<>|".contains($0) }, "\(name.debugDescription)")
      #expect(name.first?.isNumber == true && name.hasSuffix(".png"), "\(name.debugDescription)")
      let file = directory.url.appending(path: name)
      try Data(name.utf8).write(to: file)
      #expect(try Data(contentsOf: file) == Data(name.utf8))
    }
    #expect(taken.count == HostileText.all.count)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(names.count == HostileText.all.count)
  }

  @Test func `equal names get numbers, also if only their case differs`() {
    var taken: Set<String> = []
    let names = ["a.png", "A.png", "a.png", "b"].map { ExchangeFileName.unique($0, in: &taken) }
    #expect(names == ["a.png", "A (2).png", "a (3).png", "b"])
    #expect(ExchangeFileName.unique("b", in: &taken) == "b (2)")
  }

  @Test(arguments: [
    "", ".", "..", "/", "a/b", "../a", "/a", "a\0b", String(repeating: "a", count: 256),
  ])
  func `a name from outside must be that of a file in the directory`(_ name: String) {
    #expect(!ExchangeFileName.isPlain(name))
  }

  @Test(arguments: ["a", "..a", "a b.jpg", "レッサーパンダ.png", String(repeating: "a", count: 255)])
  func `any other name is one`(_ name: String) { #expect(ExchangeFileName.isPlain(name)) }
}
