extension Subcommand {
  /// Commands that belong together, for the overview of `--help`.
  struct Group: Sendable {
    let heading: String
    let names: [Name]
  }

  /// The commands of the shell, each in one group, the most needed ones first.
  static let groups = [
    Group(heading: "Pictures", names: [.fetch, .add, .today, .show, .card]),
    Group(
      heading: "Favorites",
      names: [
        .list, .pick, .caption, .tag, .remove, .restore, .purge, .undo, .redo, .collections, .stats,
      ]),
    Group(heading: "Files", names: [.export, .importing, .backup, .copy]),
    Group(
      heading: "Program",
      names: [.sources, .config, .doctor, .watch, .help, .completions, .manual]),
  ]
}
