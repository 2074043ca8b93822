/// The tables of the first version, and the migrations of the later ones.
extension SQLiteSchema {
  /// - `item.id` is the largest at an insert and survives an overwrite, so it is the insertion
  ///   order.
  /// - `reference` links items to attachments. Triggers maintain it: deleting an item, even in the
  ///   sqlite3 shell, frees the bytes with their last reference.
  /// - `entry` is a readable view of the items: `SELECT * FROM entry`.
  static let firstTables = """
    CREATE TABLE namespace (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE
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
    CREATE INDEX item_order ON item (namespace, id);
    CREATE TABLE attachment (
      id INTEGER PRIMARY KEY,
      digest BLOB NOT NULL UNIQUE,
      byteCount INTEGER NOT NULL,
      bytes BLOB NOT NULL
    );
    CREATE TABLE reference (
      item INTEGER NOT NULL REFERENCES item(id),
      attachment INTEGER NOT NULL REFERENCES attachment(id),
      PRIMARY KEY (item, attachment)
    ) WITHOUT ROWID;
    CREATE INDEX reference_attachment ON reference (attachment);
    CREATE TRIGGER item_deleted AFTER DELETE ON item BEGIN
      DELETE FROM reference WHERE item = OLD.id;
    END;
    CREATE TRIGGER reference_deleted AFTER DELETE ON reference
    WHEN NOT EXISTS (SELECT 1 FROM reference WHERE attachment = OLD.attachment) BEGIN
      DELETE FROM attachment WHERE id = OLD.attachment;
    END;
    CREATE VIEW entry AS
      SELECT namespace.name AS namespace, key, data,
        datetime(createdAt, 'unixepoch') AS created, datetime(updatedAt, 'unixepoch') AS updated
      FROM item JOIN namespace ON namespace.id = item.namespace ORDER BY item.id;
    """

  /// `change` lists the written items in the order of `seq`, each key at its last write.
  ///
  /// Triggers maintain it, so that writes of the sqlite3 shell are included. They delete and
  /// insert: a trigger's `OR REPLACE` would be overruled by an `OR IGNORE` of the statement that
  /// fires it (https://sqlite.org/lang_createtrigger.html), and the entry would be lost.
  /// AUTOINCREMENT, so that no number is used twice.
  static let changeLog = Migration(
    statements: """
      CREATE TABLE change (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        namespace INTEGER NOT NULL,
        key TEXT NOT NULL,
        UNIQUE (namespace, key)
      );
      CREATE TRIGGER item_insert_noted AFTER INSERT ON item BEGIN
        DELETE FROM change WHERE namespace = NEW.namespace AND key = NEW.key;
        INSERT INTO change (namespace, key) VALUES (NEW.namespace, NEW.key);
      END;
      CREATE TRIGGER item_update_noted AFTER UPDATE ON item BEGIN
        DELETE FROM change WHERE namespace = NEW.namespace AND key = NEW.key;
        INSERT INTO change (namespace, key) VALUES (NEW.namespace, NEW.key);
      END;
      CREATE TRIGGER item_rename_noted AFTER UPDATE OF namespace, key ON item
      WHEN OLD.namespace <> NEW.namespace OR OLD.key <> NEW.key BEGIN
        DELETE FROM change WHERE namespace = OLD.namespace AND key = OLD.key;
        INSERT INTO change (namespace, key) VALUES (OLD.namespace, OLD.key);
      END;
      CREATE TRIGGER item_delete_noted AFTER DELETE ON item BEGIN
        DELETE FROM change WHERE namespace = OLD.namespace AND key = OLD.key;
        INSERT INTO change (namespace, key) VALUES (OLD.namespace, OLD.key);
      END;
      """, isAddition: true)

  /// `type` is the full name of the item type of the namespace.
  ///
  /// It is empty if no store has recorded it, and NULL if version 0.1.0 created the namespace,
  /// which did not record types.
  static let typeNames = Migration(
    statements: "ALTER TABLE namespace ADD COLUMN type TEXT;", isAddition: true)

  /// Since version 4 each namespace has its own range of row numbers, from `namespace << 40`.
  ///
  /// So the table itself has the rows in their order and needs no index for it.
  ///
  /// - A row's number is larger than all earlier ones of its namespace: `namespace.lastItem` is the
  ///   largest removed number. So new rows are found by their numbers, and an insert needs no entry
  ///   in the log.
  /// - `change` has the keys of the updated and removed rows, in the order of `seq`; NULL stands
  ///   for all rows of a namespace. Its oldest entries are pruned from time to time, its newest one
  ///   never.
  /// - `unreferenced` has the attachments that may be swept: those that lost their last reference.
  ///
  /// The triggers do for the sqlite3 shell what the program does itself. They have no `OR` clause,
  /// since that of the firing statement overrules it (https://sqlite.org/lang_createtrigger.html).
  static let numbersByNamespace = Migration(
    statements: """
      DROP TRIGGER item_deleted;
      DROP TRIGGER reference_deleted;
      DROP TRIGGER item_insert_noted;
      DROP TRIGGER item_update_noted;
      DROP TRIGGER item_rename_noted;
      DROP TRIGGER item_delete_noted;
      DROP INDEX item_order;
      DROP TABLE change;
      CREATE TABLE change (
        seq INTEGER PRIMARY KEY,
        namespace INTEGER NOT NULL,
        key TEXT
      );
      CREATE TABLE unreferenced (
        attachment INTEGER PRIMARY KEY
      );
      ALTER TABLE namespace ADD COLUMN lastItem INTEGER NOT NULL DEFAULT 0;
      DELETE FROM reference WHERE NOT EXISTS (SELECT 1 FROM item WHERE id = reference.item);
      UPDATE reference SET item = item + (SELECT namespace << 40 FROM item WHERE id = reference.item);
      UPDATE item SET id = id + (namespace << 40);
      INSERT INTO unreferenced (attachment) SELECT id FROM attachment
      WHERE NOT EXISTS (SELECT 1 FROM reference WHERE attachment = attachment.id);

      CREATE TRIGGER item_inserted AFTER INSERT ON item
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
      CREATE TRIGGER item_updated AFTER UPDATE ON item BEGIN
        INSERT INTO change (namespace, key) VALUES (NEW.namespace, NEW.key);
        INSERT INTO change (namespace, key) SELECT OLD.namespace, OLD.key
        WHERE OLD.namespace <> NEW.namespace OR OLD.key <> NEW.key;
      END;
      CREATE TRIGGER item_moved AFTER UPDATE OF namespace ON item
      WHEN NEW.id >> 40 <> NEW.namespace BEGIN
        UPDATE reference SET item = 1 + max(
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
      CREATE TRIGGER item_deleted AFTER DELETE ON item BEGIN
        INSERT INTO change (namespace, key) VALUES (OLD.namespace, OLD.key);
        UPDATE namespace SET lastItem = OLD.id WHERE id = OLD.namespace AND lastItem < OLD.id;
        DELETE FROM reference WHERE item = OLD.id;
      END;
      CREATE TRIGGER reference_deleted AFTER DELETE ON reference
      WHEN NOT EXISTS (SELECT 1 FROM reference WHERE attachment = OLD.attachment)
        AND NOT EXISTS (SELECT 1 FROM unreferenced WHERE attachment = OLD.attachment)
      BEGIN
        INSERT INTO unreferenced (attachment) VALUES (OLD.attachment);
      END;
      """,
    requirement: { database in
      let odd = try database.integer("SELECT id FROM item WHERE id < 0 OR id >= 1 << 40 LIMIT 1")
      guard let odd else { return }
      throw StorageError.damagedFile(
        path: database.path, reason: "a row has the number \(odd), which no program gives")
    })

  /// The additions of later programs to version 5, which kept its number.
  ///
  /// Programs of 0.2.0 neither read nor change it, and may run beside them.
  ///
  /// `namespace.definition` says what the namespace is used for, and by which type.
  ///
  /// A file that lacks it gets it in the first transaction that writes: reading must not depend on
  /// it.
  static let additions = """
    ALTER TABLE namespace ADD COLUMN definition TEXT;
    """

  /// Since version 5 `reference` is `item_attachment`, which keeps version 0.1.0 from writing.
  ///
  /// Each transaction of a program of version 0.1.0 that is still running uses `reference`, and
  /// fails as a whole.
  ///
  /// Such a program does not check the version again, and the triggers would carry out its
  /// statements. But the log by which it follows others is gone, so it would act on outdated
  /// memory: removing all rows would remove rows that it has never seen.
  static let attachmentsByItem = Migration(
    statements: "ALTER TABLE reference RENAME TO item_attachment;", isAddition: true)
}
