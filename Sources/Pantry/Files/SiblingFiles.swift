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
    let slash = path.lastIndex(of: "/")
    let directory = slash.map { String(path[...$0]) } ?? "./"
    let prefix = (slash.map { String(path[path.index(after: $0)...]) } ?? path) + suffix
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix(prefix) { names.append(name) }
    }
    return names.sorted().map { (slash == nil ? "" : directory) + $0 }
  }
}
