internal import FoundationEssentials

extension Configuration {
  /// Reads a configuration file.
  ///
  /// It is JSON5 (https://json5.org): comments and trailing commas are allowed. An invalid entry
  /// keeps its default, and the others are used; an invalid file sets nothing. A file that does not
  /// exist, or contains only comments, is fine.
  ///
  /// - Parameters:
  ///   - table: the keys that the file may rebind.
  /// - Returns: the settings, and the problems in the file, by line.
  static func read(file: URL, table: KeyTable = .standard)
    -> (configuration: Configuration, problems: [ConfigurationProblem])
  {
    let file = ConfigurationFile(url: file)
    do throws(ConfigurationFile.Failure) {
      return read(text: try file.text(), of: file.name, table: table)
    } catch {
      switch error {
      case .missing: return (Configuration(), [])
      case .unusable(let reason):
        return (
          Configuration(),
          [ConfigurationProblem(file: file.name, line: nil, sentence: "\(reason). \(notUsed)")]
        )
      }
    }
  }

  /// Parses the text of a configuration file; see above.
  static func read(text: String, of file: String = "config.json5", table: KeyTable = .standard)
    -> (configuration: Configuration, problems: [ConfigurationProblem])
  {
    do throws(JSON5SyntaxError) {
      guard let value = try JSON5Scanner.value(of: text) else { return (Configuration(), []) }
      var reader = ConfigurationReader(file: file, table: table)
      reader.read(value)
      return (reader.configuration, reader.problems)
    } catch {
      let problem = ConfigurationProblem(
        file: file, line: error.line, sentence: "this is not JSON5: \(error.reason). \(notUsed)")
      return (Configuration(), [problem])
    }
  }

  /// What a file means that cannot be read or parsed.
  static let notUsed = "None of its settings is used"
}
