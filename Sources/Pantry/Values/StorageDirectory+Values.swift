extension StorageDirectory {
  /// The directory of the program's state, in `$XDG_STATE_HOME` or `~/.local/state`.
  ///
  /// It has the same name as ``programData(fileID:)``.
  ///
  /// - Parameter fileID: the calling file; its module, before the slash, names the directory.
  public static func programState(fileID: String = #fileID) -> StorageDirectory {
    ProgramDirectory(in: BaseDirectories().state, fileID: fileID).holding(
      "values.json", ValueFile.directoryName("values.json"))
  }
}
