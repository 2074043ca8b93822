import Foundation
import PandaTestSupport

extension RecordedDisk {
  /// Reads the records of faults.c.
  ///
  /// Each new file gets a number of its own, since the file system gives inodes out again.
  mutating func read(_ data: Data) throws {
    let headerLength = 32
    var files: [UInt64: UInt64] = [:]
    var next: UInt64 = 1 << 60
    try data.withUnsafeBytes { bytes in
      var place = 0
      while place + headerLength <= bytes.count {
        func number(_ offset: Int) -> UInt64 {
          bytes.loadUnaligned(fromByteOffset: place + offset, as: UInt64.self)
        }
        let kind = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        let nameCount = Int(bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self))
        let count = Int(number(8))
        let (inode, offset) = (number(16), Int(number(24)))
        let start = place + headerLength
        // A program that is killed leaves part of a record.
        guard start + nameCount + count <= bytes.count else { return }
        let name = String(decoding: bytes[start..<start + nameCount], as: UTF8.self)
        let content = Data(bytes[start + nameCount..<start + nameCount + count])
        place = start + nameCount + count
        let file = files[inode] ?? inode
        switch kind {
        case 1:
          next += 1
          files[inode] = next
          records.append(.create(name, file: next))
        case 2: records.append(.write(file: file, at: offset, content))
        case 3: records.append(.truncate(file: file, offset))
        case 4: records.append(.flush(file: file))
        case 5: records.append(.flushNames(of: name))
        case 6: records.append(.flushAll)
        case 7: records.append(.rename(name, String(decoding: content, as: UTF8.self)))
        case 8: records.append(.remove(name))
        case 9: records.append(.makeFolder(name))
        case 10: records.append(.print(String(decoding: content, as: UTF8.self)))
        case 11: hasFailed = true
        case 12: callCount = offset
        default: throw TestFailure("the journal has a record of kind \(kind)")
        }
      }
    }
  }
}
