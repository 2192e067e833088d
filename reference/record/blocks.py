"""Blocks: a part of a file as pieces of valid UTF-8 that can be counted apart from each other.

A block ends before a space that follows a letter, where no special token can reach across.
Every pre-token that holds the letter ends there, whatever comes before or after, so that such
a border can be found from anywhere: a process can begin in the middle of a file.
"""

import codecs
import os
import re
from collections.abc import Iterator

BLOCK = 1 << 20  # bytes to count at a time
WINDOW = 1 << 16  # bytes in which a part looks for its beginning

Part = tuple[int, int]  # where it begins and ends in the file


def any_special(special_tokens: list[str]) -> re.Pattern[bytes]:
    """Matches a special token, the longest of those that begin at the same place."""
    longest_first = sorted(special_tokens, key=len, reverse=True)
    # Nothing matches `(?!)`; an empty pattern would match between any two bytes.
    return re.compile(
        b"|".join(re.escape(special.encode()) for special in longest_first) or b"(?!)"
    )


def is_border(text: bytes, place: int, special_tokens: list[str]) -> bool:
    """Whether a letter, which may take four bytes, and no special token end at this space."""
    seam = text[max(0, place - 4) : place].decode(errors="ignore")[-1:] + " "
    return seam[0].isalpha() and not any(seam in special for special in special_tokens)


def cut_parts(path: str, special_tokens: list[str], count: int) -> list[Part]:
    """The file in up to `count` parts of about equal size."""
    size = os.path.getsize(path)
    borders = [0]
    with open(path, "rb") as file:
        for number in range(1, count):
            nominal = max(number * size // count, borders[-1] + 1)
            file.seek(nominal)
            text = file.read(WINDOW)
            spaces = (match.start() for match in re.finditer(b" ", text))
            border = next((at for at in spaces if is_border(text, at, special_tokens)), None)
            if border is not None:
                borders.append(nominal + border)
    return list(zip(borders, [*borders[1:], size], strict=True))


def read_blocks(path: str, part: Part, special_tokens: list[str]) -> Iterator[tuple[bytes, int]]:
    """The blocks of a part without invalid bytes, each with the place up to which was read."""
    start, end = part
    decoder = codecs.getincrementaldecoder("utf-8")("ignore")
    text = b""
    with open(path, "rb") as file:
        file.seek(start)
        while more := file.read(min(BLOCK + len(text), end - file.tell())):
            text += decoder.decode(more).encode()
            border = last_border(text, special_tokens)
            yield text[:border], file.tell()
            text = text[border:]
    yield text, end


def last_border(text: bytes, special_tokens: list[str]) -> int:
    """The last place, as far as it is cheap to find, where the text can be cut; 0 if none."""
    border = text.rfind(b" ")
    while border > 0 and not is_border(text, border, special_tokens):
        border = text.rfind(b" ", 0, border)
    if special_tokens and border < len(text) // 2:
        border = max(border, last_special_end(text, special_tokens))
    return max(border, 0)


def last_special_end(text: bytes, special_tokens: list[str]) -> int:
    """The end of the last special token that stays one, whatever the text goes on with.

    Found from the left: what looks like one from anywhere else may be a part of another.
    """
    end = 0
    decided = len(text) - max(len(special.encode()) for special in special_tokens)
    for match in any_special(special_tokens).finditer(text):
        if match.start() > decided:
            break  # a longer one could begin there
        end = match.end()
    return end
