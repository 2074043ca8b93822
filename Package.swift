// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// What every Swift target of ours is built with: Swift 6 mode comes with the tools version.
///
/// Warnings are errors only where PANDA_STRICT=1 asks for it, as `.ci/run` does: a newer compiler
/// may have new ones.
let strict: [SwiftSetting] =
  (Context.environment["PANDA_STRICT"] == "1" ? [.treatAllWarnings(as: .error)] : []) + [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ]

/// Whether SwiftPM reads this manifest for a package that depends on it by a git URL, or for the
/// Swift Package Index (.spi.yml), which has none of Panda's libraries either.
///
/// It reads a version inside the repository first, where the directory is "/", and then the
/// checkout, SCRATCH/checkouts/NAME, which lies beside its clones, SCRATCH/repositories.
let isDependency: Bool = {
  if Context.environment["SPI_BUILD"] == "1" { return true }
  let directory = URL(filePath: Context.packageDirectory)
  let parent = directory.deletingLastPathComponent()
  return directory.path == "/"
    || parent.lastPathComponent == "checkouts"
      && FileManager.default.fileExists(atPath: parent.appending(path: "../repositories").path)
}()

/// The same for what does much work in the tests, which take more than twice as long at -Onone.
///
/// Not for a package that depends on Pantry: SwiftPM refuses flags that it does not know there.
let optimized =
  isDependency
  ? strict
  : strict + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// For what waits for people, disks and networks anyway; not for a package that depends on Pantry.
let small: [SwiftSetting] =
  isDependency ? [] : [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// Swift's own linker, which takes half the time of the system's; not for a package that depends on
/// Pantry.
let linker: [LinkerSetting] = isDependency ? [] : [.unsafeFlags(["-use-ld=lld"])]

/// Whether `make tsan` builds.
let watchesThreads = Context.environment["PANDA_TSAN"] == "1"

/// Links what is otherwise loaded on first use, with PANDA_LINK=1: where no library is in the
/// loader's directories, as in Nix, dlopen finds those that are loaded already.
let linksAll = Context.environment["PANDA_LINK"] == "1"
func linked(_ names: String...) -> [LinkerSetting] {
  linksAll ? names.map { .linkedLibrary(":\($0)") } : []
}

// Pantry, for everyone. SwiftPM reads the pkg-config file of every system library in a package,
// used or not, and warns if there is none (swiftlang/swift-package-manager#10549). No library here
// has `pkgConfig:`, so a package sees no line about an engine that it does not use: a shim.h finds
// its header in the compiler's own folders, and its module map says what to link.
let package = Package(
  name: "Panda",
  products: [
    .library(name: "Pantry", targets: ["Pantry"]),
    .library(name: "PantryTesting", targets: ["PantryTesting"]),
    .library(name: "PantryPostgres", targets: ["PantryPostgres"]),
  ],
  targets: [
    .target(
      name: "Pantry",
      dependencies: ["PantryRecovery", "PantryJSON", "SystemSupport", "CPantryFileSystem"],
      exclude: ["README.md", "Folders.md"],
      swiftSettings: optimized),

    // The files of the SQLite engine without their engine; `import Pantry` has its public names.
    .target(
      name: "PantryRecovery",
      dependencies: ["SystemSupport", "CPantrySQLite", "CPantryCrypto", "CPantryFileSystem"],
      swiftSettings: optimized, linkerSettings: linked("libcrypto.so.3")),

    // Decodes the rows, three times as fast as Foundation.
    .target(name: "PantryJSON", swiftSettings: optimized),

    // What all targets need of the system: the one lock, since ThreadSanitizer does not see the
    // standard library's, queues, errors, files, libraries that are loaded on first use.
    .target(
      name: "SystemSupport", dependencies: ["CPantryFileSystem"],
      swiftSettings: optimized + (watchesThreads ? [.define("THREAD_SANITIZER")] : []),
      // Whatever we link has this target in it.
      linkerSettings: linker),

    // For those who bring their own engine. It imports no test framework, so that it links
    // anywhere.
    .target(
      name: "PantryTesting", dependencies: ["Pantry", "SystemSupport"], swiftSettings: optimized),

    // For those whose library is on a server.
    .target(
      name: "PantryPostgres", dependencies: ["Pantry", "SystemSupport", "CPantryPostgreSQL"],
      swiftSettings: optimized + small, linkerSettings: linked("libpq.so.5")),

    .systemLibrary(
      name: "CPantrySQLite", path: "Sources/CLibraries/CPantrySQLite",
      providers: [.apt(["libsqlite3-dev"])]),
    // Not even headers: libcrypto is loaded for the first digest.
    .systemLibrary(name: "CPantryCrypto", path: "Sources/CLibraries/CPantryCrypto"),
    // Not even headers: libpq is loaded when the first engine needs it.
    .systemLibrary(name: "CPantryPostgreSQL", path: "Sources/CLibraries/CPantryPostgreSQL"),
    // A part of the C library that Swift does not import.
    .systemLibrary(name: "CPantryFileSystem", path: "Sources/CLibraries/CPantryFileSystem"),
  ]
)

/// Whether `make fuzz` builds.
let fuzzes = Context.environment["PANDA_FUZZ"] == "1"

/// Whether the benchmarks are built: `make bench`, Scripts/check-bench.
let measures = Context.environment["PANDA_BENCH"] == "1"

/// What is built and tested: all, or with PART=pantry or PART=program one half.
let part = Context.environment["PART"] ?? ""

/// What tests are built with: a backtrace has its lines, and a debugger sees no variables in them.
let tests =
  strict + [.unsafeFlags(["-gline-tables-only"], .when(configuration: .debug))]

// A dependent package has no use for what follows: it would be warned of each library it lacks,
// and could not have a target with one of these names.
if !isDependency {
  package.targets += [
    // The tests' drivers are a library, because the benchmarks use them too.
    .target(
      name: "PandaTestSupport", dependencies: ["SystemSupport", "CDescriptors", "CPseudoTerminal"],
      path: "Tests/PandaTestSupport", resources: [.copy("Releases"), .copy("Preloads")],
      swiftSettings: optimized),
    .target(name: "CDescriptors", path: "Tests/CDescriptors"),
    .target(name: "CPseudoTerminal", path: "Tests/CPseudoTerminal"),
  ]
}

// Pantry's tests and samples.
if !isDependency && part != "program" {
  package.targets += [
    .testTarget(
      name: "PantryTests",
      dependencies: [
        "Pantry", "PantryRecovery", "PantryTesting", "SystemSupport", "PandaTestSupport",
        "CDescriptors", "PantryCrashProbe", "PantryLiveProbe",
        "PantryTopLevelProbe", "PantryDefaultProbe", "PantryFaultProbe", "PantrySimulator",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "PantryPostgresTests",
      dependencies: [
        "PantryPostgres", "Pantry", "PantryTesting", "SystemSupport", "PandaTestSupport",
        "PantryLiveProbe",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "PantryJSONTests", dependencies: ["PantryJSON", "PandaTestSupport"],
      swiftSettings: tests),
    .target(
      name: "DefaultIsolationSnippets", dependencies: ["Pantry"],
      path: "Tests/DefaultIsolationSnippets",
      swiftSettings: tests + [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "DocumentationTests",
      dependencies: ["Pantry", "PantryTesting", "PandaTestSupport", "DefaultIsolationSnippets"],
      exclude: ["Fixtures"], swiftSettings: optimized),
    .executableTarget(
      name: "PantryCrashProbe", dependencies: ["Pantry"], path: "Tests/PantryCrashProbe",
      swiftSettings: tests),
    .executableTarget(
      name: "PantryFaultProbe", dependencies: ["Pantry"], path: "Tests/PantryFaultProbe",
      swiftSettings: tests),
    .executableTarget(
      name: "PantryLiveProbe", dependencies: ["Pantry", "PantryPostgres", "CPantrySQLite"],
      path: "Tests/PantryLiveProbe",
      swiftSettings: tests),
    // Runs Pantry's schedules by a seed. The only target with the executors' SPI.
    .executableTarget(
      name: "PantrySimulator",
      dependencies: ["Pantry", "SystemSupport", "CPantrySQLite", "CSimulatedDisk"],
      path: "Tests/PantrySimulator", swiftSettings: optimized),
    .target(
      name: "CSimulatedDisk", path: "Tests/CSimulatedDisk",
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "PantryTopLevelProbe", dependencies: ["Pantry"], path: "Tests/PantryTopLevelProbe",
      swiftSettings: tests),
    .executableTarget(
      name: "PantryDefaultProbe", dependencies: ["Pantry"], path: "Tests/PantryDefaultProbe",
      swiftSettings: tests),
    // Samples for developers: Examples/README.md.
    .executableTarget(
      name: "notes", dependencies: ["Pantry"], path: "Examples/Notes", swiftSettings: strict),
    .executableTarget(
      name: "note-server", dependencies: ["Pantry"], path: "Examples/NoteServer",
      swiftSettings: strict),
    .testTarget(
      name: "SampleTests", dependencies: ["notes", "note-server", "PandaTestSupport"],
      swiftSettings: tests),
    .executableTarget(
      name: "timeline", dependencies: ["Pantry"], path: "Examples/Timeline",
      exclude: ["README.md"], swiftSettings: strict),
    .testTarget(
      name: "TimelineTests", dependencies: ["timeline", "Pantry", "PandaTestSupport"],
      swiftSettings: tests),
  ]
}

// Panda, its tests and tools.
if !isDependency && part != "pantry" {
  package.products += [.executable(name: "panda", targets: ["panda"])]
  package.targets += [
    .executableTarget(
      name: "panda",
      dependencies: [
        "PandaTUI", "PandaShell", "PandaSession", "TerminalKit", "SystemSupport", "CMemory",
      ],
      swiftSettings: strict + small),
    // The house. Dependencies go one way: panda -> PandaTUI and PandaShell, which do not see each
    // other -> PandaSession -> PandaCore -> Pantry -> C. Beside PandaCore, TerminalKit and
    // PictureCodecs know nothing of red pandas, and Grove draws them.
    .target(
      name: "PandaTUI",
      dependencies: [
        "PandaSession", "PandaCore", "TerminalKit", "PictureCodecs", "Pantry", "SystemSupport",
      ],
      exclude: ["README.md"], swiftSettings: strict + small),
    .target(
      name: "PandaShell",
      dependencies: [
        "PandaSession", "PandaCore", "TerminalKit", "PictureCodecs", "Pantry", "SystemSupport",
        "CGetopt",
      ],
      exclude: ["README.md"], swiftSettings: strict + small),
    .target(
      name: "PandaSession",
      dependencies: [
        "PandaCore", "TerminalKit", "PictureCards", "PictureCodecs", "Pantry", "SystemSupport",
        "CVersion",
      ],
      exclude: ["README.md"], swiftSettings: strict + small),
    .target(
      name: "PandaCore",
      dependencies: [
        "Pantry", "PantryPostgres", "SystemSupport", "PictureCodecs", "Grove", "CCurl",
        "CPantryFileSystem",
      ],
      exclude: ["README.md"],
      swiftSettings: strict + small,
      linkerSettings: linked("libcurl.so.4")),
    .target(
      name: "TerminalKit",
      dependencies: [
        "PictureCodecs", "SystemSupport", "CNcurses", "CChafa", "CWideCharacters",
        "CTerminalGuard",
      ],
      exclude: ["README.md"],
      swiftSettings: strict + small, linkerSettings: linked("libchafa.so.0")),
    .target(name: "Grove", dependencies: ["PictureCodecs"], swiftSettings: optimized),
    .target(
      name: "PictureCodecs",
      dependencies: ["SystemSupport", "CTurboJPEG", "CPNG", "CGIF", "CWebP", "CLCMS", "CHEIF"],
      swiftSettings: optimized, linkerSettings: linked("liblcms2.so.2", "libheif.so.1")),
    .target(
      name: "PictureCards", dependencies: ["PictureCodecs", "SystemSupport", "CPango"],
      swiftSettings: optimized, linkerSettings: linked("libpangocairo-1.0.so.0")),

    .testTarget(
      name: "PandaCoreTests",
      dependencies: [
        "PandaCore", "PictureCodecs", "Grove", "SystemSupport", "PandaTestSupport", "CTestResolver",
        "ExchangeProbe",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "PictureCodecsTests",
      dependencies: [
        "PictureCodecs", "Grove", "SystemSupport", "PandaTestSupport", "CMemory", "CTurboJPEG",
        "CWebP",
      ],
      resources: [.copy("Fixtures")], swiftSettings: tests),
    .testTarget(
      name: "PictureCardsTests", dependencies: ["PictureCards", "PictureCodecs"],
      swiftSettings: tests),
    .testTarget(
      name: "GroveTests", dependencies: ["Grove", "PictureCodecs", "PandaTestSupport"],
      swiftSettings: tests),
    .testTarget(
      name: "TerminalKitTests",
      dependencies: [
        "TerminalKit", "SystemSupport", "TerminalKitTestSupport", "PictureCodecs",
        "PandaTestSupport",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "PandaTUITests",
      dependencies: [
        "PandaTUI", "PandaShell", "PandaSession", "PantryRecovery", "TerminalKit",
        "TerminalKitTestSupport", "PictureCards", "PictureCodecs", "Grove", "SystemSupport",
        "PandaTestSupport",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "panda", "PandaCore", "PandaSession", "PandaShell", "PandaTUI", "TerminalKit",
        "PictureCodecs", "Grove", "PandaTestSupport", "TerminalGuardProbe", "Pantry",
      ],
      resources: [.copy("Fixtures")],
      swiftSettings: tests),
    // What real terminals answer.
    .target(
      name: "TerminalKitTestSupport", dependencies: ["TerminalKit"],
      path: "Tests/TerminalKitTestSupport", swiftSettings: tests),
    // Names that never resolve, and names that resolve to a private address.
    .target(name: "CTestResolver", path: "Tests/CTestResolver"),
    .executableTarget(
      name: "ExchangeProbe", dependencies: ["PandaCore", "Pantry"], path: "Tests/ExchangeProbe",
      swiftSettings: tests),
    .executableTarget(
      name: "TerminalGuardProbe",
      dependencies: ["TerminalKit", "CTerminalGuard", "CPseudoTerminal"],
      path: "Tests/TerminalGuardProbe", swiftSettings: tests),

    // What `make fuzz` calls with many inputs, and the suite with its seeds.
    .target(
      name: "FuzzedParsers",
      dependencies: [
        "PandaSession", "PandaCore", "TerminalKit", "PictureCodecs", "Pantry", "PantryJSON",
        "SystemSupport", "PandaTestSupport",
      ],
      path: "Fuzzing/FuzzedParsers", swiftSettings: strict),
    .testTarget(
      name: "FuzzedParsersTests", dependencies: ["FuzzedParsers"], swiftSettings: tests),

    // What must run inside a signal handler.
    .target(name: "CTerminalGuard", path: "Sources/CLibraries/CTerminalGuard"),

    .target(name: "CVersion", path: "Sources/CLibraries/CVersion"),

    // Parts of the C library that Swift does not import or refuses.
    .systemLibrary(name: "CGetopt", path: "Sources/CLibraries/CGetopt"),
    .systemLibrary(name: "CMemory", path: "Sources/CLibraries/CMemory"),
    .systemLibrary(name: "CWideCharacters", path: "Sources/CLibraries/CWideCharacters"),

    // System libraries: a module map and one shim.h each.
    .systemLibrary(
      name: "CNcurses", pkgConfig: "ncursesw", providers: [.apt(["libncurses-dev"])]),
    // Headers only: the program loads libcurl when it is first needed.
    .systemLibrary(
      name: "CCurl", path: "Sources/CLibraries/CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    // Not even headers: the program loads Pango when it draws the first card.
    .systemLibrary(name: "CPango", path: "Sources/CLibraries/CPango"),
    // Not even headers: the program loads libchafa for the first picture that needs it.
    .systemLibrary(name: "CChafa", path: "Sources/CLibraries/CChafa"),
    .systemLibrary(
      name: "CTurboJPEG", path: "Sources/CLibraries/CTurboJPEG", pkgConfig: "libturbojpeg",
      providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(
      name: "CPNG", path: "Sources/CLibraries/CPNG", pkgConfig: "libpng",
      providers: [.apt(["libpng-dev"])]),
    .systemLibrary(
      name: "CWebP", path: "Sources/CLibraries/CWebP", pkgConfig: "libwebp",
      providers: [.apt(["libwebp-dev"])]),
    // Not even headers: the program loads Little CMS for the first picture that is not in sRGB.
    .systemLibrary(name: "CLCMS", path: "Sources/CLibraries/CLCMS"),
    // Not even headers: the program loads libheif for the first HEIC or AVIF.
    .systemLibrary(name: "CHEIF", path: "Sources/CLibraries/CHEIF"),
    // giflib has no pkg-config file: its module map says what to link.
    .systemLibrary(
      name: "CGIF", path: "Sources/CLibraries/CGIF", providers: [.apt(["libgif-dev"])]),
  ]
  // Not always: libFuzzer brings its `main` function.
  if fuzzes {
    package.targets += [
      .executableTarget(
        name: "panda-fuzz", dependencies: ["FuzzedParsers"], path: "Fuzzing/PandaFuzz",
        swiftSettings: strict)
    ]
  }
  if measures {
    package.targets += [
      .executableTarget(
        name: "panda-bench",
        dependencies: [
          "PandaCore", "PictureCodecs", "Grove", "Pantry", "PantryTesting", "PandaTestSupport",
          "TerminalKit", "CPantrySQLite", "PantryPostgres", "CPlainPostgres", "SystemSupport",
        ],
        path: "Benchmarks/PandaBench", swiftSettings: strict),
      // What Pantry on PostgreSQL is measured beside.
      .target(name: "CPlainPostgres", path: "Benchmarks/CPlainPostgres"),
    ]
  }
}
