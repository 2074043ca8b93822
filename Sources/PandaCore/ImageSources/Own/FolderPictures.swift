internal import FoundationEssentials
internal import Glibc
package import Pantry
internal import PictureCodecs
internal import SystemSupport

/// The picture files of a folder, or some files, as pictures that are read when they are shown.
///
/// Nothing of a file is known but its name until then, so that a folder of ten thousand is there at
/// once.
package struct FolderPictures: Sendable {
  /// The files that are pictures by their names, sorted by those.
  package let images: [RemoteImage]
  /// All files, by the identifiers of their pictures.
  private let files: [String: FileName]
  /// The paths of the others, which may be pictures as well.
  private let others: [FileName]
  /// The folder without symbolic links.
  private let folder: String
  /// The folder as the user named it, with a slash at its end.
  private let typed: [UInt8]
  /// The paths of files that the user named, by the identifiers of their pictures.
  private var typedFiles: [String: [UInt8]] = [:]

  /// Lists a folder and those inside it.
  ///
  /// - Throws: `FileError` if it does not exist or cannot be read.
  package init(of path: String) throws(FileError) {
    guard let resolved = realpath(path, nil) else { throw FileError(.read, path, code: errno) }
    defer { free(resolved) }
    folder = String(cString: resolved)
    typed = Array((path.hasSuffix("/") ? path : "\(path)/").utf8)
    let all = try FolderContents(of: folder).files.sorted()
    let named = all.filter(\.isNamedAsPicture)
    others = named.count == all.count ? [] : all.filter { !$0.isNamedAsPicture }
    let source = folder.split(separator: "/").last.map { String($0) } ?? "/"
    let prefix = FileName.address(of: Array(folder.utf8)) + (folder == "/" ? "" : "/")
    let picture = { (file: FileName) in
      RemoteImage(unread: file, at: prefix + FileName.escaped(file.bytes), source: source)
    }
    images = named.map(picture)
    var files = Dictionary(minimumCapacity: all.count) as [String: FileName]
    for (image, file) in zip(images, named) { files[image.id] = file }
    for file in others { files[picture(file).id] = file }
    self.files = files
  }

  /// Takes files in their order; one that is named twice is there once.
  ///
  /// - Throws: `FileError` if one of them does not exist.
  package init(of paths: [String]) throws(FileError) {
    (folder, typed, others) = ("/", [], [])
    var (images, files) = ([] as [RemoteImage], [:] as [String: FileName])
    for path in paths {
      let file = try FileName(resolving: path)
      let address = FileName.address(of: Array("/".utf8)) + FileName.escaped(file.bytes)
      guard files.updateValue(file, forKey: address) == nil else { continue }
      let name = FileName(path.utf8)
      images.append(RemoteImage(unread: name, at: address, source: file.folderName))
      typedFiles[address] = name.bytes
    }
    (self.images, self.files) = (images, files)
  }

  private init(_ images: [RemoteImage], of former: FolderPictures) {
    self.images = images
    (files, others, folder, typed) = (former.files, [], former.folder, former.typed)
    typedFiles = former.typedFiles
  }

  /// Whether there is no file that may be a picture.
  package var isEmpty: Bool { files.isEmpty }

  /// Looks into every file; returns those that are pictures.
  ///
  /// - Returns: besides, the number of those that are pictures by their names and cannot be read.
  @concurrent
  package func checked() async -> (pictures: FolderPictures, unreadable: Int) {
    var unreadable = 0
    var kept: [(file: FileName, image: RemoteImage)] = []
    for image in images {
      guard let file = files[image.id] else { continue }
      if LocalPicture(file: file, folder: folder).beginsAsPicture {
        kept.append((file, image))
      } else {
        unreadable += 1
      }
    }
    let prefix = FileName.address(of: Array(folder.utf8)) + (folder == "/" ? "" : "/")
    let source = folder.split(separator: "/").last.map { String($0) } ?? "/"
    for file in others where LocalPicture(file: file, folder: folder).beginsAsPicture {
      let address = prefix + FileName.escaped(file.bytes)
      kept.append((file, RemoteImage(unread: file, at: address, source: source)))
    }
    if !others.isEmpty { kept.sort { $0.file < $1.file } }
    return (FolderPictures(kept.map(\.image), of: self), unreadable)
  }

  /// Reads the bytes of a picture.
  ///
  /// - Throws: ``PictureError`` or `SystemError` if it cannot be read.
  @concurrent
  package func attachment(of image: RemoteImage) async throws -> Attachment {
    guard let file = files[image.id] else { throw SystemError(code: ENOENT) }
    let attachment = Attachment(try LocalPicture(file: file, folder: folder).contents())
    // Hashed here, ahead of time.
    _ = attachment.digest
    return attachment
  }

  /// Returns the path of a picture's file, as the user named it or its folder.
  package func path(of image: RemoteImage) -> [UInt8]? {
    typedFiles[image.id] ?? files[image.id].map { typed + $0.bytes }
  }
}

extension FileName {
  /// Whether the name ends as those of pictures do.
  fileprivate var isNamedAsPicture: Bool {
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), bytes.count - dot <= 5 else {
      return false
    }
    return Self.endings.contains(bytes[(dot + 1)...].map { $0 | 0x20 })
  }

  private static let endings = Set(
    ["jpg", "jpeg", "jpe", "jfif", "png", "webp", "gif", "heic", "heif", "avif"]
      .map { Array($0.utf8) })

  /// Returns the address of a path, which begins with a slash.
  fileprivate static func address(of path: [UInt8]) -> String { "file://" + escaped(path) }

  /// Returns a path with each byte that is not plain ASCII escaped.
  fileprivate static func escaped(_ path: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    return String(unsafeUninitializedCapacity: path.count * 3) { buffer in
      var count = 0
      for byte in path {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
          UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
          buffer[count] = byte
          count += 1
        default:
          buffer[count] = UInt8(ascii: "%")
          buffer[count + 1] = digits[Int(byte >> 4)]
          buffer[count + 2] = digits[Int(byte & 15)]
          count += 3
        }
      }
      return count
    }
  }
}

extension RemoteImage {
  /// The bytes of a picture that is not read yet.
  private static let unread = Attachment(Data())

  /// Describes a file of a folder by its name, without reading it.
  ///
  /// - Parameter address: its address, escaped.
  fileprivate init(unread file: FileName, at address: String, source: String) {
    // A moment that no calendar has: a search for a day finds none of them.
    createdAt = Date(timeIntervalSince1970: .infinity)
    id = address
    (width, height) = (0, 0)
    dataRepresentation = Self.unread
    self.source = source
    title = String(decoding: file.bytes, as: UTF8.self)
    (about, credit, license, identity, pageText) = (nil, nil, nil, nil, nil)
    tags = []
  }
}
