internal import Glibc

/// The files beside another one, whose names begin with its name.
struct SiblingFiles {
  private let path: String

  init(_ path: String) {
    self.path = path
  }

  /// Returns the paths of those whose names go on with `suffix`, sorted; none if the directory
  /// cannot be read.
  func paths(withSuffix suffix: String) -> [String] {
    let place = FilePlace(path)
    let prefix = (place.name + suffix).utf8
    let folder = Descriptors.openDirectory(place.directory)
    guard folder >= 0 else { return [] }
    guard let stream = fdopendir(folder) else {
      close(folder)
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      // Not `hasPrefix`, for which texts are equal that are different names.
      if name.utf8.starts(with: prefix) { names.append(name) }
    }
    return names.sorted().map { place.sibling($0).path }
  }
}
