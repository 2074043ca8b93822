import PandaCore
import Testing

/// Where a shared library is, and what may be said of it.
@Suite struct LibraryAddressTests {
  @Test(arguments: [
    ("postgresql://ada@db.example/pandas", "db.example/pandas", false),
    ("postgres://db.example:5433/pandas?sslmode=verify-full", "db.example:5433/pandas", false),
    ("postgresql://ada:geheim@db.example/pandas", "db.example/pandas", true),
    ("postgresql://ada:@db.example/pandas", "db.example/pandas", false),
    ("postgresql://ada:ge/he@im@db.example/pandas", "db.example/pandas", true),
    ("postgresql://ada:g?h@db.example/pandas", "…", true),
    ("postgresql://ada@[::1]:5433/pandas", "[::1]:5433/pandas", false),
    (
      "postgresql://a.example,b.example/pandas?target_session_attrs=read-write",
      "a.example,b.example/pandas", false
    ),
    ("postgresql://db.example/pandas?user=ada&password=geheim", "db.example/pandas", true),
    ("postgresql:///pandas?host=/run/pg", "localhost/pandas", false),
    ("postgresql://", "localhost", false),
  ])
  func `the displayed location omits the password`(
    _ text: String, _ place: String, _ hasPassword: Bool
  ) throws {
    let address = try #require(LibraryAddress(text))
    #expect(address.hasPassword == hasPassword)
    #expect(address.place == place)
  }

  @Test(arguments: ["", "local", "https://a.example", "/srv/pandas", "Postgresql://a", "host=a"])
  func `other texts are not addresses`(_ text: String) { #expect(LibraryAddress(text) == nil) }

  @Test func `a name is one line of printable characters`() {
    #expect(LibraryAuthor.normalized("  Ada  of\tBath ") == "Ada of Bath")
    for wrong in ["", " ", "a\u{1B}[2J", "a\u{202E}b", String(repeating: "a", count: 61)] {
      #expect(LibraryAuthor.normalized(wrong) == nil)
    }
    let own = LibraryAuthor.ofThisProcess
    #expect(own.contains("@") && LibraryAuthor.normalized(own) == own)
  }
}
