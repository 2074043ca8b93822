extension StorageDirectory {
  /// The directory of the program's state, in `$XDG_STATE_HOME` or in `~/.local/state`.
  ///
  /// It is named as ``programData(fileID:)`` is.
  ///
  /// - Parameter fileID: the code that asks; its module is before the slash.
  public static func programState(fileID: String = #fileID) -> StorageDirectory {
    ProgramDirectory(in: BaseDirectories().state, fileID: fileID).holding(
      "values.json", ValueFile.directoryName("values.json"))
  }
}
