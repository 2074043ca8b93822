internal import CMemory

/// Configures the program's memory management.
enum Memory {
  /// Returns large blocks, such as bitmaps, to the system as soon as they are freed.
  ///
  /// By default glibc raises the size limit for that to the size of the largest freed block, up to
  /// 32 MB (mallopt(3), M_MMAP_THRESHOLD): the memory of each drawn picture would stay allocated,
  /// 10 MB of it after the first. With the pixels of a picture of 400x300 among the large ones, the
  /// first screen of 10,000 favorites without thumbnails peaks 2 MB lower.
  static func returnLargeBlocks() {
    mallopt(M_MMAP_THRESHOLD, 384 << 10)
  }
}
