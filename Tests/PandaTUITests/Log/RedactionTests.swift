import Testing

@testable import PandaSession

/// What is left out of the log.
@Suite struct RedactionTests {
  @Test(arguments: [
    ("https://zoo.example/wah.jpg", "https://zoo.example/wah.jpg"),
    ("https://zoo.example:8443/a/b?x=1", "https://zoo.example:8443/a/b…"),
    ("https://zoo.example?SECRET", "https://zoo.example…"),
    ("https://zoo.example/#SECRET", "https://zoo.example/…"),
    ("https://user:SECRET@zoo.example/a", "https://zoo.example/a"),
    ("https://SECRET@zoo.example/a?api_key=SECRET", "https://zoo.example/a…"),
    ("http://[::1]:8080/a", "http://[::1]:8080/a"),
    ("http://user:SECRET@[::1]:8080/a?SECRET", "http://[::1]:8080/a…"),
    ("https://social.example/@user/1", "https://social.example/@user/1"),
    ("GET https://zoo.example/a?b failed: 500", "GET https://zoo.example/a… failed: 500"),
    ("'http://zoo.example:80': no.", "'http://zoo.example:80': no."),
    ("/random?api_key=SECRET", "/random…"),
    ("What? It is 12:30 = noon", "What? It is 12:30 = noon"),
    ("Photo by @joe", "Photo by @joe"), ("/home/joe@work/panda", "/home/joe@work/panda"),
  ])
  func `an address has its host and path`(_ text: String, _ clean: String) {
    #expect(text.withoutSecrets == clean)
  }

  @Test(arguments: [
    "http://user:SECRET@proxy:3128", "http://user:SE/SECRET@proxy", "http://user:12/SECRET@proxy",
    "http://user:12?SECRET@proxy", "http://user:12#SECRET@proxy", "http://us@er:SECRET@proxy/@x",
    "http://user:p@SECRET/x@proxy", "http://user:SECRET", "http://user:SE@CRET/SECRET@proxy",
    "user:SECRET@proxy:3128", "SECRET@proxy", "'user:SECRET@proxy'", "HTTP:\\\\user:SECRET@proxy",
    "http:/user:SECRET@proxy", "http:user:SECRET@proxy", "//user:SECRET@proxy/",
    "Unsupported proxy syntax in 'http://user:SE'CRET:SECRET@proxy:x'",
    "https://zoo.example/fetch?u=https://user:SECRET@other.example/",
    "https://zoo.example/https://user:SECRET@other.example/?SECRET",
    "u=https://user:SECRET@x&api_key=SECRET", "a=1&api_key=SECRET", "https://user:1&SECRET@proxy",
    "api_key=SECRET", "ACCESS-TOKEN=SECRET",
    "x?token=SECRET", "see:https://SECRET:SECRET@zoo.example:80/?SECRET#SECRET",
    "https://zoo.example:80/a?mail=a@b&key=SECRET", "ftp://user:SECRET@a b:SECRET@c",
    "https://zoo.example/?a=1&SECRET=2;SECRET",
  ])
  func `no secret of a hostile address remains`(_ text: String) {
    #expect(!text.withoutSecrets.contains("SECRET"), "\(text.withoutSecrets)")
  }
}
