#!/usr/bin/env python3
"""Makes the HEIC and AVIF fixtures with Pillow and libheif's heif-enc (Debian: libheif-examples)."""
import pathlib, subprocess, sys
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
