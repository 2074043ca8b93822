extension Database {
  /// Returns the digests of the attachments in use with other bytes than were stored, or without.
  ///
  /// - Complexity: O(n) in the size of all attachments, which are read.
  func lostAttachments() throws -> [ContentDigest] {
    let attachments = try statement(
      """
      SELECT digest, bytes FROM attachment
      WHERE id IN (SELECT attachment FROM item_attachment) ORDER BY id
      """)
    defer { attachments.reset() }
    var lost: [ContentDigest] = []
    while try attachments.step() {
      // A digest of another length is that of no attachment: the item that refers to it says so.
      guard let digest = ContentDigest(bytes: attachments.data(0)) else { continue }
      if ContentDigest(of: attachments.data(1)) != digest { lost.append(digest) }
    }
    return lost
  }
}
