/// The parsers of untrusted bytes, each with a function that `make fuzz` calls with many inputs.
///
/// The suite calls the same functions with the inputs in Fuzzing/Seeds/NAME.
package enum FuzzedParser: String, CaseIterable, Sendable {
  /// The picture formats: one parser with different seeds.
  case jpeg, png, gif, webp, heif
  /// The orientation in EXIF.
  case exif
  /// The texts in XMP, and in HTML.
  case xmp
  /// The JSON replies of services, and their descriptions.
  case answers
  /// The addresses in replies and redirects.
  case addresses
  /// The heads of HTTP responses.
  case heads
  /// The bytes of keys, mouse and pastes.
  case keys
  /// The terminal's answers.
  case replies
  /// The texts from anywhere on their way to the screen.
  case sanitizer
  /// The configuration file.
  case configuration
  /// The rows of the stores.
  case rows
  /// The files of the Disk engine.
  case disk
  /// The database of favorites, and its recovery.
  case database
  /// The lists of favorites that are imported.
  case imports

  /// Parses an input.
  ///
  /// - Throws: ``BrokenProperty``, and any error that the parser is not meant to throw.
  @MainActor package func parse(_ input: [UInt8]) async throws {
    switch self {
    case .jpeg, .png, .gif, .webp, .heif: try PictureParsing.parse(input)
    case .exif: try PictureParsing.parseOrientation(input)
    case .xmp: try XMPParsing.parse(input)
    case .answers: try AnswerParsing.parse(input)
    case .addresses: try AddressParsing.parse(input)
    case .heads: try HeadParsing.parse(input)
    case .keys: try KeyParsing.parse(input)
    case .replies: try ReplyParsing.parse(input)
    case .sanitizer: try SanitizerParsing.parse(input)
    case .configuration: try ConfigurationParsing.parse(input)
    case .rows: try RowParsing.parse(input)
    case .disk: try await DiskParsing.parse(input)
    case .database: try await DatabaseParsing.parse(input)
    case .imports: try ImportParsing.parse(input)
    }
  }
}
