/// The stores of this process that show the same items: same engine, same type, same identifier.
///
/// What one of them commits, the others follow at once. Each holds the group; the group holds none.
@MainActor
final class StorePeers {
  private struct Key: Hashable {
    let engine: ObjectIdentifier
    let item: ObjectIdentifier
    let identity: AnyHashable
  }

  private struct Member {
    weak var store: AnyObject?
  }

  private struct Group {
    weak var peers: StorePeers?
  }

  private static var groups: [Key: Group] = [:]

  private var members: [Member] = []

  /// Returns the group for stores of `Item` on `engine`.
  ///
  /// While the group lives, a store of it does, and so its engine: no other engine has its address.
  static func group<Item>(
    _ item: Item.Type, on engine: any StorageEngine, identity: AnyHashable
  ) -> StorePeers {
    let key = Key(
      engine: ObjectIdentifier(engine), item: ObjectIdentifier(item), identity: identity)
    if let peers = groups[key]?.peers { return peers }
    groups = groups.filter { $0.value.peers != nil }
    let peers = StorePeers()
    groups[key] = Group(peers: peers)
    return peers
  }

  /// Adds a store for as long as it lives.
  func add<Item>(_ store: Store<Item>) {
    members.removeAll { $0.store == nil }
    members.append(Member(store: store))
  }

  /// The stores of the group but this one.
  func others<Item>(than store: Store<Item>) -> [Store<Item>] {
    members.compactMap { $0.store as? Store<Item> }.filter { $0 !== store }
  }
}
