extension SQLiteSchema {
  /// The names of the tables and the view.
  static let names: Set<String> = [
    "namespace", "item", "attachment", "item_attachment", "change", "unreferenced", "entry",
  ]

  /// From the schema of version 0.2.0 to the current one.
  ///
  /// Each transaction of a program of 0.2.0 that is still running checks the version, and fails.
  static let upgrade = "ALTER TABLE namespace ADD COLUMN record TEXT"

  /// - `item.id` is the insertion order. Each namespace has its own range of numbers, from
  ///   `namespace << 40`, so the table itself has the rows in their order and needs no index for
  ///   it. A row's number is larger than all earlier ones of its namespace: `namespace.lastItem` is
  ///   the largest removed number. So new rows are found by their numbers.
  /// - `namespace.record` says what the namespace is used for: see ``NamespaceRecord``. `type` is
  ///   the full name of the type of items that was last recorded, which version 0.2.0 wrote too. It
  ///   is empty if there is none, and NULL if version 0.1.0 created the namespace.
  /// - `item_attachment` links items to attachments, which are freed after their last reference.
  /// - `change` has the keys of the updated and removed rows, in the order of `seq`; NULL stands
  ///   for all rows of a namespace. Its oldest entries are pruned from time to time, its newest one
  ///   never.
  /// - `unreferenced` has the attachments that may be swept: those that lost their last reference.
  /// - `entry` is a readable view of the items: `SELECT * FROM entry`.
  static let tables = """
    CREATE TABLE namespace (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      type TEXT,
      lastItem INTEGER NOT NULL DEFAULT 0,
      record TEXT
    );
    CREATE TABLE item (
      id INTEGER PRIMARY KEY,
      namespace INTEGER NOT NULL REFERENCES namespace(id),
      key TEXT NOT NULL,
      data NOT NULL,
      createdAt REAL NOT NULL,
      updatedAt REAL NOT NULL,
      UNIQUE (namespace, key)
    );
    CREATE TABLE attachment (
      id INTEGER PRIMARY KEY,
      digest BLOB NOT NULL UNIQUE,
      byteCount INTEGER NOT NULL,
      bytes BLOB NOT NULL
    );
    CREATE TABLE item_attachment (
      item INTEGER NOT NULL REFERENCES item(id),
      attachment INTEGER NOT NULL REFERENCES attachment(id),
      PRIMARY KEY (item, attachment)
    ) WITHOUT ROWID;
    CREATE INDEX reference_attachment ON item_attachment (attachment);
    CREATE TABLE change (
      seq INTEGER PRIMARY KEY,
      namespace INTEGER NOT NULL,
      key TEXT
    );
    CREATE TABLE unreferenced (
      attachment INTEGER PRIMARY KEY
    );
    CREATE VIEW entry AS
      SELECT namespace.name AS namespace, key, data,
        datetime(createdAt, 'unixepoch') AS created, datetime(updatedAt, 'unixepoch') AS updated
      FROM item JOIN namespace ON namespace.id = item.namespace ORDER BY item.id;
    """

  /// The range of row numbers of a namespace, without the bounds.
  package static func rowNumbers(of namespace: Int64) -> Range<Int64> {
    namespace << 40..<(namespace + 1) << 40
  }

  /// The names of the triggers.
  static let triggerNames = [
    "item_inserted", "item_updated", "item_moved", "item_deleted", "reference_deleted",
  ]

  /// The triggers do for the sqlite3 shell what the program does itself.
  ///
  /// A shell may have dropped some, as before it changes many rows: they are made again when the
  /// file is opened. They have no `OR` clause, since that of the firing statement overrules it
  /// (https://sqlite.org/lang_createtrigger.html).
  static let triggers = """
    CREATE TRIGGER IF NOT EXISTS item_inserted AFTER INSERT ON item
    WHEN NEW.id >> 40 <> NEW.namespace OR NEW.id <= max(
      (SELECT lastItem FROM namespace WHERE id = NEW.namespace),
      (SELECT coalesce(max(id), 0) FROM item
       WHERE id >= NEW.namespace << 40 AND id < (NEW.namespace + 1) << 40 AND id <> NEW.id))
    BEGIN
      UPDATE item SET id = 1 + max(
        NEW.namespace << 40,
        (SELECT lastItem FROM namespace WHERE id = NEW.namespace),
        (SELECT coalesce(max(id), 0) FROM item
         WHERE id >= NEW.namespace << 40 AND id < (NEW.namespace + 1) << 40 AND id <> NEW.id))
      WHERE id = NEW.id;
    END;
    CREATE TRIGGER IF NOT EXISTS item_updated AFTER UPDATE ON item BEGIN
      INSERT INTO change (namespace, key) VALUES (NEW.namespace, NEW.key);
      INSERT INTO change (namespace, key) SELECT OLD.namespace, OLD.key
      WHERE OLD.namespace <> NEW.namespace OR OLD.key <> NEW.key;
    END;
    CREATE TRIGGER IF NOT EXISTS item_moved AFTER UPDATE OF namespace ON item
    WHEN NEW.id >> 40 <> NEW.namespace BEGIN
      UPDATE item_attachment SET item = 1 + max(
        NEW.namespace << 40,
        (SELECT lastItem FROM namespace WHERE id = NEW.namespace),
        (SELECT coalesce(max(id), 0) FROM item
         WHERE id >= NEW.namespace << 40 AND id < (NEW.namespace + 1) << 40))
      WHERE item = NEW.id;
      UPDATE item SET id = 1 + max(
        NEW.namespace << 40,
        (SELECT lastItem FROM namespace WHERE id = NEW.namespace),
        (SELECT coalesce(max(id), 0) FROM item
         WHERE id >= NEW.namespace << 40 AND id < (NEW.namespace + 1) << 40))
      WHERE id = NEW.id;
      UPDATE namespace SET lastItem = OLD.id WHERE id = OLD.namespace AND lastItem < OLD.id;
    END;
    CREATE TRIGGER IF NOT EXISTS item_deleted AFTER DELETE ON item BEGIN
      INSERT INTO change (namespace, key) VALUES (OLD.namespace, OLD.key);
      UPDATE namespace SET lastItem = OLD.id WHERE id = OLD.namespace AND lastItem < OLD.id;
      DELETE FROM item_attachment WHERE item = OLD.id;
    END;
    CREATE TRIGGER IF NOT EXISTS reference_deleted AFTER DELETE ON item_attachment
    WHEN NOT EXISTS (SELECT 1 FROM item_attachment WHERE attachment = OLD.attachment)
      AND NOT EXISTS (SELECT 1 FROM unreferenced WHERE attachment = OLD.attachment)
    BEGIN
      INSERT INTO unreferenced (attachment) VALUES (OLD.attachment);
    END;
    """
}
