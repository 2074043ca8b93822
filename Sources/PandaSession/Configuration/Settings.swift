internal import FoundationEssentials
package import Pantry

package struct Settings {
  package let file: ConfigurationFile
  package let isFileFound: Bool
  /// The file's settings, overridden by those of the command line.
  package var configuration: Configuration
  package var problems: [ConfigurationProblem]
  /// The settings of earlier versions in the file.
  package let retired: [ConfigurationProblem]

  /// The settings without a substitute that the command line names, or makes unnecessary.
  private let named: Set<Configuration.Setting>

  /// Reads the configuration file that the command line names, or else the standard one.
  ///
  /// - Throws: `UsageError` if a file named on the command line does not exist, or a source named
  ///   there is unknown.
  init(_ options: Options, environment: [String: String]) throws(UsageError) {
    file =
      options.configurationFile.map { ConfigurationFile(url: URL(filePath: $0)) }
      ?? .standard(environment)
    isFileFound = FileManager.default.fileExists(atPath: file.path)
    if let named = options.configurationFile, !isFileFound {
      throw UsageError(problem: "the file of --config, \(named.sanitized(upTo: 200)), is not there")
    }
    let (read, problems) = Configuration.read(file: file.url)
    var configuration = read.overridden(by: options)
    var named: Set<Configuration.Setting> = options.source == nil ? [] : [.source]
    if options.library != nil || options.dataDirectory != nil {
      named.insert(.library)
      if configuration.library == .local { named.insert(.author) }
    }
    do {
      configuration.source = try configuration.source.resolved(own: configuration.sources)
    } catch {
      // A file that cannot be read may describe it.
      guard problems.contains(where: \.isOfWholeFile) else { throw error }
      named.remove(.source)
    }
    (self.configuration, self.named) = (configuration, named)
    self.problems = problems.filter { !$0.isRetired }
    retired = problems.filter(\.isRetired)
  }

  /// Returns what the user has to be told at a launch: the problems, and once for each file the
  /// settings of earlier versions.
  ///
  /// - Parameter told: the settings that were reported before, by file.
  @MainActor
  package func untold(_ told: StoredValue<[String: [String]]>) -> [ConfigurationProblem] {
    let sentences = retired.map(\.sentence)
    guard !sentences.isEmpty, told.wrappedValue[file.path] != sentences else { return problems }
    told.set(told.wrappedValue.merging([file.path: sentences]) { $1 })
    return problems + retired
  }

  /// The part of the settings that a command uses.
  package enum Use {
    /// A library, whose content it only checks.
    case library
    case favorites
    /// A library and sources.
    case sources
  }

  /// Returns why a command cannot begin, such as that it is not known what it is to open.
  ///
  /// Nil if it can.
  package func obstacle(to use: Use) -> UnknownSetting? {
    if let ended = problems.first(where: \.endsProgram) { return UnknownSetting(problem: ended) }
    let unknown = problems.filter { problem in
      var needed = use == .library ? [.library] : Configuration.Setting.withoutSubstitute
      // Without the whole file, what fetches nothing works once its library is named.
      if problem.isOfWholeFile, use != .sources { needed.remove(.source) }
      return !problem.unknown.intersection(needed.subtracting(named)).isEmpty
    }
    return (unknown.first { $0.unknown.contains(.library) } ?? unknown.first)
      .map(UnknownSetting.init)
  }
}

/// A setting for a library, an author or a source that cannot be read, or one that protected.
///
/// No default takes its place: that would be another library, other pictures, or no protection.
package struct UnknownSetting: Error, CustomStringConvertible {
  let problem: ConfigurationProblem

  package var status: ExitStatus { problem.unknown.contains(.library) ? .storage : .usage }

  package var description: String {
    if problem.endsProgram { return "panda: \(problem.finding.withPeriod) Remove it." }
    let remedy =
      switch (problem.unknown.contains(.library), problem.unknown.contains(.source)) {
      case (true, true): ", or name library and source with --library and --source"
      case (true, false): ", or name the library with --library"
      case (false, true): ", or name a source with --source"
      case (false, false): ""
      }
    return "panda: \(problem.finding.withPeriod) Correct it\(remedy)."
  }
}
