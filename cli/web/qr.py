"""A QR code as SVG, for a link that somebody points a telephone at.

Bytes, error correction level L, versions 1 to 10 (up to 271 bytes), as ISO/IEC 18004 has it. Mask 0 is
always used: readers need none in particular.
"""

from __future__ import annotations

from ...interpreter.pages.html_page import Html, tag

# Of each version from 1 on: bytes in all, error correction bytes a block, number of blocks.
SIZES = (
    (26, 7, 1), (44, 10, 1), (70, 15, 1), (100, 20, 1), (134, 26, 1), (172, 18, 2), (196, 20, 2), (242, 24, 2),
    (292, 30, 2), (346, 18, 4),
)  # fmt: skip
ALIGNED = (
    (),
    (6, 18),
    (6, 22),
    (6, 26),
    (6, 30),
    (6, 34),
    (6, 22, 38),
    (6, 24, 42),
    (6, 26, 46),
    (6, 28, 50),
)
QUIET = 4

_EXP, _LOG = [0] * 512, [0] * 256
_value = 1
for _n in range(255):
    _EXP[_n] = _EXP[_n + 255] = _value
    _LOG[_value] = _n
    _value = (_value << 1) ^ (0x11D if _value & 0x80 else 0)


def qr(text: str) -> Html:
    """The code, dark on light whatever the page is; nothing for what is too long."""
    rows = matrix(text.encode())
    if rows is None:
        return Html("")
    size = len(rows) + 2 * QUIET
    path = "".join(
        f"M{x + QUIET} {y + QUIET}h1v1h-1z"
        for y, row in enumerate(rows)
        for x, dark in enumerate(row)
        if dark
    )
    return tag(
        "svg",
        tag("rect", width=size, height=size, fill="#ffffff"),
        tag("path", d=path, fill="#000000"),
        viewBox=f"0 0 {size} {size}",
        class_="qr",
        role="img",
        aria_label="QR code of the link",
    )


def matrix(data: bytes) -> list[list[bool]] | None:
    version = next((v for v in range(1, 11) if len(data) + (2 if v < 10 else 3) <= _room(v)), None)
    if version is None:
        return None
    size = 17 + 4 * version
    fixed: dict[tuple[int, int], bool] = {}
    _finders(fixed, size)
    _timing(fixed, size)
    _alignment(fixed, version, size)
    _format(fixed, size)
    _version(fixed, version, size)
    bits = _bits(_blocks(data, version))
    grid = [[fixed.get((x, y), False) for x in range(size)] for y in range(size)]
    upwards, at, column = True, 0, size - 1
    while column > 0:
        if column == 6:
            column -= 1
        for step in range(size):
            y = size - 1 - step if upwards else step
            for x in (column, column - 1):
                if (x, y) not in fixed:
                    bit = at < len(bits) and bits[at]
                    grid[y][x] = bit ^ ((x + y) % 2 == 0)
                    at += 1
        upwards, column = not upwards, column - 2
    return grid


def _room(version: int) -> int:
    total, correction, blocks = SIZES[version - 1]
    return total - correction * blocks


def _blocks(data: bytes, version: int) -> bytes:
    """The data with its error correction, blocks woven into each other."""
    _, correction, count = SIZES[version - 1]
    room = _room(version)
    length = len(data).to_bytes(1 if version < 10 else 2, "big")
    number = int.from_bytes(b"\x04" + length + data, "big") << 4
    stream = number.to_bytes(len(data) + len(length) + 2, "big")[1:]  # the mode has four bits
    stream = (stream + bytes(236 if n % 2 == 0 else 17 for n in range(room)))[:room]
    short, longer = room // count, room % count
    parts, at = [], 0
    for n in range(count):
        size = short + (n >= count - longer)
        parts.append(stream[at : at + size])
        at += size
    checks = [_correction(part, correction) for part in parts]
    out = [part[n] for n in range(short + 1) for part in parts if n < len(part)]
    return bytes(out + [check[n] for n in range(correction) for check in checks])


def _correction(data: bytes, count: int) -> bytes:
    """The remainder of the data by the generator polynomial of Reed and Solomon."""
    generator = [1]
    for n in range(count):
        generator = [
            a ^ b for a, b in zip([*generator, 0], [0, *(_times(g, _EXP[n]) for g in generator)], strict=True)
        ]
    rest = [*data, *[0] * count]
    for at in range(len(data)):
        factor = rest[at]
        if factor:
            for n, g in enumerate(generator):
                rest[at + n] ^= _times(g, factor)
    return bytes(rest[len(data) :])


def _times(a: int, b: int) -> int:
    return _EXP[_LOG[a] + _LOG[b]] if a and b else 0


def _bits(data: bytes) -> list[bool]:
    return [bool(byte >> (7 - n) & 1) for byte in data for n in range(8)]


def _finders(fixed: dict[tuple[int, int], bool], size: int) -> None:
    for left, top in ((0, 0), (size - 7, 0), (0, size - 7)):
        for dx in range(-1, 8):
            for dy in range(-1, 8):
                x, y = left + dx, top + dy
                if 0 <= x < size and 0 <= y < size:
                    far = max(abs(dx - 3), abs(dy - 3))
                    fixed[x, y] = far in (0, 1, 3)


def _timing(fixed: dict[tuple[int, int], bool], size: int) -> None:
    for n in range(8, size - 8):
        fixed[n, 6] = fixed[6, n] = n % 2 == 0


def _alignment(fixed: dict[tuple[int, int], bool], version: int, size: int) -> None:
    spots = ALIGNED[version - 1]
    for x in spots:
        for y in spots:
            if (x, y) in ((6, 6), (6, size - 7), (size - 7, 6)):
                continue
            for dx in range(-2, 3):
                for dy in range(-2, 3):
                    fixed[x + dx, y + dy] = max(abs(dx), abs(dy)) != 1


def _format(fixed: dict[tuple[int, int], bool], size: int) -> None:
    """Level L and mask 0, with their own error correction."""
    bits = 0b111011111000100
    for n in range(15):
        dark = bool(bits >> n & 1)
        first = (8, n if n < 6 else n + 1) if n < 8 else (7 if n == 8 else 14 - n, 8)
        second = (size - 1 - n, 8) if n < 8 else (8, size - 15 + n)
        fixed[first] = fixed[second] = dark
    fixed[8, size - 8] = True


def _version(fixed: dict[tuple[int, int], bool], version: int, size: int) -> None:
    if version < 7:
        return
    rest = version
    for _ in range(12):
        rest = (rest << 1) ^ (0x1F25 if rest >> 11 & 1 else 0)
    bits = version << 12 | rest
    for n in range(18):
        dark = bool(bits >> n & 1)
        fixed[size - 11 + n % 3, n // 3] = fixed[n // 3, size - 11 + n % 3] = dark
