extension SQLiteLocation {
  /// - Parameter patience: how long a new connection waits for the locks of others, in
  ///   milliseconds.
  init(
    _ filename: String, in directory: StorageDirectory, isReadOnly: Bool = false,
    patience: Int32 = Database.patience
  ) {
    let path = directory.path
    // Without a directory there is no path, rather than one in the working directory.
    self.init(
      path.isEmpty ? "" : FileLocation(path + "/" + filename).path, isReadOnly: isReadOnly,
      patience: patience
    ) { directory.otherOwner }
  }
}
