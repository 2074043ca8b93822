internal import SystemSupport

/// The files beside another one, whose names begin with its name.
struct SiblingFiles {
  private let path: String

  init(_ path: String) {
    self.path = path
  }

  /// Returns the paths of those whose names continue with `suffix`, sorted; none if the directory
  /// cannot be read.
  func paths(withSuffix suffix: String) -> [String] {
    let place = FileLocation(path)
    let prefix = (place.name + suffix).utf8
    // Files in a directory that cannot be listed are not needed.
    let names = DirectoryNames.read(Descriptors.openDirectory(place.directory)) ?? []
    // Not `hasPrefix`, for which texts are equal that are different names.
    return names.filter { $0.utf8.starts(with: prefix) }.sorted().map { place.sibling($0).path }
  }
}
