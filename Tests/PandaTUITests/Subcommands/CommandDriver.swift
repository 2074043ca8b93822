import Foundation
import PandaCore
import PandaTestSupport
import Pantry
import Testing

@testable import PandaSession
@testable import PandaShell
@testable import TerminalKit

/// Runs commands on favorites in a directory, each with a library of its own, as processes do.
@MainActor
final class CommandDriver {
  struct Result {
    let status: PandaSession.ExitStatus
    /// Standard output.
    let data: Data
    /// Standard error.
    let words: String

    var text: String { String(decoding: data, as: UTF8.self) }
    var lines: [String] { text.split(separator: "\n").map(String.init) }
  }

  let directory: TemporaryDirectory
  var source: any ImageSource = SmallSource()
  var now: @Sendable () -> Date = { Date() }
  private var runs = 0

  init(_ directory: TemporaryDirectory) {
    self.directory = directory
  }

  /// A library on the favorites, such as that of another process.
  func library() -> ImageLibrary {
    ImageLibrary(in: StorageDirectory(url: directory.url.appending(path: "data")))
  }

  /// Saves pictures of a source, one after another.
  func save(_ count: Int, source: any ImageSource = SmallSource()) async throws {
    let controller = ImagesController(library: library(), source: source)
    for _ in 0..<count { try await controller.saveImage(image: controller.fetchImage()) }
    await controller.library.close()
  }

  /// Performs a command line, such as `["list", "--ids"]`.
  func run(_ arguments: String...) async throws -> Result { try await run(arguments) }

  func run(_ arguments: [String]) async throws -> Result {
    guard case .run(let options, .session(_, let body)) = try Invocation(arguments: arguments)
    else { throw TestFailure("\(arguments) needs no session") }
    runs += 1
    let paths = ["data", "words"].map { directory.path("\($0)-\(runs)") }
    let descriptors = paths.map { open($0, O_CREAT | O_RDWR | O_CLOEXEC, 0o600) }
    defer { for descriptor in descriptors { close(descriptor) } }
    let session = session(
      options, output: Output(data: descriptors[0], words: descriptors[1]), now: now)
    let status = await session.run(body)
    let read = try paths.map { try Data(contentsOf: URL(filePath: $0)) }
    return Result(
      status: status, data: read[0], words: String(decoding: read[1], as: UTF8.self))
  }

  func session(
    _ options: Options = Options(), configuration: Configuration = Configuration(),
    output: Output, now: @escaping @Sendable () -> Date = { Date() }
  ) -> Session {
    var options = options
    options.dataDirectory = options.dataDirectory ?? directory.path("data")
    return Session(
      options, in: directory, configuration: configuration, output: output, now: now,
      library: self.library(), sources: PictureSources(source, fallback: nil))
  }

  /// The members of the JSON objects in a text, one object a line.
  static func objects(_ result: Result) throws -> [[String: JSONMember]] {
    try result.lines.map {
      try JSONDecoder().decode([String: JSONMember].self, from: Data($0.utf8))
    }
  }
}

/// A value in the JSON of a command.
enum JSONMember: Decodable, Equatable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  case text(String), number(Int), texts([String]), counts([String: Int])
  case object([String: JSONMember])

  init(stringLiteral value: String) { self = .text(value) }
  init(integerLiteral value: Int) { self = .number(value) }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let number = try? value.decode(Int.self) {
      self = .number(number)
    } else if let texts = try? value.decode([String].self) {
      self = .texts(texts)
    } else if let counts = try? value.decode([String: Int].self) {
      self = .counts(counts)
    } else {
      self = .object(try value.decode([String: JSONMember].self))
    }
  }
}
