internal import FoundationEssentials
internal import Glibc
internal import PictureCodecs
internal import SystemSupport

extension LibraryExport {
  func exportPage(_ path: String) async throws -> ExportReport {
    let limits = GalleryPage.limits
    guard images.count <= limits.pictures else { throw ExchangeError(.largePage, path: path) }
    let mayReplace = try existingFileMayBeReplaced(path) {
      GalleryPage.isOurs(try $0.read(GalleryPage.beginningByteCount, at: 0))
    }
    let file = try NewFile(at: path)
    let decoder = PictureDecoder()
    try file.write(Data(GalleryPage.beginning(heading: heading).utf8))
    var report = ExportReport()
    var (number, byteCount) = (0, 0)
    try await forEachPicture(&report) { image, data, format, _ in
      let picture = try await GalleryPicture(data, format: format, decoder: decoder)
      number += 1
      byteCount += (picture.data.count + 2) / 3 * 4
      guard byteCount <= limits.bytes else { throw ExchangeError(.largePage, path: path) }
      let opening = GalleryPage.opening(image, number: number, mediaType: picture.mediaType)
      try file.write(Data(opening.utf8))
      try file.write(picture.data.base64EncodedData())
      try file.write(Data(GalleryPage.closing(image, number: number, named: named).utf8))
    }
    try file.write(Data(GalleryPage.end(count: report.count).utf8))
    do {
      try file.finish(replacing: mayReplace)
    } catch let error as FileError where error.code == EEXIST {
      throw ExchangeError(.notOurs, path: path)
    }
    report.written = report.count
    return report
  }
}
