internal import FoundationEssentials
internal import Glibc
internal import Pantry
internal import PictureCodecs
internal import SystemSupport

struct LibraryExport: Sendable {
  let images: [RemoteImage]
  let collections: [SavedFilter]
  /// The identifiers of other favorites, whose rows cannot be decoded.
  let undecodable: [String]
  let target: ExportTarget
  /// The heading of a web page; nil for the usual one.
  let heading: String?
  let replacing: Bool
  /// Whether the files of a directory are without metadata, as a page's always are.
  let strips: Bool
  /// The user's own sources, to whose hosts a web page may link, private or not.
  let named: [URL]
  let progress: @Sendable (ExchangeProgress) -> Void

  @concurrent
  func run() async throws -> ExportReport {
    switch target {
    case .directory(let path): try await exportDirectory(path)
    case .html(let path): try await exportPage(path)
    case .site(let path, let allLicenses): try await exportSite(path, allLicenses: allLicenses)
    }
  }

  /// Reads the pictures one after another, each with a name of its own.
  ///
  /// - Parameter write: receives the picture, its bytes, its format and its name.
  func forEachPicture(
    _ report: inout ExportReport,
    write: (RemoteImage, Data, PictureFormat, String) async throws -> Void
  ) async throws {
    var names: Set<String> = []
    for (index, image) in images.enumerated() {
      try Task.checkCancellation()
      do {
        var data = try await image.dataRepresentation.data()
        // An import would refuse what has no header. No decoder is needed for that.
        var format = try data.withUnsafeBytes { try PictureHeader(reading: $0).format }
        if !strips {
          if PictureMetadata.hasNotes(data) { report.withMetadata += 1 }
        } else if let stripped = PictureMetadata.stripped(data) {
          data = stripped
        } else {
          (data, format) = try await encodedAgain(data)
          report.encodedAgain.append(image.id)
        }
        let name = ExchangeFileName.unique(
          ExchangeFileName.name(of: image, format: format), in: &names)
        try await write(image, data, format, name)
        report.count += 1
      } catch {
        try report.leaveOut(image, error)
      }
      progress(ExchangeProgress(done: index + 1, total: images.count))
    }
  }

  /// Decodes a picture that cannot be stripped, and encodes what there is of it: the first frame.
  ///
  /// - Throws: ``PictureError``, `CancellationError`.
  private func encodedAgain(_ data: Data) async throws -> (Data, PictureFormat) {
    let header = try PictureDecoder.header(of: data)
    let picture = try await PictureDecoder().decode(data, covering: header.size)
    // A thumbnail is not what was to be exported.
    guard !picture.isThumbnail else {
      throw PictureError(.tooCostly(header.format, header.wholeSize))
    }
    do {
      return try picture.bitmap.encoded(quality: 92)
    } catch {
      throw PictureError(.damaged, detail: "\(error)")
    }
  }

  /// Throws if a file exists that is no export, unless it may be replaced.
  ///
  /// - Returns: whether there is a file to be replaced.
  func existingFileMayBeReplaced(
    _ path: String, isOurs: (OpenFile) throws -> Bool
  ) throws -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else { return false }
    switch status.st_mode & S_IFMT {
    case S_IFREG where replacing, S_IFLNK where replacing: return true
    case S_IFREG where try isOurs(OpenFile(reading: path)): return true
    case S_IFDIR: throw FileError(.write, path, code: EISDIR)
    // A link, whose file would stay as it is, or a device such as /dev/null.
    default: throw ExchangeError(.notOurs, path: path)
    }
  }
}
