package import FoundationEssentials
internal import Glibc
package import Pantry
internal import PictureCodecs
internal import SystemSupport

/// A file that may be a picture.
package struct LocalPicture: Hashable, Sendable {
  let file: FileName
  /// The path of its folder, without symbolic links.
  let folder: String

  init(file: FileName, folder: String) {
    self.file = file
    self.folder = folder
  }

  /// The name of the file, for the user; it may have any characters.
  package var name: String { String(decoding: file.bytes, as: UTF8.self) }

  /// Finds the pictures at a path: the file, or those below the directory, sorted by name.
  ///
  /// - Throws: `FileError` if nothing can be found there.
  package static func all(
    at path: String
  ) throws(FileError) -> (pictures: [LocalPicture], passedOver: PassedOver) {
    guard let resolved = realpath(path, nil) else { throw FileError(.read, path, code: errno) }
    defer { free(resolved) }
    let bytes = (0..<strlen(resolved)).map { UInt8(bitPattern: resolved[$0]) }
    var status = stat()
    guard stat(resolved, &status) == 0 else { throw FileError(.read, path, code: errno) }
    if status.st_mode & S_IFMT == S_IFDIR {
      let folder = String(decoding: bytes, as: UTF8.self)
      let contents = try FolderContents(of: folder)
      return (
        contents.files.sorted().map { LocalPicture(file: $0, folder: folder) }, contents.passedOver
      )
    }
    let slash = bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0
    let folder = slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
    return ([LocalPicture(file: FileName(bytes[(slash + 1)...]), folder: folder)], PassedOver())
  }

  /// The size of the file in bytes; 0 if it is not there.
  package var byteCount: Int {
    var status = stat()
    let isThere = file.path(in: folder).withUnsafeBufferPointer { path in
      stat(path.baseAddress!, &status) == 0
    }
    return isThere ? Int(status.st_size) : 0
  }

  /// Reads the picture, with the title, the maker and the license from its metadata.
  ///
  /// It does not wait for a pipe.
  ///
  /// - Parameter takesNotes: whether it is one that the user adds, with the caption and the tags
  ///   that others gave it.
  /// - Throws: ``PictureError`` if the file is not a picture, or is too large; `SystemError` if it
  ///   cannot be read.
  package func read(takingNotes takesNotes: Bool = false) throws -> FetchedImage {
    let source = folder.split(separator: "/").last.map { String($0) } ?? "/"
    return try Self.picture(
      of: try contents(), at: file.url(in: folder), from: source, title: file.title,
      takingNotes: takesNotes)
  }

  /// The name of standard input as the source of a picture.
  package static let inputName = "standard input"

  /// Returns the picture that the user adds by standard input, known by its content.
  ///
  /// - Throws: ``PictureError`` if it is not a picture.
  package static func read(input data: Data) throws -> FetchedImage {
    let bytes = Attachment(data)
    return try picture(
      of: data, bytes, at: URL(string: RemoteImage.inputAddress + bytes.digest.hexadecimal)!,
      from: inputName, title: nil, takingNotes: true)
  }

  private static func picture(
    of data: Data, _ bytes: Attachment? = nil, at url: URL, from source: String, title: String?,
    takingNotes takesNotes: Bool
  ) throws -> FetchedImage {
    let header = try PictureDecoder.admit(data, limits: .ownFiles)
    let notes = PictureNotes(in: data)
    var image = FetchedImage(
      url: url, data: data, picture: bytes, source: source,
      title: notes.title ?? (takesNotes ? nil : notes.description) ?? title,
      credit: notes.creator, license: notes.rights)
    image.header = header
    if takesNotes { (image.caption, image.tags) = (notes.caption, notes.tags) }
    return image
  }

  /// Whether the file can be read, and begins as a picture does.
  var beginsAsPicture: Bool {
    let descriptor = open()
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      return count > 0
        && PictureFormat(sniffing: UnsafeRawBufferPointer(rebasing: buffer[..<count])) != nil
    }
  }

  private func open() -> Int32 {
    file.path(in: folder).withUnsafeBufferPointer { path in
      Glibc.open(path.baseAddress!, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    }
  }

  func contents() throws -> Data {
    let descriptor = open()
    guard descriptor >= 0 else { throw SystemError(code: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError(code: errno) }
    let limit = PictureLimits.ownFiles.bytes
    let byteCount = Int(status.st_size)
    guard status.st_mode & S_IFMT == S_IFREG else { throw PictureError(.notAPicture(nil)) }
    guard byteCount <= limit else { throw PictureError(.tooManyBytes(byteCount, limit: limit)) }
    var data = Data(count: byteCount)
    var count = 0
    while count < data.count {
      let received = data.withUnsafeMutableBytes { bytes in
        Glibc.read(descriptor, bytes.baseAddress! + count, bytes.count - count)
      }
      if received < 0, errno == EINTR { continue }
      guard received >= 0 else { throw SystemError(code: errno) }
      // Truncated while being read: it is still being written.
      guard received > 0 else { throw SystemError(code: EAGAIN) }
      count += received
    }
    return data
  }
}
