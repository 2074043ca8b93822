internal import FoundationEssentials

extension SourceRing {
  /// The name of the source that draws.
  package static let groveName = "grove"

  /// What the person reads of several sources together.
  package static let publicName = "the web"

  /// Creates a ring of services, in the order in which they are preferred.
  ///
  /// - Parameters:
  ///   - services: by their descriptions, at least one.
  ///   - withGrove: whether drawn pandas take turns too, last.
  ///   - isChosen: whether the person chose them by name: then each takes turns, also those that
  ///     are reserves otherwise.
  ///   - library: where lists are kept, and where what the person knows is looked up.
  package convenience init(
    services: [SourceDescription], withGrove: Bool = false, isChosen: Bool = false,
    library: ImageLibrary, client: HTTPClient
  ) {
    self.init(
      services: services, withGrove: withGrove, isChosen: isChosen, library: library,
      client: client, timer: MonotonicTimer(ContinuousClock()))
  }

  /// - Parameter timer: what the wait for a slow source is measured by.
  convenience init(
    services: [SourceDescription], withGrove: Bool = false, isChosen: Bool = false,
    library: ImageLibrary, client: HTTPClient, timer: MonotonicTimer
  ) {
    var members = services.map { description in
      Member(
        name: description.name, source: Self.source(description, library: library, client: client),
        weight: isChosen ? max(1, description.weight) : description.weight,
        hosts: description.hosts)
    }
    if withGrove {
      members.append(
        Member(name: Self.groveName, source: BambooGroveSource(), weight: 1, hosts: []))
    }
    self.init(
      members, name: Self.publicName, library: library, timer: timer,
      jitter: { Double.random(in: 0..<1) }, now: { Date() })
  }

  /// redpanda.club has a source of its own, unless the person described another of its name.
  private static func source(
    _ description: SourceDescription, library: ImageLibrary, client: HTTPClient
  ) -> any ImageSource {
    !description.isNamedByUser && description.addresses == [RedPandaClubSource.publicEndpoint]
      ? RedPandaClubSource(client: client)
      : DescribedSource(description, library: library, client: client)
  }
}
