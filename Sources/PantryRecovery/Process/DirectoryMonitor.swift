internal import CPantryFileSystem
internal import Dispatch
internal import Glibc
internal import SystemSupport

/// Reports changes of the files in a directory, by inotify(7).
///
/// It watches the directory instead of a file, since a replacement is another file. Watching ends
/// with the object's life.
///
/// Sendable: nothing in it changes after init.
final class DirectoryMonitor: DirectoryWatch, @unchecked Sendable {
  private static let mask =
    IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
    | IN_MOVE_SELF | IN_ONLYDIR

  private let path: String
  private let descriptor: Int32
  private let source: any DispatchSourceRead

  /// Starts watching; nil if the system refuses, or on a file system without change events.
  ///
  /// - Parameters:
  ///   - queue: the queue of `handler`.
  ///   - handler: receives the changes since its last call.
  init?(
    _ path: String, on queue: DispatchQueue, handler: @escaping @Sendable (DirectoryEvents) -> Void
  ) {
    guard Self.reportsAllWrites(path) else { return nil }
    let descriptor = Descriptors.inotify()
    guard descriptor >= 0 else { return nil }
    guard inotify_add_watch(descriptor, path, UInt32(Self.mask)) >= 0 else {
      close(descriptor)
      return nil
    }
    self.path = path
    self.descriptor = descriptor
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { handler(Self.read(descriptor)) }
    source.setCancelHandler { close(descriptor) }
    source.resume()
  }

  deinit { source.cancel() }

  func pause() {
    _ = inotify_add_watch(descriptor, path, UInt32(Self.mask & ~IN_MODIFY))
  }

  func resume() { _ = inotify_add_watch(descriptor, path, UInt32(Self.mask)) }

  private static func read(_ descriptor: Int32) -> DirectoryEvents {
    var events = DirectoryEvents()
    // One event with the longest name is 272 bytes.
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
      while true {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        add(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: &events)
      }
    }
    return events
  }

  private static func add(_ bytes: UnsafeRawBufferPointer, to events: inout DirectoryEvents) {
    let headLength = MemoryLayout<inotify_event>.size
    var offset = 0
    while offset + headLength <= bytes.count {
      let head = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let name = bytes[(offset + headLength)...].prefix(Int(head.len)).prefix { $0 != 0 }
      offset += headLength + Int(head.len)
      let mask = Int32(bitPattern: head.mask)
      if mask & IN_Q_OVERFLOW != 0 {
        events.isIncomplete = true
      } else if mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT) != 0 {
        events.isOver = true
      } else if mask & IN_MODIFY != 0 {
        let name = String(decoding: name, as: UTF8.self)
        events.written.insert(name)
        events.lastWritten = name
      } else {
        events.named.insert(String(decoding: name, as: UTF8.self))
      }
    }
  }

  /// Whether a file system reports all writes: network file systems do not report those of other
  /// machines, and FUSE may be one.
  ///
  /// The numbers are those of statfs(2).
  private static func reportsAllWrites(_ path: String) -> Bool {
    var system = statfs()
    guard statfs(path, &system) == 0 else { return false }
    let silent: Set<Int> = [
      0x6969,  // NFS
      0x517B, 0xFF53_4D42, 0xFE53_4D42,  // SMB, CIFS, SMB2
      0x6573_5546,  // FUSE
      0x0102_1997,  // 9P
      0x00C3_6400,  // Ceph
      0x5346_414F, 0x6B41_4653,  // AFS
      0x7375_7245,  // Coda
      0x0BD0_0BD0,  // Lustre
    ]
    return !silent.contains(Int(system.f_type))
  }
}
