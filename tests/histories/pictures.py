"""What histories put into folders: small drawn pictures, some with what a camera writes, and what is no picture."""
import random
import struct
import zlib

SIZE = 1024  # bytes of those that are of one size, so that size alone does not tell them apart
CAMERAS = [("NIKON CORPORATION", "NIKON D750", "NIKON D750"), ("Apple", "iPhone 12", "Apple iPhone 12"),
           ("", "X100", "X100")]
LENSES = ["35.0 mm f/1.8", "Makro 100"]
PLACES = [(47.3769, 8.5417), (47.38, 8.5417), (-33.8568, 151.2153)]  # the first two 345 m apart


class Content:
    """`facts`: what a camera wrote into it; `broken`: no reader takes it for a picture."""

    def __init__(self, name, data, facts=None, broken=False):
        self.name, self.data, self.facts, self.broken = name, data, facts or {}, broken


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(pixels, side, exif=b"", size=None):
    rows = b"".join(b"\0" + pixels[y * side * 3:(y + 1) * side * 3] for y in range(side))
    head = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
    body = (chunk(b"eXIf", exif) if exif else b"") + chunk(b"IDAT", zlib.compress(rows))
    end = chunk(b"IEND", b"")
    if size:
        rest = size - len(head) - len(body) - len(end) - 12
        body = chunk(b"teXt", b"a\0" + b"b" * (rest - 2)) + body
    return head + body + end


def ifd(entries, at):
    """Of TIFF: (tag, type, count, bytes)..., which begins `at`."""
    head, more = struct.pack("<H", len(entries)), b""
    behind = at + 2 + 12 * len(entries) + 4
    for tag, kind, count, value in sorted(entries):
        if len(value) > 4:
            value, more = struct.pack("<I", behind + len(more)), more + value + b"\0" * (len(value) % 2)
        head += struct.pack("<HHI", tag, kind, count) + value.ljust(4, b"\0")
    return head + b"\0\0\0\0" + more


def text(tag, value):
    data = value.encode() + b"\0"
    return tag, 2, len(data), data


def degrees(value):
    whole = round(abs(value) * 10**6)
    return struct.pack("<IIIIII", whole, 10**6, 0, 1, 0, 1)


def exif(taken=None, camera=None, lens=None, place=None):
    detail = ([text(0x9003, taken)] if taken else []) + ([text(0xA434, lens)] if lens else [])
    where = []
    if place:
        where = [text(1, "N" if place[0] >= 0 else "S"), (2, 5, 3, degrees(place[0])),
                 text(3, "E" if place[1] >= 0 else "W"), (4, 5, 3, degrees(place[1]))]
    first = [text(tag, name) for tag, name in zip((0x10F, 0x110), camera or ()) if name]
    links = [(0x8769, 4, 1, b"\0" * 4), (0x8825, 4, 1, b"\0" * 4)]
    size = len(ifd(first + links, 8))
    at = 8 + size
    behind = at + len(ifd(detail, at))
    links = [(0x8769, 4, 1, struct.pack("<I", at)), (0x8825, 4, 1, struct.pack("<I", behind))]
    return b"II*\0\x08\0\0\0" + ifd(first + links, 8) + ifd(detail, at) + ifd(where, behind)


def drawn(rng, side=12):
    """A ground, and a few blocks on it."""
    ground = [rng.randrange(256) for _ in range(3)]
    rows = [[list(ground) for _ in range(side)] for _ in range(side)]
    for _ in range(rng.randint(1, 3)):
        colour, x, y = [rng.randrange(256) for _ in range(3)], rng.randrange(side), rng.randrange(side)
        for row in rows[y:y + rng.randint(2, 7)]:
            for i in range(x, min(side, x + rng.randint(4, 6))):
                row[i] = colour
    return bytes(v for row in rows for pixel in row for v in pixel)


def pool(count=48):
    """-> Contents by name, the same each time"""
    rng, contents = random.Random(11), []
    for i in range(count):
        pixels = drawn(rng)
        facts = {}
        if rng.random() < 0.4:
            facts["taken"] = f"20{rng.randint(18, 25)}:{rng.randint(1, 12):02}:{rng.randint(1, 28):02} 10:{rng.randint(0, 59):02}:07"
        if rng.random() < 0.4:
            facts["camera"] = rng.choice(CAMERAS)
        if rng.random() < 0.3:
            facts["lens"] = rng.choice(LENSES)
        if rng.random() < 0.3:
            facts["place"] = rng.choice(PLACES)
        contents.append(Content(f"d{i}", png(pixels, 12, exif(**facts) if facts else b"", SIZE), facts))
        if i % 4 == 0:  # a near copy, without what the camera wrote
            brighter = bytes(min(255, v + 3) for v in pixels)
            contents.append(Content(f"n{i}", png(brighter, 12, size=SIZE)))
    whole = contents[0].data
    contents.append(Content("cut", whole[:60], broken=True))
    contents.append(Content("words", b"no picture\n", broken=True))
    contents.append(Content("void", b"", broken=True))
    contents.append(Content("noise", rng.randbytes(SIZE), broken=True))
    return {content.name: content for content in contents}
