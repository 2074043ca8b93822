internal import FoundationEssentials
internal import Glibc
internal import Pantry
internal import PictureCodecs
internal import SystemSupport

extension LibraryExport {
  /// Writes the pages, pictures and thumbnails of a site.
  ///
  /// Everything but `index.html` is named by its content, so that nothing that a page refers to
  /// ever changes: an export that ends early leaves the site as it was, and what is there already
  /// is not written again.
  func exportSite(_ path: String, allLicenses: Bool) async throws -> ExportReport {
    let isNew = mkdir(path, 0o755) == 0
    if !isNew, errno != EEXIST { throw FileError(.create, path, code: errno) }
    let folder = try OpenFolder(path)
    guard let former = try SiteList(in: folder) else {
      throw ExchangeError(.notASite, path: path)
    }
    var report = ExportReport()
    // The newest first, as on the screen.
    let shown = images.reversed().filter { image in
      let mayBeShown = allLicenses || image.mayBePublished
      if !mayBeShown { report.leftOut.append(image.id) }
      return mayBeShown
    }
    // Whatever is written from here on is in the list before: the next export knows it for ours.
    var list = SiteList(pictures: Set(shown.map(SiteList.name)), pages: [])
    try former.union(list).write(to: folder)
    let folders = try SiteFolders(in: folder)
    var items: [SitePage.Item] = []
    for (index, image) in shown.enumerated() {
      try Task.checkCancellation()
      do {
        let name = SiteList.name(of: image)
        let ending: String
        if let there = try folders.ending(of: name) {
          ending = there
        } else {
          ending = try await folders.write(image, as: name)
          report.written += 1
        }
        items.append(SitePage.Item(image: image, name: name, ending: ending))
        report.count += 1
      } catch {
        try report.leaveOut(image, error)
      }
      progress(ExchangeProgress(done: index + 1, total: shown.count))
    }
    let pages = SitePage.pages(of: items, heading: heading, named: named)
    list.pages = Set(pages.dropFirst().map(\.name))
    try former.union(list).write(to: folder)
    // The first page comes last, when all that it refers to is on disk.
    if report.written > 0 { try folder.flushFileSystem() }
    for page in pages.reversed() {
      let data = Data(page.html.utf8)
      if try folder.open(page.name)?.contents() == data { continue }
      let file = try NewFile(page.name, in: folder, mode: 0o644)
      try file.write(data)
      try file.finish()
    }
    for name in former.pictures.subtracting(list.pictures) { folders.discard(name) }
    for name in former.pages.subtracting(list.pages) { folder.discard(name) }
    try list.write(to: folder)
    return report
  }
}

extension RemoteImage {
  /// Whether everyone may copy it, or it is the user's own: no picture of a service.
  fileprivate var mayBePublished: Bool {
    !["http:", "https:"].contains { id.hasPrefix($0) }
      || license.flatMap { LicenseName($0) }?.isOpen == true
  }
}

/// The folders of a site's pictures.
private struct SiteFolders {
  /// The longer sides, at most.
  private static let sides = (thumbnail: 400, picture: 1_600)
  private static let endings = ["jpg", "png"]

  private let pictures: OpenFolder
  private let thumbnails: OpenFolder
  private let decoder = PictureDecoder()

  init(in folder: OpenFolder) throws {
    func open(_ name: String) throws -> OpenFolder {
      if mkdirat(folder.descriptor, name, 0o755) != 0, errno != EEXIST {
        throw FileError(.create, folder.path(of: name), code: errno)
      }
      let opened = try OpenFolder(folder.path(of: name))
      UnfinishedName.removeRemnants(in: opened)
      return opened
    }
    pictures = try open(SitePage.pictures)
    thumbnails = try open(SitePage.thumbnails)
  }

  /// Returns how the files of a picture end; nil unless both are there.
  func ending(of name: String) throws -> String? {
    try Self.endings.first { ending in
      // A power failure can leave a name without bytes.
      try [pictures, thumbnails].allSatisfy {
        try $0.open("\(name).\(ending)")?.byteCount() ?? 0 > 0
      }
    }
  }

  /// Writes a picture and its thumbnail, and returns how they end.
  func write(_ image: RemoteImage, as name: String) async throws -> String {
    let side = Self.sides.picture
    let decoded = try await decoder.decode(
      image.dataRepresentation.data(), covering: PixelSize(width: side, height: side))
    let whole = decoded.bitmap.fitting(side)
    let (picture, format) = try whole.encoded(quality: 82)
    let ending = format == .png ? "png" : "jpg"
    let small = whole.fitting(Self.sides.thumbnail)
    // In the picture's own format, so that one name is enough for both.
    let thumbnail = try format == .png ? small.pngData() : small.encoded(quality: 70).0
    for (folder, data) in [(pictures, picture), (thumbnails, thumbnail)] {
      let file = try NewFile("\(name).\(ending)", in: folder, mode: 0o644)
      try file.write(data)
      try file.publish()
    }
    return ending
  }

  func discard(_ name: String) {
    for ending in Self.endings {
      pictures.discard("\(name).\(ending)")
      thumbnails.discard("\(name).\(ending)")
    }
  }
}

extension Bitmap {
  fileprivate func fitting(_ side: Int) -> Bitmap {
    scaled(to: size.shrunk(toFit: PixelSize(width: side, height: side)))
  }
}

/// The files of a site that Panda wrote, which alone it removes.
struct SiteList: Equatable {
  /// The names of pictures, without folder and ending.
  var pictures: Set<String> = []
  /// The names of pages, without the first.
  var pages: Set<String> = []

  private static let file = ".panda-site"
  private static let heading = "panda-site 1"

  init(pictures: Set<String>, pages: Set<String>) {
    self.pictures = pictures
    self.pages = pages
  }

  /// Reads the list of a directory; empty if nothing is in there, nil if that is not a site's.
  init?(in folder: OpenFolder) throws {
    UnfinishedName.removeRemnants(in: folder)
    guard let data = try folder.open(Self.file)?.contents() else {
      guard try folder.names().isEmpty else { return nil }
      return
    }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    guard lines.first == Self.heading else { return nil }
    // Only such names are removed, even if the list was written by someone else.
    for line in lines.dropFirst() {
      if line.wholeMatch(of: /[0-9a-f]{64}/) != nil { pictures.insert(line) }
      if line.wholeMatch(of: /page-[0-9]+-[0-9a-f]{16}\.html/) != nil { pages.insert(line) }
    }
  }

  static func name(of image: RemoteImage) -> String { image.dataRepresentation.digest.hexadecimal }

  func union(_ other: SiteList) -> SiteList {
    SiteList(pictures: pictures.union(other.pictures), pages: pages.union(other.pages))
  }

  func write(to folder: OpenFolder) throws {
    let lines = [Self.heading] + pictures.sorted() + pages.sorted()
    let file = try NewFile(Self.file, in: folder, mode: 0o644)
    try file.write(Data((lines.joined(separator: "\n") + "\n").utf8))
    try file.finish()
  }
}
