import Foundation
import Locking
import PandaTestSupport
import Testing

@testable import Pantry

@Suite struct DiskChangeLogTests {
  let directory = TemporaryDirectory()

  private func file(
    beforeChange: (@Sendable (FolderChange) throws -> Void)? = nil
  ) throws -> LockFile {
    try OpenFolder(directory.storage, beforeChange: beforeChange).openLockFile(DiskFileName.lock)
  }

  private func digests(_ range: Range<Int>) -> [ContentDigest] {
    range.map { ContentDigest(of: Data("\($0)".utf8)) }
  }

  /// What `log` reads; nil if anything may have changed.
  private func news(_ log: inout DiskChangeLog, _ file: LockFile) throws -> [ContentDigest]? {
    switch try log.read(file) {
    case .changes(let digests): digests
    case .unknown: nil
    }
  }

  @Test func `each change is read once by every process but its writer`() throws {
    let file = try file()
    var one = DiskChangeLog()
    var other = DiskChangeLog()
    #expect(try news(&one, file) == nil)
    try one.beginIfNeeded(file)
    #expect(try news(&other, file) == nil)
    #expect(try news(&other, file) == [])
    try one.add(digests(0..<3), nextPosition: 3, to: file)
    try one.add(digests(3..<40), nextPosition: 9, to: file)
    #expect(try news(&one, file) == [])
    #expect(try news(&other, file) == digests(0..<40))
    #expect(try news(&other, file) == [])
    #expect(other.nextPosition == 9)
    try other.add(digests(0..<1), nextPosition: 9, to: file)
    #expect(try news(&one, file) == digests(0..<1))
  }

  @Test func `many changes, a new log and a torn log mean that anything may have changed`() throws {
    let file = try file()
    var one = DiskChangeLog()
    try one.beginIfNeeded(file)
    var other = one
    #expect(try news(&other, file) == [])
    try one.add(digests(0..<2_001), nextPosition: 7, to: file)
    #expect(try news(&other, file) == nil)
    #expect(try news(&other, file) == [])
    for _ in 0..<5 { try one.add(digests(0..<1_000), nextPosition: 7, to: file) }
    #expect(try news(&other, file) == nil)
    #expect(other.nextPosition == 7)
    #expect(try file.byteCount() < 300_000)
    // A process was killed while it wrote a line.
    try file.write(Data("0123".utf8), at: file.byteCount())
    #expect(try news(&other, file) == nil)
    #expect(try news(&one, file) == nil)
    try other.add(digests(0..<1), nextPosition: 8, to: file)
    #expect(try news(&one, file) == nil)
    try other.add(digests(1..<2), nextPosition: 8, to: file)
    #expect(try news(&one, file) == digests(1..<2))
    #expect(one.nextPosition == 8)
  }

  @Test func `where there is no space, anything may have changed`() throws {
    let isFull = Lock(false)
    let full = try file { _ in
      // What makes the file empty needs none.
      let fails = isFull.withLock { isFull in
        defer { isFull = false }
        return isFull
      }
      if fails { throw DiskError(operation: .write, path: "", code: ENOSPC) }
    }
    var one = DiskChangeLog()
    try one.beginIfNeeded(full)
    var other = one
    #expect(try news(&other, full) == [])
    isFull.withLock { $0 = true }
    try one.add(digests(0..<1), nextPosition: 1, to: full)
    #expect(try news(&other, full) == nil)
    #expect(try news(&one, full) == nil)
  }
}
