import Foundation
import Glibc
import SystemSupport
import PandaTestSupport
import Testing

@testable import Grove
@testable import PandaCore
@testable import PictureCodecs

@Suite struct FolderSourceTests {
  let directory = TemporaryDirectory()

  private func write(_ name: String, seed: UInt64 = 1) throws {
    let bytes = try BambooGrove.drawing(seed: seed, size: PixelSize(width: 16, height: 12))
      .pngData()
    try bytes.write(to: directory.url.appending(path: name))
  }

  /// Returns a source that takes its files in order, the last first.
  private func source() throws -> FolderSource {
    try FolderSource(directory.url.path) { $0 }
  }

  private func title(_ source: FolderSource) async throws -> String? {
    try await source.fetchImage { _ in }.title
  }

  @Test func `every picture comes once before any repeats, with its name as a title`()
    async throws
  {
    for name in ["one.png", "two_pandas.png", "three.four.png"] { try write(name) }
    let source = try source()
    var titles: [String?] = []
    for _ in 0..<6 { titles.append(try await title(source)) }
    #expect(Set(titles.prefix(3)) == ["one", "two pandas", "three.four"])
    #expect(titles.prefix(3) == titles.suffix(3))
    let image = try await source.fetchImage { _ in }
    #expect(image.url.scheme == "file" && image.url.lastPathComponent.hasSuffix(".png"))
    #expect(image.source == directory.url.lastPathComponent)
  }

  @Test func `fault 64: files with hostile names keep their names byte for byte`()
    async throws
  {
    let bytes = try BambooGrove.drawing(seed: 1, size: PixelSize(width: 16, height: 12)).pngData()
    var names = HostileText.all.map { Array("\($0).png".utf8) }.filter { name in
      name.first != UInt8(ascii: ".") && name.count < 256
        && !name.contains { $0 == 0 || $0 == 0x2F }
    }
    names.append([0x63, 0x61, 0x66, 0xE9] + Array(".png".utf8))  // Latin-1's café
    for name in names {
      // Not by Foundation, which would have its own idea of a name.
      let path = Array("\(directory.url.path)/".utf8) + name
      let file = open(
        path.map { CChar(bitPattern: $0) } + [0], O_CREAT | O_WRONLY | O_EXCL, 0o600)
      try #require(file >= 0, "\(String(decoding: name, as: UTF8.self).debugDescription): \(errno)")
      _ = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      close(file)
    }
    let source = try source()
    var shown: Set<[UInt8]> = []
    for _ in names {
      let image = try await source.fetchImage { _ in }
      shown.insert(try nameBytes(of: image.url))
    }
    let written = Set(names)
    let lost = written.subtracting(shown).map {
      String(decoding: $0, as: UTF8.self).debugDescription
    }
    #expect(lost == [])
    #expect(shown.count == written.count)
  }

  /// The bytes that an address's last part escapes.
  private func nameBytes(of url: URL) throws -> [UInt8] {
    let escaped = try #require(url.absoluteString.split(separator: "/").last).utf8
    var bytes: [UInt8] = []
    var rest = escaped[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      bytes.append(try #require(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)))
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  @Test func `fault 105: subfolders and links are read, each once`() async throws {
    let files = FileManager.default
    for name in ["a/b", "loop"] {
      try files.createDirectory(
        at: directory.url.appending(path: name), withIntermediateDirectories: true)
    }
    let outside = TemporaryDirectory()
    let picture = try BambooGrove.drawing(seed: 5, size: PixelSize(width: 16, height: 12)).pngData()
    try picture.write(to: outside.url.appending(path: "far.png"))
    try write("a/b/deep_one.png")
    try files.createSymbolicLink(
      at: directory.url.appending(path: "link.png"),
      withDestinationURL: outside.url.appending(path: "far.png"))
    try files.createSymbolicLink(
      at: directory.url.appending(path: "loop/back"), withDestinationURL: directory.url)
    try files.createSymbolicLink(
      at: directory.url.appending(path: "outside"), withDestinationURL: outside.url)
    let source = try source()
    #expect(try source.count == 3)
    var titles: Set<String?> = []
    for _ in 0..<3 { titles.insert(try await title(source)) }
    #expect(titles == ["deep one", "link", "far"])
    // So is what comes into a folder below it later.
    try write("a/.new.png")
    try files.moveItem(
      at: directory.url.appending(path: "a/.new.png"),
      to: directory.url.appending(path: "a/b/new.png"))
    #expect(try await title(source) == "new")
    let image = try #require(
      try LocalPicture.all(at: directory.url.path).pictures.first { $0.name.hasSuffix("one.png") })
    #expect(try image.read().url.path.hasSuffix("/a/b/deep_one.png"))
  }

  @Test func `fault 105: skipped files are counted, with the reason`() async throws {
    let files = FileManager.default
    try files.createDirectory(
      at: directory.url.appending(path: "1/2/3/4/5/6/7/8/9"), withIntermediateDirectories: true)
    try write("1/2/3/4/5/6/7/8/9/deep.png")
    for folder in ["@eaDir", "#recycle", "__MACOSX"] {
      try files.createDirectory(
        at: directory.url.appending(path: folder), withIntermediateDirectories: true)
      try write("\(folder)/of-a-program.png")
    }
    try write(".hidden.png")
    try Data("words".utf8).write(to: directory.url.appending(path: "notes.txt"))
    try RemoteImage.picture(1).prefix(45).write(to: directory.url.appending(path: "cut.png"))
    try files.createSymbolicLink(
      atPath: directory.path("broken.png"), withDestinationPath: "nowhere.png")
    let error = await #expect(throws: ImageSourceError.self) { try await title(source()) }
    #expect(
      error?.message.hasSuffix(
        "holds no picture that Panda can show (passed over: 1 no picture, "
          + "1 that cannot be decoded, 1 hidden, 3 of other programs, "
          + "1 a link that leads nowhere, 1 too many folders deep)"
      ) == true, "\(error as Any)")
  }

  @Test func `hidden files, pipes and non-pictures are skipped`()
    async throws
  {
    try write(".hidden.png")
    try write("panda.png")
    try Data("not a picture".utf8).write(to: directory.url.appending(path: "x.jpg"))
    try Data().write(to: directory.url.appending(path: "empty.png"))
    try Data(contentsOf: directory.url.appending(path: "panda.png")).prefix(60)
      .write(to: directory.url.appending(path: "cut.png"))
    try FileManager.default.createDirectory(
      at: directory.url.appending(path: "folder.png"), withIntermediateDirectories: false)
    #expect(mkfifo(directory.path("pipe.png"), 0o600) == 0)
    let entries = Lock<[String]>([])
    let log = Log { entry in entries.withLock { $0.append(entry.text) } }
    let source = try FolderSource(directory.url.path, log: log) { $0 }
    for _ in 0..<4 { #expect(try await title(source) == "panda") }
    let skipped = Set(entries.withLock { $0 })
    #expect(skipped.count == 3)
    for name in ["x.jpg", "empty.png", "cut.png"] {
      #expect(skipped.contains { $0.hasPrefix("\(directory.url.path)/\(name) was skipped: ") })
    }
  }

  @Test func `a new file comes next, and a deleted one is skipped`() async throws {
    for name in ["a.png", "b.png", "c.png"] { try write(name) }
    let source = try source()
    #expect(try await title(source) == "c")
    // Renamed, because a child process of another test may hold a newly written file open, and the
    // kernel reports the write only when the last descriptor is closed.
    try write(".new.png")
    try FileManager.default.moveItem(
      at: directory.url.appending(path: ".new.png"), to: directory.url.appending(path: "new.png"))
    #expect(try await title(source) == "new")
    try FileManager.default.removeItem(at: directory.url.appending(path: "b.png"))
    #expect(try await title(source) == "a")
    #expect(try source.count == 3)
  }

  @Test func `an empty folder is reported, and a file added later is shown`() async throws {
    let source = try source()
    let error = await #expect(throws: ImageSourceError.self) { try await title(source) }
    #expect(error?.kind == .emptyFolder)
    #expect(error?.detail.isEmpty == true)
    // Moved here, since the kernel tells of a written file at its last close, which a program that
    // another test starts at this moment may delay.
    try write(".first.png")
    try FileManager.default.moveItem(
      at: directory.url.appending(path: ".first.png"),
      to: directory.url.appending(path: "first.png"))
    #expect(try await title(source) == "first")
  }

  @Test func `a folder that is removed and recreated is reread`() async throws {
    let folder = directory.url.appending(path: "pandas")
    func make(_ name: String) throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let picture = BambooGrove.drawing(seed: 1, size: PixelSize(width: 8, height: 8))
      try picture.pngData().write(to: folder.appending(path: name))
    }
    try make("first.png")
    let source = try FolderSource(folder.path)
    #expect(try await title(source) == "first")
    try FileManager.default.removeItem(at: folder)
    await #expect(throws: FileError.self) { try await title(source) }
    await #expect(throws: FileError.self) { try await title(source) }
    try make("second.png")
    #expect(try await title(source) == "second")
  }

  @Test func `a missing folder is an error with a reason`() throws {
    let error = #expect(throws: FileError.self) { try FolderSource(directory.path("none")) }
    #expect(error?.description.hasSuffix("cannot be read: no such file or directory.") == true)
    try write("file.png")
    #expect(throws: FileError.self) { try FolderSource(directory.path("file.png")) }
  }

  @Test func `XMP gives the title, the makers and the rights`() async throws {
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description>
      <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Wah &amp; friends</rdf:li></rdf:Alt></dc:title>
      <dc:description><rdf:Alt><rdf:li>At the zoo</rdf:li></rdf:Alt></dc:description>
      <dc:creator><rdf:Seq><rdf:li>Ada</rdf:li><rdf:li>Grace</rdf:li></rdf:Seq></dc:creator>
      <dc:rights><rdf:Alt><rdf:li>CC BY 4.0</rdf:li></rdf:Alt></dc:rights>
      </rdf:Description></rdf:RDF></x:xmpmeta>
      """
    var bytes = try BambooGrove.drawing(seed: 1, size: PixelSize(width: 16, height: 12)).pngData()
    bytes += Data(packet.utf8)
    try bytes.write(to: directory.url.appending(path: "x.png"))
    let image = try await source().fetchImage { _ in }
    #expect(image.title == "Wah & friends" && image.credit == "Ada, Grace")
    #expect(image.license == "CC BY 4.0")
  }

  @Test(arguments: [
    "", "<x:xmpmeta", "<x:xmpmeta><dc:title>", "<x:xmpmeta></x:xmpmeta>",
    "<x:xmpmeta><dc:title><rdf:li>x</dc:title>", "<x:xmpmeta><dc:title><rdf:li</dc:title></rdf:li>",
    "<x:xmpmeta><dc:title><rdf:li></rdf:li></dc:title>",
    "<x:xmpmeta>" + String(repeating: " ", count: XMPMetadata.packetLimit)
      + "<dc:title><rdf:li>too far</rdf:li></dc:title></x:xmpmeta>",
    "<x:xmpmeta></x:xmpmeta><dc:title><rdf:li>behind</rdf:li></dc:title>",
  ])
  func `broken or empty XMP is ignored`(packet: String) {
    #expect(XMPMetadata(in: Data(packet.utf8)) == nil)
  }

  @Test
  func `keywords are those of XMP, its hierarchies and IPTC; CDATA is text, noise is nothing`() {
    let packet = """
      <x:xmpmeta><dc:title><rdf:Alt><rdf:li><![CDATA[Wah & <friends>]]></rdf:li></rdf:Alt></dc:title>
      <dc:description><rdf:Alt><rdf:li>\u{1}R\u{2}e\u{3}d</rdf:li></rdf:Alt></dc:description>
      <dc:subject><rdf:Bag><rdf:li>snow</rdf:li></rdf:Bag></dc:subject>
      <lr:hierarchicalSubject><rdf:Bag><rdf:li>Animals|red panda</rdf:li></rdf:Bag>
      </lr:hierarchicalSubject></x:xmpmeta>
      """
    // A JPEG whose IPTC has the keywords "Schnee–Bär", in Windows-1252, and "snow".
    let words: [[UInt8]] = [
      Array("Schnee".utf8) + [0x96, 0x42, 0xE4, 0x72], Array("snow".utf8),
    ]
    let records = words.reduce([UInt8]()) { $0 + [28, 2, 25, 0, UInt8($1.count)] + $1 }
    let resources =
      Array("Photoshop 3.0\u{0}8BIM".utf8)
      + [4, 4, 0, 0, 0, 0, 0, UInt8(records.count)] + records
    let jpeg =
      [0xFF, 0xD8, 0xFF, 0xED, 0, UInt8(resources.count + 2)] + resources
      + [0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0]
    let notes = PictureNotes(in: Data(jpeg) + Data(packet.utf8))
    #expect(notes.title == "Wah & <friends>" && notes.description == nil)
    #expect(notes.tags == ["snow", "Animals", "red-panda", "Schnee–Bär"])
  }

  @Test func `a description replaces a missing title, and entities stay small`() {
    let note = XMPMetadata(
      in: Data(
        "\u{1}\u{2}<<x:xmpmeta><dc:description><rdf:li>At &bomb; home</rdf:li></dc:description>"
          .utf8))
    #expect(note?.description == "At &bomb; home" && note?.creator == nil)
  }
}
