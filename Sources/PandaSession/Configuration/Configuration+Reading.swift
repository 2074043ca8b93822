internal import FoundationEssentials
internal import PandaCore

extension Configuration {
  /// Reads a configuration file.
  ///
  /// It is JSON5 (https://json5.org): comments and trailing commas are allowed. An invalid entry
  /// keeps its default, and the others are used; an invalid file sets nothing. Each problem tells
  /// which settings without a substitute it leaves unknown. A file that does not exist, or contains
  /// only comments, is fine.
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
        return (Configuration(), [.ofWhole(file.name, line: nil, reason)])
      }
    }
  }

  /// Parses the text of a configuration file.
  static func read(text: String, of file: String = "config.json5", table: KeyTable = .standard)
    -> (configuration: Configuration, problems: [ConfigurationProblem])
  {
    do throws(JSONError) {
      var scanner = JSONScanner(text, keepsInvalid: true)
      guard let value = try scanner.scan() else { return (Configuration(), []) }
      var reader = ConfigurationReader(file: file, table: table)
      reader.read(value, scanner.repetitions)
      return (reader.configuration, reader.problems)
    } catch {
      return (
        Configuration(), [.ofWhole(file, line: error.line, "this is not JSON5: \(error.reason)")]
      )
    }
  }
}

extension ConfigurationProblem {
  /// A file that cannot be read or parsed.
  static func ofWhole(_ file: String, line: Int?, _ reason: String) -> Self {
    Self(
      file: file, line: line, sentence: reason, unknown: Configuration.Setting.withoutSubstitute)
  }
}
