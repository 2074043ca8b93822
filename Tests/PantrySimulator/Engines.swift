import FoundationEssentials
@testable import Pantry

/// The engines of a scenario, on which all its processes work.
@MainActor
final class Engines {
  let kind: Scenario.Engine
  private let machine: SimulatedMachine
  private let server = SimulatedServer()
  private var inMemory: [String: MemoryStorageEngine] = [:]

  init(_ kind: Scenario.Engine, on machine: SimulatedMachine) {
    self.kind = kind
    self.machine = machine
  }

  /// Opens the engines of a process; call it as code of the process.
  func open(for process: SimulatedProcess, isDeferred: Bool) -> OpenEngines {
    switch kind {
    case .sqlite:
      let engine = sqlite(for: process, isDeferred: isDeferred)
      return OpenEngines(file: engine) { engine.engine(namespace: $0) }
    case .server:
      return OpenEngines(file: nil) { [server] in
        ServerEngine(server, namespace: $0, process: process)
      }
    case .memory:
      return OpenEngines(file: nil) { namespace in
        if let engine = self.inMemory[namespace] { return engine }
        let engine = MemoryStorageEngine(now: { process.now })
        self.inMemory[namespace] = engine
        return engine
      }
    }
  }

  private func sqlite(for process: SimulatedProcess, isDeferred: Bool) -> SQLiteStorageEngine {
    let directory = StorageDirectory(url: URL(filePath: machine.directory))
    if !isDeferred,
      let opened = try? SQLiteStorageEngine(  // otherwise each operation throws the reason
        directory: directory, namespace: "notes", now: { process.now })
    {
      return opened
    }
    return .deferred(directory: directory, namespace: "notes")
  }
}

/// The engines of one process.
@MainActor
struct OpenEngines {
  /// Nil if there is no file.
  let file: SQLiteStorageEngine?
  let engine: (_ namespace: String) -> any StorageEngine
}
