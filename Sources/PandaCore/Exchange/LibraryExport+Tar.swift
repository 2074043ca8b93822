internal import FoundationEssentials

extension LibraryExport {
  /// The directory that the archive unpacks to.
  static let tarDirectory = "panda-favorites"

  func exportTar(_ path: String) async throws -> ExportReport {
    let mayReplace = try existingFileMayBeReplaced(path) { file throws(ExchangeError) in
      try TarManifest.isOurs(file)
    }
    let file = try NewFile(at: path)
    let tar = try TarWriter(descriptor: file.descriptor, path: path)
    try tar.addDirectory(Self.tarDirectory)
    var report = ExportReport()
    var entries: [ManifestEntry] = []
    try await forEachPicture(&report) { image, data, _, name in
      try tar.add("\(Self.tarDirectory)/\(name)", data, date: image.savedAt ?? image.createdAt)
      entries.append(ManifestEntry(image, file: name, stripped: strips ? data : nil))
    }
    // Last, since names depend on the pictures' bytes, each of which is read once.
    let newest = images.lazy.map { $0.savedAt ?? $0.createdAt }.max()
    try tar.add(
      "\(Self.tarDirectory)/\(Manifest.filename)", Manifest(entries, collections).data(),
      date: newest ?? Date(timeIntervalSince1970: 0))
    try tar.finish()
    try file.publish(replacing: mayReplace)
    report.written = report.count
    return report
  }
}
