import CSimulatedDisk

extension simulated_call {
  /// Its name in traces.
  var name: String {
    switch self {
    case SIMULATED_OPEN: "open"
    case SIMULATED_CLOSE: "close"
    case SIMULATED_READ: "read"
    case SIMULATED_WRITE: "write"
    case SIMULATED_TRUNCATE: "truncate"
    case SIMULATED_SYNC: "sync"
    case SIMULATED_SIZE: "size"
    case SIMULATED_LOCK: "lock"
    case SIMULATED_UNLOCK: "unlock"
    case SIMULATED_CHECK_LOCK: "check-lock"
    case SIMULATED_SHM_MAP: "map-index"
    case SIMULATED_SHM_LOCK: "lock-index"
    case SIMULATED_SHM_UNLOCK: "unlock-index"
    case SIMULATED_SHM_BARRIER: "barrier"
    case SIMULATED_SHM_UNMAP: "unmap-index"
    case SIMULATED_DELETE: "delete"
    default: "access"
    }
  }
}

extension simulated_file {
  /// Its name in traces.
  var name: String {
    switch self {
    case SIMULATED_DATABASE: "database"
    case SIMULATED_LOG: "log"
    case SIMULATED_JOURNAL: "journal"
    default: "temporary"
    }
  }
}

extension PlannedFault: CustomStringConvertible {
  var description: String {
    let what =
      switch kind {
      case .kill(let verdict): "killed \(["before", "after", "during"][Int(-verdict) - 1])"
      case .failure(let code): "error \(code) of"
      }
    let times = repeats > 1 ? ", \(repeats) times" : ""
    return "\(what) \(call?.name ?? "call") \(skipped + 1) to \(file?.name ?? "any file")\(times)"
  }
}
