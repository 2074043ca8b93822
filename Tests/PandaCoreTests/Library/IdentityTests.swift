import Foundation
import PandaTestSupport
import Testing

@testable import PandaCore
@testable import Pantry

/// The same picture under another address.
@MainActor
@Suite struct IdentityTests {
  private let folder = LibraryFolder()
  private static let commons = "https://upload.wikimedia.org/wikipedia/commons/thumb"
  private static let thumbs = "https://thumb.wikimedia.org/wikipedia/commons/thumb"

  /// A favorite of a version before identities.
  private func former(
    _ address: String, page: String? = nil, source: String = "Wikimedia Commons",
    identity: String? = nil
  ) -> RemoteImage {
    RemoteImage(
      createdAt: Date(timeIntervalSince1970: 5), url: URL(string: address)!, width: 4, height: 3,
      dataRepresentation: Attachment(Data(address.utf8)), source: source,
      page: page.flatMap { URL(string: $0) }, identity: identity)
  }

  private func key(
    _ library: ImageLibrary, _ address: String, page: String? = nil, identity: String,
    source: String = "Wikimedia Commons"
  ) -> String? {
    library.key(of: PictureTraits(former(address, page: page, source: source, identity: identity)))
  }

  /// Commons' answer with addresses of autumn 2026, whose pictures are at this server.
  private func serveCommons(_ server: ServiceServer, names: [String]) {
    let pages = names.enumerated().map { number, name in
      ServiceAnswers.commonsPage(name).replacing(
        "\"pageid\": \(name.utf8.first ?? 0),", with: "\"pageid\": \(number + 1),"
      ).replacing("pictures/\(name).png", with: "thumb/1280px-\(name).png?utm_source=commons")
    }
    server.serve("/w/api.php", json: ServiceAnswers.commons(pages))
  }

  @Test func `fault 103: six earlier favorites stay six when their addresses change`()
    async throws
  {
    try await withServer { server in
      let names = ["a", "b", "c", "d", "e", "f"]
      serveCommons(server, names: names)
      let library = folder.library()
      try await library.save(
        names.map { name in
          former(
            "\(Self.commons)/\(name)/1280px-\(name).jpg",
            page: "https://commons.wikimedia.org/wiki/File:Red_Panda_(\(name)).png")
        })
      let shelf = CandidateShelf(library) { $0.lowerBound }
      let description = try server.description("commons")
      await shelf.begin(description)
      let client = server.client
      let answer = try await client.get(
        HTTPRequest(
          url: description.addresses[0], byteLimit: 1 << 20,
          namedSource: description.addresses[0]))
      let reader = ListReader(
        description: description, base: try HTTPAddress(answer.url), asked: answer.url)
      let candidates = reader.read(try JSONValue(answer.body)).candidates
      #expect(candidates.map(\.identity) == (1...6).map { "commons/\($0)" })
      // All are known, and none would be fetched.
      let kept = await shelf.keep(candidates, SourceListing(id: "commons"))
      #expect(kept.fresh == 0 && kept.seen.isEmpty)
      #expect(
        Set(candidates.map { shelf.key(of: $0) }) == Set(library.favorites.items.map(\.id)))
    }
  }

  @Test func `fault 103: another host, width or tracking parameter makes no new picture`()
    async throws
  {
    let library = folder.library()
    let old = former("\(Self.commons)/a/ab/X.jpg/1280px-X.jpg")
    try await library.save(old)
    for address in [
      "\(Self.thumbs)/a/ab/X.jpg/1280px-X.jpg?utm_source=commons.wikimedia.org&utm_campaign=x",
      "\(Self.thumbs)/a/ab/X.jpg/960px-X.jpg", "\(Self.commons)/a/ab/X.jpg/1280px-X.jpg#x",
    ] {
      #expect(key(library, address, identity: "commons/1") == old.id)
      // What is saved under the new address is a favorite already.
      #expect(try await library.save(former(address, identity: "commons/1")) == false)
    }
    #expect(library.favorites.items.map(\.id) == [old.id])
    #expect(key(library, "\(Self.thumbs)/a/ab/Y.jpg/960px-Y.jpg", identity: "commons/2") == nil)
    #expect(
      key(library, "\(Self.thumbs)/a/ab/X.jpg/9px-X.jpg", identity: "zoo/1", source: "Zoo") == nil)
  }

  @Test func `fault 103: a page shared by several pictures identifies none of them`() async throws {
    let library = folder.library()
    let page = "https://www.inaturalist.org/observations/1"
    let (a, b) = (former("https://a.example/1.jpg", page: page), former("https://a.example/2.jpg"))
    try await library.save([a, b])
    #expect(key(library, "https://b.example/x", page: page, identity: "commons/1") == a.id)
    // Not even of one picture, if the answer has the page for several.
    #expect(try await library.save(former("https://b.example/y", page: page, identity: "i/3")))
    #expect(key(library, "https://b.example/x", page: page, identity: "commons/1") == nil)
  }

  @Test func `addresses that differ in their query are different pictures`() async throws {
    let library = folder.library()
    let old = former("https://a.example/image?id=1", source: "Zoo")
    try await library.save(old)
    let other = "https://cdn.example/image?id="
    #expect(key(library, "\(other)2", identity: "zoo/2", source: "Zoo") == nil)
    #expect(key(library, "\(other)1&utm_source=x", identity: "zoo/1", source: "Zoo") == old.id)
  }

  @Test func `fault 103: an identity finds the row in trash, hidden and seen, under its key`()
    async throws
  {
    let library = folder.library()
    let removed = former("https://a.example/removed", identity: "commons/1")
    try await library.save(removed)
    try await library.setCaption("Sleepy", of: [removed])
    try await library.remove([removed])
    let hidden = former("https://a.example/hidden", identity: "commons/2")
    try await library.hide(hidden)
    let seen = former("https://a.example/seen", identity: "commons/3")
    try await library.noteSeen(seen)
    for (number, image) in [removed, hidden, seen].enumerated() {
      let identity = "commons/\(number + 1)"
      #expect(key(library, "https://b.example/\(number)", identity: identity) == image.id)
    }
    #expect(
      library.isKnownToBeHidden(former("https://b.example/9", identity: "commons/2")))
    #expect(try await library.save(former("https://b.example/0", identity: "commons/1")))
    #expect(library.favorites[removed.id]?.caption == "Sleepy")
    #expect(library.trashed.isEmpty)
  }

  @Test func `an earlier hidden picture is known by its address, on its site only`() async throws {
    let library = folder.library()
    let old = former("\(Self.commons)/a/ab/X.jpg/1280px-X.jpg")
    try await library.hide(old)
    #expect(
      key(library, "\(Self.thumbs)/a/ab/X.jpg/500px-X.jpg", identity: "commons/1") == old.id)
    let elsewhere = "https://zoo.example/wikipedia/commons/thumb/a/ab/X.jpg/500px-X.jpg"
    #expect(key(library, elsewhere, identity: "commons/1") == nil)
  }

  @Test func `the index follows additions and removals`() async throws {
    let library = folder.library()
    let images = (0..<5).map { former("https://a.example/\($0)", identity: "commons/\($0)") }
    func found(_ number: Int) -> Bool {
      key(library, "https://b.example/\(number)", identity: "commons/\(number)") != nil
    }
    for (number, image) in images.enumerated() {
      #expect(!found(number))
      try await library.save(image)
      #expect(found(number))
    }
    try await library.remove([images[1], images[4]])
    try await library.purge(library.trashed)
    #expect((0..<5).map(found) == [true, false, true, true, false])
  }

  @Test(arguments: [
    ("https://a.example/x?utm_source=c&utm_campaign=d", "https://a.example/x"),
    ("https://a.example/x?utm_source=c&id=5&utm_content=d#y", "https://a.example/x?id=5#y"),
    ("https://a.example/utm_source=c", "https://a.example/utm_source=c"),
    ("https://a.example/x?a=utm_b", "https://a.example/x?a=utm_b"),
  ])
  func `parameters for tracking are not shown`(address: String, shown: String) {
    let image = former(address)
    #expect(image.id == address && image.url.absoluteString == shown)
    #expect(PictureLookup([address]).match(shown) == .one(address))
  }

  // MARK: Own files

  private func file(_ path: String, _ text: String) -> RemoteImage {
    RemoteImage(
      createdAt: Date(timeIntervalSince1970: 5), url: URL(string: "file:///\(path)")!, width: 4,
      height: 3, dataRepresentation: Attachment(Data(text.utf8)), source: "pics")
  }

  @Test func `a folder that was moved adds nothing`() async throws {
    let library = folder.library()
    try await library.save([file("pics/a.png", "a"), file("pics/b.png", "b")])
    let saved = try await library.save([
      file("photos/a.png", "a"), file("photos/b.png", "b"), file("photos/c.png", "c"),
      file("photos/copy.png", "c"),
    ])
    #expect(saved.map(\.id) == ["file:///photos/c.png"])
    #expect(library.recognized(file("photos/a.png", "a")).id == "file:///pics/a.png")
  }

  @Test func `a file that was changed is a second favorite, and the first keeps its bytes`()
    async throws
  {
    let library = folder.library()
    try await library.save([file("a.png", "before")])
    let saved = try await library.save([file("a.png", "after")])
    #expect(saved.count == 1)
    #expect(try await library.save([file("a.png", "after")]).isEmpty)
    #expect(try await library.save([file("a.png", "before")]).isEmpty)
    var contents: [String] = []
    for image in library.favorites.items {
      contents.append(String(decoding: try await image.dataRepresentation.data(), as: UTF8.self))
      #expect(image.url.path == "/a.png")
    }
    #expect(contents == ["before", "after"])
    // Nor does it take the place of one in the trash.
    try await library.remove(library.favorites.items)
    #expect(try await library.save([file("a.png", "third")]).count == 1)
    #expect(library.trashed.count == 2)
  }
}
