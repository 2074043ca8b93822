import Foundation
import PandaTestSupport
import Pantry
import Testing

@testable import Grove
@testable import PandaCore
@testable import PictureCodecs

@Suite struct PictureFileCacheTests {
  private let directory = TemporaryDirectory()
  private var folder: URL { directory.url.appending(path: "panda/pictures") }
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func cache(limit: Int = 1_000) -> PictureFileCache {
    PictureFileCache(directory: StorageDirectory(url: folder), limit: limit, now: { [now] in now })
  }

  private func picture(_ seed: UInt64) throws -> Data {
    try BambooGrove.drawing(seed: seed, size: PixelSize(width: 64, height: 48)).pngData()
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func setLastUse(_ path: String, daysAgo: Double) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: now.addingTimeInterval(-daysAgo * 86_400)], ofItemAtPath: path)
  }

  @Test func `a copy is readable by its owner, and writable by no one`() async throws {
    let bytes = try picture(1)
    let path = try await cache().path(of: Attachment(bytes))
    #expect(path.hasSuffix(".png") && path.hasPrefix(folder.path))
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o400)
  }

  @Test func `an existing copy is not made again`() async throws {
    let bytes = try picture(1)
    let path = try await cache().path(of: Attachment(bytes))
    try setLastUse(path, daysAgo: 0.5)
    let again = try await cache().path(of: Attachment(bytes))
    #expect(again == path)
    #expect(try names().count == 1)
  }

  @Test(arguments: ["heic", "avif"])
  func `a copy of any format is found again`(_ brand: String) async throws {
    let bytes = Data([0, 0, 0, 20]) + Data("ftyp\(brand)".utf8) + Data(count: 8)
    let path = try await cache().path(of: Attachment(bytes))
    #expect(path.hasSuffix(".\(brand)"))
    #expect(await cache().data(of: Attachment(bytes).digest) == bytes)
  }

  @Test func `a copy cut short, or a link in its place, is replaced`() async throws {
    let bytes = try picture(1)
    let path = try await cache().path(of: Attachment(bytes))
    try FileManager.default.removeItem(atPath: path)
    try bytes.dropLast().write(to: URL(filePath: path))
    #expect(try await cache().path(of: Attachment(bytes)) == path)
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    let other = directory.url.appending(path: "other")
    try Data(count: bytes.count).write(to: other)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other.path)
    #expect(try await cache().path(of: Attachment(bytes)) == path)
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    #expect(try Data(contentsOf: other) == Data(count: bytes.count))
  }

  @Test func `the oldest copies make room, and never one that was just needed`() async throws {
    let cache = cache(limit: 1)
    var paths: [String] = []
    for number: UInt64 in 1...3 {
      paths.append(try await cache.path(of: Attachment(picture(number))))
    }
    try setLastUse(paths[0], daysAgo: 30)
    try setLastUse(paths[1], daysAgo: 1.5)
    try setLastUse(paths[2], daysAgo: 0)
    await cache.removeOldest()
    #expect(try names() == paths[1...].map { URL(filePath: $0).lastPathComponent }.sorted())
    let roomy = self.cache(limit: 1 << 20)
    try setLastUse(paths[1], daysAgo: 30)
    await roomy.removeOldest()
    #expect(try names().count == 2)
  }
}
