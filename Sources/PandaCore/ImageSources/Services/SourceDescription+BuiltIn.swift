internal import FoundationEssentials

extension SourceDescription {
  /// The built-in services, in order of preference.
  ///
  /// docs/Sources.md lists the documented rules for robots and rate limits of each.
  package static let builtIn: [SourceDescription] = {
    do {
      let values = try JSONValue(Data(builtInText.utf8)).elements ?? []
      return try values.map { try SourceDescription($0, isNamedByUser: false) }
    } catch {
      preconditionFailure("The built-in sources cannot be read: \(error)")
    }
  }()

  package static func named(_ name: String) -> SourceDescription? {
    builtIn.first { $0.name == name }
  }

  /// The built-in descriptions, in the same format as the user's own.
  static let builtInText = #"""
    [
      {
        "name": "commons",
        "label": "Wikimedia Commons",
        "homePage": "https://commons.wikimedia.org/wiki/Category:Ailurus_fulgens",
        "address": "https://commons.wikimedia.org/w/api.php?action=query&format=json&formatversion=2&generator=search&gsrnamespace=6&gsrsort=random&gsrlimit=50&gsrsearch=deepcategory%3A%22Ailurus%20fulgens%22%20filetype%3Abitmap&prop=imageinfo&iiprop=url%7Csize%7Cmime%7Cextmetadata&iiurlwidth=1280&iiextmetadatafilter=Artist%7CLicenseShortName%7CLicenseUrl%7CImageDescription%7CObjectName",
        "fallback": [
          "https://commons.wikimedia.org/w/api.php?action=query&format=json&formatversion=2&generator=categorymembers&gcmtype=file&gcmtitle=Category:Ailurus_fulgens&gcmlimit=50&gcmsort=sortkey&prop=imageinfo&iiprop=url%7Csize%7Cmime%7Cextmetadata&iiurlwidth=1280&iiextmetadatafilter=Artist%7CLicenseShortName%7CLicenseUrl%7CImageDescription%7CObjectName",
          "https://commons.wikimedia.org/w/api.php?action=query&format=json&formatversion=2&generator=categorymembers&gcmtype=file&gcmtitle=Category:Ailurus&gcmlimit=50&gcmsort=sortkey&prop=imageinfo&iiprop=url%7Csize%7Cmime%7Cextmetadata&iiurlwidth=1280&iiextmetadatafilter=Artist%7CLicenseShortName%7CLicenseUrl%7CImageDescription%7CObjectName",
          "https://commons.wikimedia.org/w/api.php?action=query&format=json&formatversion=2&generator=categorymembers&gcmtype=file&gcmtitle=Category:Red_pandas_in_zoos&gcmlimit=50&gcmsort=sortkey&prop=imageinfo&iiprop=url%7Csize%7Cmime%7Cextmetadata&iiurlwidth=1280&iiextmetadatafilter=Artist%7CLicenseShortName%7CLicenseUrl%7CImageDescription%7CObjectName"
        ],
        "start": "gcmstartsortkeyprefix",
        "warning": "/warnings",
        "list": "/query/pages",
        "picture": "/imageinfo/0/thumburl",
        "title": ["/imageinfo/0/extmetadata/ObjectName/value", "/title"],
        "description": "/imageinfo/0/extmetadata/ImageDescription/value",
        "credit": "/imageinfo/0/extmetadata/Artist/value",
        "license": "/imageinfo/0/extmetadata/LicenseShortName/value",
        "page": "/imageinfo/0/descriptionurl",
        "identity": "/pageid",
        "width": "/imageinfo/0/thumbwidth",
        "height": "/imageinfo/0/thumbheight",
        "type": "/imageinfo/0/mime",
        "html": true,
        "next": {"members": "/continue"},
        "limits": {"requestsPerMinute": 60, "connections": 2, "listsPerHour": 12, "withoutContact": 8, "domain": "wikimedia.org"},
        "weight": 3
      },
      {
        "name": "inaturalist",
        "label": "iNaturalist",
        "homePage": "https://www.inaturalist.org/taxa/Ailurus-fulgens",
        "address": "https://api.inaturalist.org/v2/observations?taxon_name=Ailurus&photos=true&photo_license=cc0,cc-by,cc-by-sa&quality_grade=research,casual&order_by=random&per_page=30&fields=(id:!t,uri:!t,place_guess:!t,photos:(id:!t,url:!t,license_code:!t,attribution:!t,original_dimensions:!t),user:(name:!t,login:!t),species_guess:!t,description:!t)",
        "fallback": "https://api.inaturalist.org/v1/observations?taxon_name=Ailurus&photos=true&photo_license=cc0,cc-by,cc-by-sa&quality_grade=research,casual&order_by=random&per_page=5&page=1",
        "list": ["/results", "/photos"],
        "picture": "/url",
        "title": "2/place_guess",
        "description": ["2/description", "2/species_guess"],
        "credit": ["2/user/name", "2/user/login"],
        "license": "/license_code",
        "page": "2/uri",
        "identity": "/id",
        "width": "/original_dimensions/width",
        "height": "/original_dimensions/height",
        "replace": {"text": "/square.", "by": "/large."},
        "limits": {"requestsPerMinute": 60, "connections": 2, "listsPerHour": 30},
        "weight": 2
      },
      {
        "name": "openverse",
        "label": "Openverse",
        "homePage": "https://openverse.org/search/image?q=%22red%20panda%22",
        "address": "https://api.openverse.org/v1/images/?q=%22red+panda%22&license=by,by-sa,cc0,pdm&page_size=20&mature=false",
        "list": "/results",
        "picture": "/url",
        "title": "/title",
        "credit": "/creator",
        "license": "/license",
        "licenseVersion": "/license_version",
        "page": "/foreign_landing_url",
        "identity": "/id",
        "width": "/width",
        "height": "/height",
        "next": {"parameter": "page", "first": 1, "last": 12},
        "limits": {"requestsPerMinute": 20, "connections": 1, "listsPerHour": 3},
        "weight": 2
      },
      {
        "name": "redpanda.club",
        "homePage": "https://redpanda.club",
        "address": "https://image.redpanda.club/random/json",
        "picture": "/url",
        "width": "/width",
        "height": "/height",
        "relative": true,
        "limits": {"requestsPerMinute": 60, "connections": 2, "listsPerHour": 600},
        "weight": 0
      },
      {
        "name": "some-random-api",
        "label": "Some Random API",
        "homePage": "https://some-random-api.com",
        "address": "https://api.some-random-api.com/animal/red_panda",
        "picture": ["/image", "/link"],
        "limits": {"requestsPerMinute": 30, "connections": 1, "listsPerHour": 600},
        "weight": 0
      },
      {
        "name": "animality",
        "label": "Animality",
        "homePage": "https://animality.xyz",
        "address": "https://api.animality.xyz/img/redpanda",
        "picture": ["/link", "/image"],
        "limits": {"requestsPerMinute": 30, "connections": 1, "listsPerHour": 600},
        "weight": 0
      },
      {
        "name": "tinyfox",
        "label": "TinyFox",
        "homePage": "https://tinyfox.dev",
        "address": "https://api.tinyfox.dev/img.json?animal=wah",
        "picture": "/loc",
        "relative": true,
        "limits": {"requestsPerMinute": 30, "connections": 1, "listsPerHour": 600},
        "weight": 0
      }
    ]
    """#
}
