import Glibc
import Testing

@testable import Pantry

@Suite struct FileStampTests {
  private let hour = 3_600

  /// The status of a file that was last written at a time, in seconds and nanoseconds.
  private func status(seconds: Int, nanoseconds: Int = 1, byteCount: Int = 10) -> stat {
    var status = stat()
    status.st_ino = 7
    status.st_size = off_t(byteCount)
    status.st_mtim = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
    return status
  }

  private func nanoseconds(_ seconds: Int) -> Int { seconds * 1_000_000_000 }

  @Test func `a stamp taken long after the last write proves that the file is unchanged`() {
    let former = FileStamp(status(seconds: hour), now: nanoseconds(2 * hour))
    #expect(former.isUnchanged(in: FileStamp(status(seconds: hour))))
    #expect(!former.isUnchanged(in: FileStamp(status(seconds: hour, nanoseconds: 2))))
    #expect(!former.isUnchanged(in: FileStamp(status(seconds: hour, byteCount: 11))))
    #expect(!former.isUnchanged(in: nil))
  }

  @Test func `a stamp taken right after a write proves nothing`() {
    let former = FileStamp(status(seconds: hour), now: nanoseconds(hour) + 10_000_000)
    #expect(!former.isUnchanged(in: FileStamp(status(seconds: hour))))
    #expect(former.resembles(FileStamp(status(seconds: hour))))
  }

  @Test func `a file system with whole seconds has a longer tick`() {
    let later = nanoseconds(hour) + 1_500_000_000
    let whole = FileStamp(status(seconds: hour, nanoseconds: 0), now: later)
    #expect(!whole.isUnchanged(in: FileStamp(status(seconds: hour, nanoseconds: 0))))
    let fine = FileStamp(status(seconds: hour), now: later)
    #expect(fine.isUnchanged(in: FileStamp(status(seconds: hour))))
  }

  @Test func `a future time, as after a clock was set back, does not stay fresh forever`() {
    let former = FileStamp(status(seconds: 2 * hour), now: nanoseconds(hour))
    #expect(former.isUnchanged(in: FileStamp(status(seconds: 2 * hour))))
  }

  @Test func `an absent file is unchanged as long as it is absent`() {
    let file = FileStamp(status(seconds: hour), now: nanoseconds(2 * hour))
    let former: [FileStamp?] = [file, nil]
    #expect(former.areUnchanged(in: [file, nil]))
    #expect(!former.areUnchanged(in: [file, file]))
    #expect(!former.areUnchanged(in: [nil, nil]))
  }
}
