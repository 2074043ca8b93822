internal import PantryRecovery

extension MainActor {
  /// The number of items worked on at a time: about 1 ms.
  static var sliceSize: Int { WorkSizes.current.slice }

  /// Calls `body` with each element, in slices that let the main actor run in between.
  @MainActor
  static func inSlices<Element>(_ elements: [Element], _ body: (Element) -> Void) async {
    for start in stride(from: 0, to: elements.count, by: sliceSize) {
      for element in elements[start..<min(start + sliceSize, elements.count)] { body(element) }
      await Task.yield()
    }
  }
}
