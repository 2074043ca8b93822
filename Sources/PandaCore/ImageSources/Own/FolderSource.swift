internal import FoundationEssentials
internal import Glibc
internal import PictureCodecs
package import SystemSupport

/// Provides the pictures of a folder, or some files, in random order, each once before any repeats.
///
/// The folder is watched, with those in it: a new file comes next. ``FolderContents`` says what is
/// passed over.
package final class FolderSource: ImageSource {
  package let name: String
  /// The folder's path, without symbolic links.
  package let path: String

  private struct State {
    /// The names of all files at the last read.
    var known: Set<FileName> = []
    /// The upcoming files, taken from the end.
    var bag: [FileName] = []
    var passedOver = PassedOver()
    var isStale = true
  }

  private let state = Lock(State())
  private let shuffle: @Sendable ([FileName]) -> [FileName]
  private let log: Log
  /// Nil if the system does not report changes: then the folder is read each time.
  private let watch: FolderMonitor?
  /// The files that were named, by their paths from the root; nil for those of the folder.
  private let files: [FileName]?

  /// Opens a folder.
  ///
  /// - Parameters:
  ///   - log: receives why a file was skipped.
  ///   - shuffle: shuffles names.
  /// - Throws: `FileError` if the folder does not exist or cannot be read.
  package init(
    _ path: String, log: Log = .off,
    shuffle: @escaping @Sendable ([FileName]) -> [FileName] = { $0.shuffled() }
  ) throws(FileError) {
    guard let resolved = realpath(path, nil) else { throw FileError(.read, path, code: errno) }
    defer { free(resolved) }
    self.path = String(cString: resolved)
    self.log = log
    self.shuffle = shuffle
    let last = self.path.split(separator: "/").last.map { String($0) }
    name = last ?? "/"
    watch = FolderMonitor(self.path)
    files = nil
    _ = try FolderContents(of: self.path)
  }

  /// Takes files.
  ///
  /// - Throws: `FileError` if one of them does not exist.
  package init(files paths: [String], log: Log = .off) throws(FileError) {
    var files: [FileName] = []
    for path in paths { files.append(try FileName(resolving: path)) }
    self.files = files
    (path, self.log, shuffle, watch) = ("/", log, { $0.shuffled() }, nil)
    name = files.first?.folderName ?? "/"
  }

  /// Provides the next picture, skipping files that are not pictures.
  ///
  /// - Throws: ``ImageSourceError`` of kind `.emptyFolder`; `FileError`; `CancellationError`.
  @concurrent
  package func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> FetchedImage {
    // The rest of this round and all of the next: whatever the order, each file is tried.
    let count = try refresh()
    var left = 2 * count
    var damaged: Set<FileName> = []
    while left > 0, let file = next() {
      try Task.checkCancellation()
      left -= 1
      let picture = LocalPicture(file: file, folder: path)
      do {
        return try await picture.read().tried()
      } catch let error as CancellationError {
        throw error
      } catch {
        // The folder also holds other files.
        log.notice(.pictures, "\(path)/\(picture.name) was skipped: \(error)")
        if let error = error as? PictureError, !error.isAboutOtherFiles { damaged.insert(file) }
      }
    }
    var passedOver = state.withLock { $0.passedOver }
    for _ in 0..<max(0, count - damaged.count) { passedOver.count(.noPicture) }
    for _ in damaged { passedOver.count(.undecodable) }
    throw ImageSourceError(.emptyFolder, host: name, detail: passedOver.words ?? "")
  }

  /// The number of files that may be pictures.
  package var count: Int {
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
    let contents: FolderContents
    do {
      contents = try files.map(FolderContents.init(of:)) ?? FolderContents(of: path)
    } catch {
      // When the folder reappears, it is reread.
      state.withLock { $0.isStale = true }
      throw error
    }
    watch?.watch(contents.folders)
    let names = Set(contents.files)
    let fresh = shuffle(names.subtracting(state.withLock { $0.known }).sorted())
    return state.withLock { state in
      let isFirst = state.known.isEmpty
      state.bag.removeAll { !names.contains($0) }
      state.bag += isFirst ? fresh : fresh.filter { !state.bag.contains($0) }
      state.known = names
      state.passedOver = contents.passedOver
      return names.count
    }
  }

  private func next() -> FileName? {
    state.withLock { state in
      if state.bag.isEmpty { state.bag = shuffle(state.known.sorted()) }
      return state.bag.popLast()
    }
  }
}

extension PictureError {
  /// Whether the file is none that anyone would take for a picture.
  fileprivate var isAboutOtherFiles: Bool { if case .notAPicture = kind { true } else { false } }
}
