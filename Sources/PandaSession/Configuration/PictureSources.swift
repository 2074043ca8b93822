internal import FoundationEssentials
package import PandaCore
internal import SystemSupport

package struct PictureSources {
  package let source: any ImageSource
  /// Nil if pictures are drawn anyway.
  let fallback: (any ImageSource)?

  /// The sources that take turns; nil if there is a single source of another kind.
  package var ring: SourceRing? { source as? SourceRing }

  /// Uses a source and its fallback as they are.
  package init(_ source: any ImageSource, fallback: (any ImageSource)?) {
    self.source = source
    self.fallback = fallback
  }

  /// Creates the sources for a choice.
  ///
  /// - Parameters:
  ///   - disabled: the services that do not take turns unless they are named.
  ///   - log: receives why a source gave no picture.
  /// - Throws: ``FileError`` if a folder cannot be read.
  init(
    _ configuration: Configuration, library: ImageLibrary, client: HTTPClient,
    disabled: [String] = [], log: Log = .off
  ) throws(FileError) {
    let own = configuration.sources
    switch configuration.source {
    case .grove:
      source = BambooGroveSource()
      fallback = nil
      return
    case .automatic:
      source = SourceRing(
        services: SourceChoice.services(own: own), library: library, client: client, log: log)
    case .services(let names):
      // In the order in which they were named; the names have already been checked.
      let services = SourceChoice.services(own: own)
      let chosen = names.compactMap { name in services.first { $0.name == name } }
      source = SourceRing(
        services: chosen, withGrove: names.contains(SourceRing.groveName), isChosen: true,
        library: library, client: client, log: log)
    case .endpoint(let url):
      source = DescribedSource(
        SourceDescription(guessedFor: url), library: library, client: client, log: log)
    case .folder(let path):
      let path = Self.expanded(path)
      source =
        try SourceChoice.isFile(path)
        ? FolderSource(files: [path], log: log) : FolderSource(path, log: log)
    case .files(let paths): source = try FolderSource(files: paths, log: log)
    }
    fallback = BambooGroveSource()
    guard configuration.source == .automatic else { return }
    for name in disabled { ring?.setEnabled(false, name) }
  }

  @MainActor
  package func controller(_ library: ImageLibrary) -> ImagesController {
    ImagesController(library: library, source: source, fallback: fallback)
  }

  /// Returns the path with a leading `~` expanded, in case no shell has done that.
  private static func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/") else { return path }
    return (ProcessInfo.processInfo.environment["HOME"] ?? "") + path.dropFirst()
  }
}
