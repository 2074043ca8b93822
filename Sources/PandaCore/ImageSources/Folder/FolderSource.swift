internal import FoundationEssentials
internal import Glibc
internal import PictureCodecs
internal import Synchronization

/// Provides the pictures of a folder, in a random order; none comes twice before all have come.
///
/// The folder is watched: a file that is new is the next. Its own files count, not those of the
/// folders in it; hidden ones and symbolic links do not.
package final class FolderSource: ImageSource {
  /// The name of the folder.
  package let name: String
  /// The folder's path, without symbolic links.
  package let path: String

  private struct State {
    /// The names of all files, when they were read last.
    var known: Set<String> = []
    /// What is shown next, from the end.
    var bag: [String] = []
    /// Whether something has changed since.
    var isStale = true
  }

  private let state = Mutex(State())
  private let shuffle: @Sendable ([String]) -> [String]
  /// Nil where the system does not tell of changes: then the folder is read each time.
  private let watch: FolderWatch?

  /// How many files of a folder are known at most.
  static let fileLimit = 100_000

  /// Opens a folder.
  ///
  /// - Parameter shuffle: puts names into a random order.
  /// - Throws: ``FolderError`` if there is no folder that can be read.
  package init(
    _ path: String, shuffle: @escaping @Sendable ([String]) -> [String] = { $0.shuffled() }
  ) throws(FolderError) {
    guard let resolved = realpath(path, nil) else { throw FolderError(path: path, code: errno) }
    defer { free(resolved) }
    self.path = String(cString: resolved)
    self.shuffle = shuffle
    let last = self.path.split(separator: "/").last.map { String($0) }
    name = last ?? "/"
    watch = FolderWatch(self.path)
    _ = try Self.names(in: self.path)
  }

  /// Provides the next picture; files that are none are passed over.
  ///
  /// - Throws: ``ImageSourceError`` of kind `.emptyFolder`; ``FolderError``; `CancellationError`.
  @concurrent
  package func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> FetchedImage {
    // The rest of this turn, and all of the next: whatever their order, each file is looked at.
    var left = 2 * (try refresh())
    while left > 0, let file = next() {
      try Task.checkCancellation()
      left -= 1
      guard let image = try image(file) else { continue }
      return image
    }
    throw ImageSourceError(.emptyFolder, host: name)
  }

  /// How many files there are that may be pictures.
  var count: Int {
    get throws { try refresh() }
  }

  /// Reads the folder again if something in it may have changed; returns how many files there are.
  private func refresh() throws -> Int {
    let isStale = state.withLock { state in
      defer { state.isStale = watch == nil }
      return state.isStale
    }
    let hasChanged = watch?.hasChanged() ?? true
    guard isStale || hasChanged else { return state.withLock { $0.known.count } }
    let names: Set<String>
    do {
      names = Set(try Self.names(in: path))
    } catch {
      // When it is there again, it is read.
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

  private func next() -> String? {
    state.withLock { state in
      if state.bag.isEmpty { state.bag = shuffle(state.known.sorted()) }
      return state.bag.popLast()
    }
  }

  /// Reads a file; nil if it is no picture that can be shown, or has gone.
  private func image(_ file: String) throws -> FetchedImage? {
    guard let data = Self.contents(of: file, in: path) else { return nil }
    do {
      _ = try PictureDecoder.header(of: data)
    } catch {
      // Not a picture: the folder holds other files too.
      return nil
    }
    let note = XMPNote(in: data)
    return FetchedImage(
      url: URL(filePath: path + "/" + file, directoryHint: .notDirectory), data: data, source: name,
      title: note?.title ?? Self.title(of: file), credit: note?.creator, licence: note?.rights)
  }

  /// A file's name as a title: without its extension, with spaces for underlines.
  static func title(of file: String) -> String? {
    let end = file.lastIndex(of: ".").flatMap { $0 == file.startIndex ? nil : $0 } ?? file.endIndex
    let words = file[..<end].replacing("_", with: " ").split(separator: " ")
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  // MARK: The file system

  /// The names of the files in a folder that may be pictures.
  private static func names(in path: String) throws(FolderError) -> [String] {
    guard let directory = opendir(path) else { throw FolderError(path: path, code: errno) }
    defer { closedir(directory) }
    var names: [String] = []
    while names.count < fileLimit, let entry = readdir(directory) {
      let kind = Int32(entry.pointee.d_type)
      // Some file systems do not tell the kind: opening the file does.
      guard kind == DT_REG || kind == DT_UNKNOWN else { continue }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
      }
      guard let name, !name.hasPrefix(".") else { continue }
      names.append(name)
    }
    return names
  }

  /// The bytes of a file; nil if it is none, is too large, or cannot be read.
  ///
  /// A symbolic link is not followed, and a pipe is not waited for.
  private static func contents(of file: String, in path: String) -> Data? {
    let descriptor = open(
      path + "/" + file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    let limit = PictureLimits.standard.bytes
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      (1...limit).contains(Int(status.st_size))
    else { return nil }
    var data = Data(count: Int(status.st_size))
    var count = 0
    while count < data.count {
      let received = data.withUnsafeMutableBytes { bytes in
        read(descriptor, bytes.baseAddress! + count, bytes.count - count)
      }
      if received < 0, errno == EINTR { continue }
      // Cut short while it was read: it is being written, and comes again.
      guard received > 0 else { return nil }
      count += received
    }
    return data
  }
}

/// Says why a folder cannot be read.
package struct FolderError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The folder, as it was named.
  package let path: String
  /// The error number of the system.
  package let code: Int32

  package var description: String {
    "The folder \(path) cannot be read: \(String(cString: strerror(code)))"
  }
}
