internal import FoundationEssentials
internal import Glibc
internal import Locking

/// Provides the pictures of a folder in random order, each once before any repeats.
///
/// The folder is watched: a new file comes next. Files in subfolders, hidden files and symbolic
/// links are ignored.
package final class FolderSource: ImageSource {
  /// The name of the folder.
  package let name: String
  /// The folder's path, without symbolic links.
  package let path: String

  private struct State {
    /// The names of all files at the last read.
    var known: Set<FileName> = []
    /// The upcoming files, taken from the end.
    var bag: [FileName] = []
    /// Whether something has changed since the last read.
    var isStale = true
  }

  private let state = Lock(State())
  private let shuffle: @Sendable ([FileName]) -> [FileName]
  private let log: Log
  /// Nil if the system does not report changes: then the folder is read each time.
  private let watch: FolderWatch?

  /// The maximum number of files.
  static let fileLimit = 100_000

  /// Opens a folder.
  ///
  /// - Parameters:
  ///   - log: receives why a file was skipped.
  ///   - shuffle: shuffles names.
  /// - Throws: ``FolderError`` if the folder does not exist or cannot be read.
  package init(
    _ path: String, log: Log = .off,
    shuffle: @escaping @Sendable ([FileName]) -> [FileName] = { $0.shuffled() }
  ) throws(FolderError) {
    guard let resolved = realpath(path, nil) else { throw FolderError(path: path, code: errno) }
    defer { free(resolved) }
    self.path = String(cString: resolved)
    self.log = log
    self.shuffle = shuffle
    let last = self.path.split(separator: "/").last.map { String($0) }
    name = last ?? "/"
    watch = FolderWatch(self.path)
    _ = try Self.names(in: self.path)
  }

  /// Provides the next picture, skipping files that are not pictures.
  ///
  /// - Throws: ``ImageSourceError`` of kind `.emptyFolder`; ``FolderError``; `CancellationError`.
  @concurrent
  package func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> FetchedImage {
    // The rest of this round and all of the next: whatever the order, each file is tried.
    var left = 2 * (try refresh())
    while left > 0, let file = next() {
      try Task.checkCancellation()
      left -= 1
      if let image = image(file) { return image }
    }
    throw ImageSourceError(.emptyFolder, host: name)
  }

  /// The number of files that may be pictures.
  var count: Int {
    get throws { try refresh() }
  }

  /// Rereads the folder if it may have changed; returns the number of files.
  private func refresh() throws -> Int {
    let isStale = state.withLock { state in
      defer { state.isStale = watch == nil }
      return state.isStale
    }
    let hasChanged = watch?.hasChanged() ?? true
    guard isStale || hasChanged else { return state.withLock { $0.known.count } }
    let names: Set<FileName>
    do {
      names = Set(try Self.names(in: path))
    } catch {
      // When the folder reappears, it is reread.
      state.withLock { $0.isStale = true }
      throw error
    }
    let fresh = shuffle(names.subtracting(state.withLock { $0.known }).sorted())
    return state.withLock { state in
      let isFirst = state.known.isEmpty
      state.bag.removeAll { !names.contains($0) }
      state.bag += isFirst ? fresh : fresh.filter { !state.bag.contains($0) }
      state.known = names
      return names.count
    }
  }

  private func next() -> FileName? {
    state.withLock { state in
      if state.bag.isEmpty { state.bag = shuffle(state.known.sorted()) }
      return state.bag.popLast()
    }
  }

  /// Reads a file; nil if it is not a picture that can be shown, or is gone.
  private func image(_ file: FileName) -> FetchedImage? {
    let picture = LocalPicture(file: file, folder: path)
    do {
      return try picture.read()
    } catch {
      // The folder also holds other files.
      log.notice(.pictures, "\(path)/\(picture.name) was skipped: \(error)")
      return nil
    }
  }

  // MARK: The file system

  /// Returns the names of the files in a folder that may be pictures.
  static func names(in path: String) throws(FolderError) -> [FileName] {
    guard let directory = opendir(path) else { throw FolderError(path: path, code: errno) }
    defer { closedir(directory) }
    var names: [FileName] = []
    while names.count < fileLimit, let entry = readdir(directory) {
      let kind = Int32(entry.pointee.d_type)
      // Some file systems do not report the type: opening the file does.
      guard kind == DT_REG || kind == DT_UNKNOWN else { continue }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { FileName($0.prefix { $0 != 0 }) }
      guard !name.isHidden else { continue }
      names.append(name)
    }
    return names
  }
}

/// The reason why a folder cannot be read.
package struct FolderError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The folder, as the user named it.
  package let path: String
  /// The system's error number.
  package let code: Int32

  package var description: String {
    "The folder \(path) cannot be read: \(String(cString: strerror(code)))"
  }
}
