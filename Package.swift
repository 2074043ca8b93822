// swift-tools-version: 6.2
import PackageDescription

/// What every Swift target of ours is built with: Swift 6 mode comes with the tools version.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "Panda",
  products: [
    .executable(name: "panda", targets: ["PandaTUI"]),
    .library(name: "PandaCore", targets: ["PandaCore"]),
    .library(name: "Pantry", targets: ["Pantry"]),
    .library(name: "PantryTesting", targets: ["PantryTesting"]),
  ],
  targets: [
    // The house. Dependencies go one way: PandaTUI -> PandaCore -> Pantry -> C.
    .executableTarget(
      name: "PandaTUI",
      dependencies: [
        "PandaCore", "Pantry", "CNcurses", "CChafa", "CGetopt", "CMemory", "CTimerDescriptor",
        "CWideCharacters", "CTerminalGuard",
      ],
      swiftSettings: strict),
    .target(
      name: "PandaCore",
      dependencies: ["Pantry", "CCurl", "CTurboJPEG", "CPNG", "CGIF", "CWebP"],
      swiftSettings: strict),
    .target(
      name: "Pantry",
      dependencies: ["CSQLite", "CCrypto", "CFileSystem"],
      swiftSettings: strict),

    // For those who bring their own engine. It imports no test framework, so that it links anywhere.
    .target(name: "PantryTesting", dependencies: ["Pantry"], swiftSettings: strict),

    // Tests. Their drivers are a library, because the benchmarks use them too.
    .testTarget(
      name: "PantryTests",
      dependencies: [
        "Pantry", "PantryTesting", "PandaTestSupport", "PantryCrashProbe", "PantryLiveProbe",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DocumentationTests", dependencies: ["Pantry", "PantryTesting", "PandaTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "PandaCoreTests",
      dependencies: ["PandaCore", "PandaTestSupport", "CTurboJPEG", "CWebP", "CTestResolver"],
      resources: [.copy("Fixtures")], swiftSettings: strict),
    .testTarget(
      name: "PandaTUITests", dependencies: ["PandaTUI", "PandaTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["PandaCore", "PandaTUI", "PandaTestSupport", "TerminalGuardProbe"],
      resources: [.copy("Fixtures")],
      swiftSettings: strict),
    .target(
      name: "PandaTestSupport", dependencies: ["CDescriptors", "CPseudoTerminal"],
      path: "Tests/PandaTestSupport", resources: [.copy("Releases")], swiftSettings: strict),
    .target(name: "CDescriptors", path: "Tests/CDescriptors"),
    .target(name: "CPseudoTerminal", path: "Tests/CPseudoTerminal"),
    // Names that never resolve, and names that resolve to a private address.
    .target(name: "CTestResolver", path: "Tests/CTestResolver"),
    .executableTarget(
      name: "PantryCrashProbe", dependencies: ["Pantry"], path: "Tests/PantryCrashProbe",
      swiftSettings: strict),
    .executableTarget(
      name: "PantryLiveProbe", dependencies: ["Pantry", "CSQLite"], path: "Tests/PantryLiveProbe",
      swiftSettings: strict),
    .executableTarget(
      name: "TerminalGuardProbe", dependencies: ["CTerminalGuard"],
      path: "Tests/TerminalGuardProbe", swiftSettings: strict),

    // A sample for developers: Examples/Timeline/README.md.
    .executableTarget(
      name: "timeline", dependencies: ["Pantry"], path: "Examples/Timeline",
      exclude: ["README.md"], swiftSettings: strict),
    .testTarget(
      name: "TimelineTests", dependencies: ["timeline", "Pantry", "PandaTestSupport"],
      swiftSettings: strict),

    // `make bench`.
    .executableTarget(
      name: "panda-bench",
      dependencies: ["PandaCore", "Pantry", "PantryTesting", "PandaTestSupport", "CSQLite"],
      path: "Benchmarks/PandaBench", swiftSettings: strict),

    // What must run inside a signal handler.
    .target(name: "CTerminalGuard"),

    // Parts of the C library that Swift does not import or refuses.
    .systemLibrary(name: "CFileSystem"),
    .systemLibrary(name: "CGetopt"),
    .systemLibrary(name: "CMemory"),
    .systemLibrary(name: "CTimerDescriptor"),
    .systemLibrary(name: "CWideCharacters"),

    // System libraries: a module map and one shim.h each.
    .systemLibrary(
      name: "CNcurses", pkgConfig: "ncursesw", providers: [.apt(["libncurses-dev"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CChafa", pkgConfig: "chafa", providers: [.apt(["libchafa-dev", "libglib2.0-dev"])]),
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(
      name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(
      name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
    // giflib has no pkg-config file: its module map says what to link.
    .systemLibrary(name: "CGIF", providers: [.apt(["libgif-dev"])]),
  ]
)
