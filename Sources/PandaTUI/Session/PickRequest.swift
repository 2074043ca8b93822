/// What `panda pick` chooses from, and prints.
struct PickRequest: Sendable {
  /// A directory and a filter, or a filter alone, as typed.
  let words: [String]
  let takesOne: Bool
  /// Whether IDs are printed in place of paths.
  let printsIDs: Bool
  let isNullTerminated: Bool

  init(
    words: [String], takesOne: Bool = false, printsIDs: Bool = false, isNullTerminated: Bool = false
  ) {
    self.words = words
    self.takesOne = takesOne
    self.printsIDs = printsIDs
    self.isNullTerminated = isNullTerminated
  }
}
