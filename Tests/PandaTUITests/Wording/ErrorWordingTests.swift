import Foundation
import PandaTestSupport
import SystemSupport
import Testing

@testable import PandaCore
@testable import PandaSession
@testable import Pantry
@testable import PantryRecovery
@testable import PictureCards
@testable import PictureCodecs
@testable import TerminalKit

/// Every error that can reach the user is worded.
@Suite struct ErrorWordingTests {
  /// Samples of each type of error in the sources.
  private static let samples: [String: [any Error]] = [
    "Screen.Failure": [Screen.Failure.notATerminal],
    "TerminalError": [
      TerminalError(operation: .write, code: EIO),
      TerminalError(operation: .suspend, code: ENOTSUP),
    ],
    "PictureFileError": [
      PictureFileError(reason: .exists, path: "/a"),
      PictureFileError(reason: .notPNG, path: "/a.jpg"),
    ],
    "CardError": [
      CardError(.missingLibrary, "libpangocairo-1.0.so.0: cannot open shared object file"),
      CardError(.noFont), CardError(.notDrawn, "cairo 1: out of memory"),
    ],
    "UsageError": [UsageError(problem: "unknown option --x")],
    "UnknownSetting": [
      [.library, .author, .source], [.library], [.source], [.author],
    ].map { (unknown: Set<Configuration.Setting>) in
      UnknownSetting(
        problem: ConfigurationProblem(line: 2, sentence: "it is unusable", unknown: unknown))
    },
    "ImageSourceError": [
      ImageSourceError(.webPage, host: "a.example"), ImageSourceError(.video, host: "a.example"),
      ImageSourceError(.noOpenLicense, host: "a.example"),
      ImageSourceError(.resting(.seconds(3000)), host: "a.example"),
      ImageSourceError(.switchedOff, host: "a.example"),
    ],
    "ExchangeError": ExchangeErrorSamples.all,
    "SourceDescriptionError": [SourceDescriptionError(member: "list", problem: "is missing")],
    "PNGEncodingError": [PNGEncodingError(size: PixelSize(width: 0, height: 4))],
    "PictureError": [
      PictureError(.tooManyBytes(23_000_000, limit: 20_000_000)), PictureError(.damaged),
    ],
    "HTTPError": [HTTPError(.tooSlow(bytesPerSecond: 10, for: .seconds(5)), host: "a.example")],
    "LoadIssue": [
      LoadIssue(key: CacheKey(verbatim: "a"), reason: "It is not a String.", data: Data())
    ],
    "SQLiteError": [
      SQLiteError(13, during: .step, path: "/a", connection: nil),
      SQLiteError(14, during: .open, path: "/a", connection: nil),
      SQLiteError(778, during: .open, path: "/a", connection: nil),
      SQLiteError(1_546, during: .step, path: "/a", connection: nil),
      SQLiteError(20, during: .step, path: "/a", connection: nil),
    ],
    "StorageError": [
      StorageError.cannotCreate(path: "/a", reason: "\(SystemError(code: EACCES))"),
      StorageError.cannotOpen(path: "/a", reason: "\(SystemError(code: EACCES))"),
      StorageError.cannotWrite(path: "/a", reason: "\(SystemError(code: EROFS))"),
      StorageError.hardLinked(path: "/a's/b"),
      StorageError.mountedAlone(path: "/a"),
      StorageError.unusablePath(path: "/a", reason: "HOME is not UTF-8 text"),
      StorageError.inUse(path: "/a"),
      StorageError.readOnly(path: "/a"),
      StorageError.nothingToRead(path: "/a"),
      StorageError.needsWriting(path: "/a", reason: "it is empty"),
      StorageError.tooManyConflicts(type: "Note", attempts: 20),
      StorageError.outcomeUnknown(reason: "the line was cut"),
    ],
    "CommandFailure": [CommandFailure("There is no favorite abcd", .notFound)],
    "SystemError": [SystemError(code: EROFS), SystemError(code: EPROTO)],
    "FileError": [
      FileError(.write, "/" + String(repeating: "a\u{1B}\n/", count: 1_000), code: EDQUOT),
      FileError(.create, "/a/b", code: ENOENT), FileError(.read, "/a", code: EXDEV),
    ],
  ]

  /// Types whose errors are turned into others, or into sentences, where they are caught.
  private static let inner: Set = [
    "AnotherWasFaster", "Rejection", "ConfigurationFile.Failure",
    "JSONError",
    "Output.Closed", "DeferredToFoundation", "CallerError", "LibraryError",
    "ColorTransform.Failure", "ProfileIssue",
  ]

  private static func isCalm(_ sentence: String) -> Bool {
    let raw = [
      "Error", "Optional(", "NSFilePath", "SQLite", "Domain=", "Code=", "userInfo", "\n",
      "rawValue",
    ]
    return !sentence.isEmpty && sentence.count < 300 && !sentence.hasSuffix(".")
      && !raw.contains { sentence.contains($0) }
  }

  @Test func `every type of error in the sources has a sample, and every sample is worded`() throws
  {
    let root = URL(filePath: #filePath).appending(path: "../../../../Sources").standardizedFileURL
    let files = try #require(
      FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
    var found: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      // Not the program's: engines under test.
      guard !file.path.contains("/PantryTesting/"), !file.path.contains("/PantryPostgres/") else {
        continue
      }
      for match in text.matches(
        of: /(?:struct|enum|class|actor|extension) ([A-Za-z0-9.]+)[^\n{]*:[^\n{]*\bError\b[^\n{]*\{/
      ) {
        // Types of the same name are distinguished by their files.
        let isShared = ["Failure", "Closed"].contains(match.1)
        let name = file.deletingPathExtension().lastPathComponent
        found.insert(isShared ? "\(name).\(match.1)" : String(match.1))
      }
    }
    let known = Self.inner.union(Self.samples.keys)
    #expect(found.subtracting(known) == [], "add a sample of these")
    #expect(known.subtracting(found) == [], "these are gone")
    for (name, errors) in Self.samples {
      for error in errors {
        let sentence = userMessage(for: error)
        #expect(Self.isCalm(sentence), "\(name): \(sentence)")
      }
    }
  }

  @Test func `errors of Foundation are worded from their numbers`() throws {
    let directory = TemporaryDirectory()
    let file = directory.url.appending(path: "file")
    try Data("x".utf8).write(to: file)
    let thrown: [(any Error, String)] = [
      (
        #expect(throws: (any Error).self) {
          try FileManager.default.createDirectory(
            at: file.appending(path: "x"), withIntermediateDirectories: true)
        }!, "It is a file, not a directory"
      ),
      (
        #expect(throws: (any Error).self) {
          try Data(contentsOf: directory.url.appending(path: "no"))
        }!,
        "No such file or directory"
      ),
      (CocoaError(.fileWriteOutOfSpace), "The disk is full"),
      (CocoaError(.fileWriteVolumeReadOnly), "The file system is read-only"),
      (CocoaError(.fileReadNoPermission), "Permission denied"),
      (POSIXError(.EDQUOT), "The disk quota is exceeded"),
      (SystemError(code: EIO), "The disk reported an error"),
      (CancellationError(), "It was canceled"),
      (CocoaError(.coderInvalidValue), "Something unexpected went wrong"),
      (
        #expect(throws: (any Error).self) {
          try JSONDecoder().decode(Int.self, from: Data("[".utf8))
        }!,
        "The stored data cannot be read"
      ),
    ]
    for (error, sentence) in thrown { #expect(userMessage(for: error) == sentence, "\(error)") }
    #expect(
      technicalCause(of: CocoaError(.fileReadNoPermission)) == "permission denied (errno 13)")
  }
}
