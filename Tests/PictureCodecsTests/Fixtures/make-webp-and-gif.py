"""Makes the WebP and GIF fixtures: pip install pillow, then python3 make-webp-and-gif.py.

Quadrants of red and green above blue and white, but where a name says otherwise.
"""
from random import Random

from PIL import Image

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)


def quadrants(width=32, height=32, colours=(RED, GREEN, BLUE, WHITE), mode="RGB"):
    image = Image.new(mode, (width, height))
    for index, colour in enumerate(colours):
        box = (index % 2 * width // 2, index // 2 * height // 2)
        image.paste(colour, box + (box[0] + width // 2, box[1] + height // 2))
    return image


def exif(orientation):
    data = Image.Exif()
    data[0x0112] = orientation
    return data


plain, other = quadrants(), Image.new("RGB", (32, 32), (9, 9, 9))
# Alpha of 255, 128, 64 and 0.
clear = quadrants(
    colours=[RED + (255,), GREEN + (128,), BLUE + (64,), WHITE + (0,)], mode="RGBA")
plain.save("lossy.webp", quality=95, method=6)
plain.save("lossless.webp", lossless=True)
clear.save("lossy-alpha.webp", quality=95, exact=True)
clear.save("lossless-alpha.webp", lossless=True, exact=True)
plain.save("animated.webp", save_all=True, append_images=[other], duration=100, quality=95)
# 48 x 24, stored so that turning it clockwise (orientation 6) shows 24 x 48.
quadrants(48, 24).save("turned.webp", lossless=True, exif=exif(6))

plain.quantize(4).save("plain.gif", interlace=False)
plain.quantize(4).save("interlaced.gif", interlace=True)
plain.quantize(4).save("animated.gif", save_all=True, append_images=[other.quantize(4)])
# The white quadrant is transparent.
indexed = Image.new("P", (32, 32))
indexed.putpalette(sum((RED, GREEN, BLUE, WHITE), ()))
for index in range(4):
    x, y = index % 2 * 16, index // 2 * 16
    indexed.paste(index, (x, y, x + 16, y + 16))
indexed.save("transparent.gif", transparency=3)

# Many bytes, to be cut and changed.
random = Random(4)
noise = Image.frombytes("RGB", (64, 48), bytes(
    min(255, max(0, x * 4 + random.randint(-20, 20))) for _ in range(48) for x in range(64)
    for _ in range(3)))
noise.save("noise.webp", quality=60)
noise.resize((40, 30)).save("noise-lossless.webp", lossless=True)
noise.putalpha(noise.getchannel("R"))
noise.save("noise-alpha.webp", quality=60)
noise.convert("RGB").quantize(64).save("noise.gif", interlace=False)

# 9 megapixels in 8 KB.
bomb = Image.new("P", (3000, 3000))
bomb.putpalette((200, 100, 50) * 4)
bomb.save("bomb.gif", interlace=False)
