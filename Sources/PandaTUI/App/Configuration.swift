internal import FoundationEssentials

/// What the person set in the configuration file, `$XDG_CONFIG_HOME/panda/config.json5`.
///
/// JSON5 (https://json5.org): comments and trailing commas are allowed. What is absent has its
/// default.
struct Configuration: Hashable, Sendable {
  /// Nothing moves by itself; what would slide is there at once.
  var reduceMotion = false
}

extension Configuration: Decodable {
  private enum CodingKeys: String, CodingKey {
    case reduceMotion
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    reduceMotion = try values.decodeIfPresent(Bool.self, forKey: .reduceMotion) ?? reduceMotion
  }
}

extension Configuration {
  /// Reads a configuration file; one that is absent sets nothing.
  ///
  /// - Throws: ``ConfigurationError``.
  init(file: URL) throws(ConfigurationError) {
    guard FileManager.default.fileExists(atPath: file.path) else {
      self.init()
      return
    }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    do {
      self = try decoder.decode(Configuration.self, from: Data(contentsOf: file))
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context)
    {
      let key = context.codingPath.map(\.stringValue).joined(separator: ".")
      throw ConfigurationError(file: file.path, problem: "\(key) must be true or false")
    } catch let error as DecodingError {
      throw ConfigurationError(file: file.path, problem: Self.syntaxProblem(error))
    } catch {
      throw ConfigurationError(file: file.path, problem: "it cannot be read")
    }
  }

  /// Where the file is: by the XDG Base Directory Specification 0.8, in which a variable that is
  /// not an absolute path counts as absent.
  static func standardFile(_ environment: [String: String]) -> URL {
    let base: URL
    if let directory = environment["XDG_CONFIG_HOME"], directory.hasPrefix("/") {
      base = URL(filePath: directory)
    } else {
      base = URL(filePath: environment["HOME"] ?? "/").appending(path: ".config")
    }
    return base.appending(path: "panda/config.json5")
  }

  /// Foundation tells line and column of what is no JSON5 in the error below.
  private static func syntaxProblem(_ error: DecodingError) -> String {
    guard case .dataCorrupted(let context) = error else { return "it is not what was expected" }
    let detail = context.underlyingError.map { "\($0)" } ?? context.debugDescription
    guard let line = detail.firstMatch(of: /line (\d+)/) else { return "it is not JSON5" }
    return "line \(line.1) is not JSON5"
  }
}

/// Why a configuration file was not used.
struct ConfigurationError: Error, Hashable, CustomStringConvertible {
  let file: String
  let problem: String

  var description: String { "\(file): \(problem). Its settings are not used" }
}
