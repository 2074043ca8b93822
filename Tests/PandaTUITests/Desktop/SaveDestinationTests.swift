import Foundation
import Pantry
import Testing

@testable import PandaCore
@testable import PandaSession
@testable import PictureCodecs

@Suite struct SaveDestinationTests {
  private func place(_ typed: String, _ format: PictureFormat? = .jpeg) -> String? {
    SaveDestination(
      typed: typed, format: format, suggestion: "red-panda.jpg", home: "/home/wah",
      currentDirectory: "/work"
    ) { $0 == "/home/wah" || $0 == "/work/pictures" || $0 == "/work/." }?.path
  }

  @Test(arguments: [
    ("/tmp/a.jpg", "/tmp/a.jpg"), ("a.jpg", "/work/a.jpg"), ("sub/a.jpg", "/work/sub/a.jpg"),
    ("~/a.jpg", "/home/wah/a.jpg"), ("~somebody/a.jpg", "/work/~somebody/a.jpg"),
    ("x~/a.jpg", "/work/x~/a.jpg"), ("/a", "/a.jpg"), ("  a b  ", "/work/a b.jpg"),
    ("~", "/home/wah/red-panda.jpg"), ("~/", "/home/wah/red-panda.jpg"),
    ("pictures", "/work/pictures/red-panda.jpg"), (".", "/work/./red-panda.jpg"),
    ("none/", "/work/none/red-panda.jpg"), ("/", "/red-panda.jpg"),
  ])
  func `a typed path is expanded as in a shell`(_ typed: String, _ path: String) {
    #expect(place(typed) == path)
  }

  @Test(arguments: [
    ("a", "a.jpg"), ("a.", "a.jpg"), ("a.jpeg", "a.jpeg"), ("a.png", "a.png"), (".a", ".a.jpg"),
    ("Dr. Panda", "Dr. Panda.jpg"), ("panda.2026", "panda.2026.jpg"), ("a.PNG", "a.PNG"),
  ])
  func `a missing extension is the picture's own`(_ typed: String, _ name: String) {
    #expect(place(typed) == "/work/\(name)")
  }

  @Test func `every picture has an extension and nothing else does`() {
    for format in PictureFormat.allCases {
      #expect((format.filenameExtension == nil) == [.html, .video].contains(format))
    }
    #expect(place("a", nil) == "/work/a")
    #expect(place("a", .webp) == "/work/a.webp")
  }

  @Test(arguments: ["", "  ", "\n", "a\0b"])
  func `an empty text is not a path`(_ typed: String) {
    #expect(place(typed) == nil)
  }

  @Test(arguments: [
    (nil, "red-panda-2026-10-03"), (" . ", "red-panda-2026-10-03"),
    ("File:Red Panda (1).jpg", "red-panda-1"), ("Mei & Ling: a/b", "mei-ling-a-b"),
    ("Zoo Wrocław 2.0", "zoo-wrocław-2-0"),
  ])
  func `the suggestion has the title or the day, and the digest`(
    _ title: String?, _ beginning: String
  ) {
    let bytes = Data("panda".utf8)
    let image = RemoteImage(
      createdAt: Date(timeIntervalSince1970: 1_791_028_800), url: URL(string: "https://x/1")!,
      width: 1, height: 1, dataRepresentation: Attachment(bytes), source: "zoo", title: title)
    let name = SaveDestination.suggestion(for: image, format: .jpeg)
    #expect(name == "\(beginning)-\(ContentDigest(of: bytes).hexadecimal.prefix(6)).jpg")
  }
}
