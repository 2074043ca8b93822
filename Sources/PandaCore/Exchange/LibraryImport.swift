internal import FoundationEssentials
internal import Pantry
internal import PictureCodecs

struct LibraryImport: Sendable {
  /// The number of bytes of pictures that are stored together.
  private static let batchByteCount = 8_000_000

  let library: ImageLibrary
  let path: String
  /// Whether pictures in the trash become favorites again.
  let restores: Bool
  let limits: ExchangeLimits
  let progress: @Sendable (ExchangeProgress) -> Void
  private let id = UUID().uuidString

  @concurrent
  func run() async throws -> ImportReport {
    let source = try ImportSource(path)
    do {
      return try await read(source)
    } catch {
      // Remnants are deleted within a day. The user must know the error.
      try? await IncomingPictures(library: library).discard(of: id)
      throw error
    }
  }

  private func read(_ source: ImportSource) async throws -> ImportReport {
    let (known, digests) = await library.favoriteIDs
    let trashed = restores ? [] : await library.trashedIDs
    var report = ImportReport()
    var order: [ManifestEntry] = []
    var collections: [SavedFilter] = []
    var images: [String: RemoteImage] = [:]
    // Only one of several equal pictures is stored, and reports it.
    var pictures: [ContentDigest: Attachment] = [:]
    var batch: [Attachment] = []
    var batchByteCount = 0
    var done = 0
    try await source.read(limits: limits) { manifest in
      (order, collections) = (manifest.entries, manifest.collections)
    } visit: { entry, data in
      let new = Attachment(data)
      let header = try checkedHeader(of: data, new.digest, entry)
      guard let image = entry.image(pictures[new.digest] ?? new, header.wholeSize) else { return }
      // An own file may be known under another path, and its path be another file's.
      let key = await entry.original == nil ? library.recognized(image).id : entry.address
      if let favorite = known[key] {
        if entry.caption ?? "" != favorite.caption ?? "" { report.otherCaptions += 1 }
        if entry.tags ?? [] != favorite.tags { report.otherTags += 1 }
      }
      if trashed.contains(key) {
        report.trashed += 1
      } else if known[key] == nil, !digests.contains(entry.original ?? "") {
        // One without metadata is the same picture as its original.
        if pictures.updateValue(pictures[new.digest] ?? new, forKey: new.digest) == nil {
          batch.append(new)
          batchByteCount += new.byteCount
        }
        images[entry.address] = image
      }
      if batchByteCount >= Self.batchByteCount {
        try await IncomingPictures(library: library).store(batch, of: id)
        (batch, batchByteCount) = ([], 0)
      }
      done += 1
      progress(ExchangeProgress(done: done, total: order.count))
    }
    if !batch.isEmpty { try await IncomingPictures(library: library).store(batch, of: id) }
    let new = order.compactMap { images[$0.address] }
    let added = try await IncomingPictures(library: library).accept(new, with: collections, of: id)
    report.added = added.images
    report.known = order.count - added.images - report.trashed
    report.collections = added.collections
    return report
  }

  /// Throws unless the bytes are those of the entry, and those of a picture.
  private func checkedHeader(
    of data: Data, _ digest: ContentDigest, _ entry: ManifestEntry
  ) throws -> PictureHeader {
    guard data.count == entry.byteCount, digest.hexadecimal == entry.sha256 else {
      throw ExchangeError(.entry(entry.file, .otherBytes), path: path)
    }
    do {
      return try PictureDecoder.header(of: data)
    } catch let error as PictureError {
      throw ExchangeError(.entry(entry.file, .notAPicture("\(error)")), path: path)
    }
  }
}

extension ImageLibrary {
  /// The favorites by their identifiers, and their digests, once they have been read.
  fileprivate var favoriteIDs: ([String: RemoteImage], digests: Set<String>) {
    (
      Dictionary(favorites.items.map { ($0.id, $0) }) { $1 },
      Set(favorites.items.map(\.dataRepresentation.digest.hexadecimal))
    )
  }

  fileprivate var trashedIDs: Set<String> { Set(trashed.map(\.image.id)) }
}
