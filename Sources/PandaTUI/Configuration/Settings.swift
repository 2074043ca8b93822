internal import FoundationEssentials
internal import Pantry
internal import TerminalKit

/// The configuration of a run, and its file.
struct Settings {
  /// The configuration file.
  let file: ConfigurationFile
  /// Whether the file exists.
  let isFileFound: Bool
  /// The file's settings, overridden by those of the command line.
  let configuration: Configuration
  /// The problems in the file.
  let problems: [ConfigurationProblem]
  /// The settings of earlier versions in the file.
  let retired: [ConfigurationProblem]

  /// Reads the configuration file that the command line names, or else the standard one.
  ///
  /// - Throws: `UsageError` if a file named on the command line does not exist.
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
    configuration.source = try configuration.source.resolved(own: configuration.sources)
    self.configuration = configuration
    self.problems = problems.filter { !$0.isRetired }
    retired = problems.filter(\.isRetired)
  }
  /// Returns what the user has to be told at a launch: the problems, and once for each file the
  /// settings of earlier versions.
  ///
  /// - Parameter told: the settings that the user was told, by file.
  @MainActor
  func untold(_ told: StoredValue<[String: [String]]>) -> [ConfigurationProblem] {
    let sentences = retired.map(\.sentence)
    guard !sentences.isEmpty, told.wrappedValue[file.path] != sentences else { return problems }
    told.set(told.wrappedValue.merging([file.path: sentences]) { $1 })
    return problems + retired
  }
}
