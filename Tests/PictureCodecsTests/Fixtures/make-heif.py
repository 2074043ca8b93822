#!/usr/bin/env python3
"""Makes the HEIC and AVIF fixtures with Pillow, pillow-heif, and Debian's libheif-examples and
libavif-bin. PROFILE is a file, PHOTO any photo of 4:3."""
import io, pathlib, struct, subprocess, sys, zlib
import pillow_heif
from PIL import Image

folder = pathlib.Path(__file__).parent
quadrants = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)]
wide = [(200, 60, 40), (40, 180, 90), (60, 70, 210), (120, 120, 120)]


def picture(colors, mode="RGB"):
    image = Image.new(mode, (64, 48))
    for index, color in enumerate(colors):
        left, top = index % 2 * 32, index // 2 * 24
        image.paste(color, (left, top, left + 32, top + 24))
    return image


def encode(image, name, *options, **saving):
    png = folder / "temporary.png"
    image.save(png, **saving)
    subprocess.run(
        ["heif-enc", "-q", "95", "-p", "chroma=444", *options, "-o", folder / name, png], check=True)
    png.unlink()


encode(picture(quadrants), "quadrants.heic")
encode(picture(quadrants), "quadrants.avif", "-A")
encode(picture([(*color, 128) for color in quadrants], "RGBA"), "half.heic")
exif = Image.Exif()
exif[0x010E] = "a secret place"
jpeg = folder / "temporary.jpg"
picture(quadrants).save(jpeg, quality=95, subsampling=0, exif=exif)
for name, options in (("notes.heic", []), ("notes.avif", ["-A"])):
    subprocess.run(["heif-enc", "-q", "95", *options, "-o", folder / name, jpeg], check=True)
jpeg.unlink()
encode(picture(wide), "display-p3.heic", icc_profile=pathlib.Path(sys.argv[1]).read_bytes())

# A sequence, gray of limited range, and one color of 144 megapixels.
second = picture([(40, 40, 40)] * 4)
for name, image in (("first.png", picture(quadrants)), ("second.png", second)):
    image.save(folder / name)


def avif(name, *arguments):
    subprocess.run(["avifenc", *map(str, arguments), folder / name], check=True)


first, second = folder / "first.png", folder / "second.png"
avif("animated.avif", "-s", 4, "-y", 444, "--min", 5, "--max", 10, first, second)
avif("narrow-gray.avif", "-s", 4, "-y", 400, "-r", "limited", "--min", 5, "--max", 10, first)
first.unlink()
second.unlink()
Image.new("RGB", (12000, 12000), (200, 60, 40)).save(folder / "huge.avif", quality=30, speed=10)

# Three pictures, each with a box of data of its own: pillow-heif puts them into one.
burst = pillow_heif.HeifFile()
for color in quadrants[:3]:
    burst.add_from_pillow(Image.new("RGB", (64, 48), color))
file = io.BytesIO()
burst.save(file, quality=60)
whole = file.getvalue()
head = bytearray(whole[:whole.index(b"mdat") - 4])
place, data = head.index(b"iloc") + 12, b""
for _ in range(3):
    base, start, length = struct.unpack(">4xI2xII", head[place:place + 18])
    head[place + 4:place + 8] = bytes(4)
    head[place + 10:place + 14] = struct.pack(">I", len(head) + len(data) + 8)
    own = whole[base + start:base + start + length]
    data += struct.pack(">I4s", length + 8, b"mdat") + own
    place += 18
(folder / "burst.heic").write_bytes(head + data)

# Pictures by chroma and depth, to measure what they cost.
costs = folder / "costs"
size = (2048, 1536)


def deep(image, path):
    """Writes a PNG of 16 bits, which Pillow cannot."""
    count = len(image.getbands())
    raw = image.tobytes()
    row = image.width * count
    rows = b"".join(
        b"\0" + bytes(b for v in raw[y * row:y * row + row] for b in (v, v))
        for y in range(image.height))

    def chunk(kind, data):
        return struct.pack(">I4s", len(data), kind) + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", *image.size, 16, {3: 2, 4: 6}[count], 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
                     + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


inputs = {name: folder / f"{name}.png" for name in ("plain", "deep", "clear", "clear16", "photo", "tiles")}
plain = picture(quadrants).resize(size, Image.NEAREST)
clear = picture([(*color, 128) for color in quadrants], "RGBA").resize(size, Image.NEAREST)
plain.save(inputs["plain"])
clear.save(inputs["clear"])
deep(plain, inputs["deep"])
deep(clear, inputs["clear16"])
plain.resize((4096, 3072), Image.NEAREST).save(inputs["tiles"])
Image.open(sys.argv[2]).convert("RGB").resize(size, Image.LANCZOS).save(inputs["photo"])
for chroma, depth, source, quality in (
        (400, 8, "plain", 40), (420, 8, "photo", 60), (422, 8, "photo", 60), (444, 8, "plain", 40),
        (420, 10, "plain", 40), (422, 10, "plain", 40), (444, 12, "plain", 40)):
    avif(f"costs/{chroma}-{depth}.avif", "-s", 4, "-y", chroma, "-d", depth, "--min", quality,
         "--max", quality, inputs[source])
avif("costs/444-10-alpha.avif", "-s", 4, "-d", 10, "--min", 30, "--max", 40, inputs["clear16"])
avif("costs/420-8-grid.avif", "-s", 8, "-g", "8x6", "-y", 420, "--min", 30, "--max", 40,
     inputs["tiles"])
for chroma, depth in ((420, 8), (422, 8), (444, 8), (420, 10), (422, 10), (444, 12)):
    subprocess.run(
        ["heif-enc", "-q", "30", "-p", f"chroma={chroma}", "-b", str(depth), "-o",
         costs / f"{chroma}-{depth}.heic", inputs["plain" if depth == 8 else "deep"]], check=True)
for depth, source in ((8, "clear"), (10, "clear16")):
    subprocess.run(["heif-enc", "-q", "30", "-b", str(depth), "-o",
                    costs / f"420-{depth}-alpha.heic", inputs[source]], check=True)
for path in inputs.values():
    path.unlink()
