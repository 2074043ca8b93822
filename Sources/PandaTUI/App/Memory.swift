internal import CMemory

/// How the program's memory is managed.
enum Memory {
  /// Has large blocks, which bitmaps are, go back to the system as soon as they are freed.
  ///
  /// By itself glibc raises the size from which that is so to that of the largest block freed, 32 MB
  /// at most (mallopt(3), M_MMAP_THRESHOLD): the room of each picture that was drawn would stay, 10
  /// MB of it after the first.
  static func returnLargeBlocks() {
    mallopt(M_MMAP_THRESHOLD, 1 << 20)
  }
}
