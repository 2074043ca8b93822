internal import FoundationEssentials
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
    self.problems = problems
  }
}
