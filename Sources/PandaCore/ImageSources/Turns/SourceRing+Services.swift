internal import FoundationEssentials

extension SourceRing {
  package static let groveName = "grove"

  /// The displayed name of several sources together.
  package static let publicName = "the web"

  /// Creates a ring of services, in order of preference.
  ///
  /// - Parameters:
  ///   - services: their descriptions, at least one.
  ///   - withGrove: whether drawn pandas also take turns, last.
  ///   - isChosen: whether the user chose them by name: then each takes turns, even those that are
  ///     otherwise reserves.
  ///   - library: stores lists, and knows which pictures the user knows.
  ///   - log: receives each failure of a source, and what follows from it.
  package convenience init(
    services: [SourceDescription], withGrove: Bool = false, isChosen: Bool = false,
    library: ImageLibrary, client: HTTPClient, log: Log = .off
  ) {
    self.init(
      services: services, withGrove: withGrove, isChosen: isChosen, library: library,
      client: client, log: log, timer: MonotonicTimer(ContinuousClock()))
  }

  /// - Parameter timer: measures the wait for a slow source.
  convenience init(
    services: [SourceDescription], withGrove: Bool = false, isChosen: Bool = false,
    library: ImageLibrary, client: HTTPClient, log: Log = .off, timer: MonotonicTimer
  ) {
    var members = services.map { description in
      Member(
        name: description.name,
        source: DescribedSource(description, library: library, client: client, log: log),
        weight: isChosen ? max(1, description.weight) : description.weight)
    }
    if withGrove {
      members.append(
        Member(name: Self.groveName, source: BambooGroveSource(), weight: 1))
    }
    self.init(
      members, name: Self.publicName, library: library, gates: client.gates, timer: timer,
      jitter: { Double.random(in: 0..<1) }, now: { Date() }, log: log)
  }
}
