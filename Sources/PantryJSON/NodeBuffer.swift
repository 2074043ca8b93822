/// Memory for nodes, reused from one document to the next.
///
/// Its owner frees it: ``deallocate()``.
struct NodeBuffer {
  private(set) var base: UnsafeMutablePointer<Node>
  private(set) var capacity: Int
  private(set) var count = 0

  init() {
    capacity = 256
    base = .allocate(capacity: capacity)
  }

  /// Removes all nodes and keeps their memory.
  mutating func removeAll() { count = 0 }

  @inline(__always)
  mutating func append(_ node: Node) {
    if count == capacity { grow() }
    base[count] = node
    count += 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Node>.allocate(capacity: capacity * 2)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
    capacity *= 2
  }

  func deallocate() { base.deallocate() }
}
