import Foundation
import PandaTestSupport
import Pantry
import Testing

@testable import Grove
@testable import PandaCore
@testable import PictureCodecs

@Suite struct ThumbnailCacheTests {
  let directory = TemporaryDirectory()
  var folder: URL { directory.url.appending(path: "panda/thumbnails") }

  func cache(limit: Int = 64 << 20) -> ThumbnailCache {
    ThumbnailCache(directory: StorageDirectory(url: folder), limit: limit)
  }

  func picture(_ seed: UInt64) throws -> Data {
    try BambooGrove.drawing(seed: seed, size: PixelSize(width: 320, height: 240)).pngData()
  }

  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func `a thumbnail is made once, and read back without the picture`() async throws {
    let bytes = try picture(1)
    let attachment = Attachment(bytes)
    let made = try await cache().thumbnail(of: attachment, decoder: PictureDecoder())
    #expect(made.bitmap.size == ThumbnailCache.size)
    #expect(try files().count == 1)
    #expect(try files()[0].hasPrefix(attachment.digest.hexadecimal))
    // An attachment whose bytes no longer exist.
    let gone = try JSONDecoder().decode(
      Attachment.self,
      from: Data(#"{"sha256":"\#(attachment.digest.hexadecimal)","byteCount":9}"#.utf8))
    await #expect(throws: (any Error).self) { try await gone.data() }
    let kept = try await cache().thumbnail(of: gone, decoder: PictureDecoder())
    #expect(kept.bitmap.size == ThumbnailCache.size)
    let difference = zip(kept.bitmap.pixels, made.bitmap.pixels)
      .reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(difference / made.bitmap.pixels.count < 4)
  }

  @Test(arguments: [
    PixelSize(width: 600, height: 900), PixelSize(width: 450, height: 800),
    PixelSize(width: 600, height: 647), PixelSize(width: 1600, height: 647),
  ])
  func `a face in the upper middle is in the thumbnail, whole`(_ size: PixelSize) async throws {
    let side = min(size.width, size.height) / 3
    let (left, top) = ((size.width - side) / 2, size.height * 2 / 5 - side / 2)
    var pixels = [UInt8](repeating: 255, count: size.width * size.height * 4)
    for y in top..<top + side {
      for x in left..<left + side { pixels[(y * size.width + x) * 4 + 2] = 0 }
    }
    let picture = try PNGEncoder.encode(Bitmap(size: size, pixels: pixels))
    let thumbnail = try await cache().thumbnail(
      of: Attachment(picture), decoder: PictureDecoder()
    ).bitmap
    let yellow = stride(from: 0, to: thumbnail.pixels.count, by: 4).count {
      thumbnail.pixels[$0 + 2] < 128
    }
    let crop = size.upperCenterRect(toFill: ThumbnailCache.size)
    let scale = Double(ThumbnailCache.size.width) / Double(crop.size.width)
    let share = Double(yellow) / (Double(side * side) * scale * scale)
    #expect((0.9...1.1).contains(share), "\(share) of the face")
  }

  @Test(arguments: [PixelSize(width: 900, height: 300), PixelSize(width: 300, height: 900)])
  func `a thumbnail of a whole picture has its shape, and a file of its own`(
    _ size: PixelSize
  ) async throws {
    let bytes = try BambooGrove.drawing(seed: 8, size: size).pngData()
    let attachment = Attachment(bytes)
    #expect(ThumbnailCache.isWhole(size))
    for _ in 0..<2 {
      let made = try await cache().thumbnail(
        of: attachment, isWhole: true, decoder: PictureDecoder())
      #expect(made.bitmap.size == size.fitted(in: ThumbnailCache.size))
      #expect(try files().count == 1)
    }
    let cut = try await cache().thumbnail(of: attachment, decoder: PictureDecoder())
    #expect(cut.bitmap.size == ThumbnailCache.size)
    #expect(try files().count == 2)
  }

  @Test func `the cache may be deleted at any time, and is private`() async throws {
    let cache = cache()
    let attachment = Attachment(try picture(2))
    _ = try await cache.thumbnail(of: attachment, decoder: PictureDecoder())
    try FileManager.default.removeItem(at: directory.url.appending(path: "panda"))
    _ = try await cache.thumbnail(of: attachment, decoder: PictureDecoder())
    #expect(try files().count == 1)
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions]
    #expect(mode as? Int == 0o700)
  }

  @Test(arguments: ["", "no picture", "GIF89a", "\u{FF}\u{D8}\u{FF}"])
  func `a damaged file is recreated`(_ content: String) async throws {
    let attachment = Attachment(try picture(3))
    let made = try await cache().thumbnail(of: attachment, decoder: PictureDecoder())
    let file = folder.appending(path: try files()[0])
    let whole = try Data(contentsOf: file)
    for damaged in [Data(content.utf8), whole.prefix(whole.count / 2)] {
      try damaged.write(to: file)
      let again = try await cache().thumbnail(of: attachment, decoder: PictureDecoder())
      #expect(again == made)
      #expect(try Data(contentsOf: file) == whole)
    }
  }

  @Test func `a file of another size is not taken for the thumbnail`() async throws {
    let attachment = Attachment(try picture(4))
    let made = try await cache().thumbnail(of: attachment, decoder: PictureDecoder())
    let file = folder.appending(path: try files()[0])
    try picture(5).write(to: file)
    try Data(BambooGrove.drawing(seed: 1, size: PixelSize(width: 40, height: 30)).pngData())
      .write(to: file)
    #expect(try await cache().thumbnail(of: attachment, decoder: PictureDecoder()) == made)
  }

  @Test func `thumbnails are made even if nothing can be written`() async throws {
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    // A file in place of the directory: this also stops root.
    try Data("x".utf8).write(to: directory.url.appending(path: "panda"))
    let decoded = try await cache().thumbnail(
      of: Attachment(try picture(6)), decoder: PictureDecoder())
    #expect(decoded.bitmap.size == ThumbnailCache.size)
  }

  @Test func `an incomplete picture is shown but not cached`() async throws {
    let bytes = try picture(7)
    let decoded = try await cache().thumbnail(
      of: Attachment(bytes.prefix(bytes.count / 2)), decoder: PictureDecoder())
    #expect(decoded.isIncomplete)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `a picture whose colors are not true is shown but not cached`() async throws {
    // A chunk iCCP that holds no profile, after the header.
    let profile: [UInt8] = [
      0, 0, 0, 7, 105, 67, 67, 80, 112, 0, 0, 106, 117, 110, 107, 76, 125, 250, 248,
    ]
    let plain = try picture(1)
    let made = try await cache().thumbnail(
      of: Attachment(plain.prefix(33) + profile + plain.dropFirst(33)), decoder: PictureDecoder())
    #expect(made.bitmap.size == ThumbnailCache.size && made.colorIssue != nil)
    #expect((try? files())?.isEmpty != false)  // no directory, or nothing in it
  }

  @Test func `the least recently used make room`() throws {
    let files = CacheFiles(directory: folder)
    for number in 0..<6 {
      try files.write(Data(count: 1_000), "\(number)")
      let used = Date(timeIntervalSince1970: 1_000_000 + Double(number))
      try FileManager.default.setAttributes(
        [.modificationDate: used], ofItemAtPath: folder.appending(path: "\(number)").path)
    }
    // Reading counts as use.
    #expect(files.read("1")?.count == 1_000)
    files.evict(over: 3_500)
    #expect(try self.files() == ["1", "4", "5"])
  }
}
