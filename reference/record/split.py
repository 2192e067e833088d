r"""Split: the standard `re` on bytes where a text is ASCII, `regex` for the rest, once each.

The pattern of GPT-2 asks of every character whether it is a letter, a number or white space.
For ASCII the standard library answers that on bytes, sooner than `regex` does on text.
Whatever comes near another character is left whole, as a *stretch*: it ends where a pre-token
must end, so it can be split on its own, later, and only once however often it occurs.

One fact carries this: **white space after a character that is none starts a pre-token.** No
alternative of the pattern goes from the one into the other.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable

import regex

#: A character no valid UTF-8 decodes to. No pre-token holds it or reaches across it.
GUARD = "\udcff"

_WHOLE = regex.compile(
    rf"'(?:[sdmt]|ll|ve|re)| ?\p{{L}}+| ?\p{{N}}+| ?[^\s\p{{L}}\p{{N}}{GUARD}]+"
    rf"|\s+(?![^\s{GUARD}])|\s+"
)

# On bytes, `\s` is what it is in ASCII; the last bytes of the other white space are spelled out.
_MORE = r"\x80-\xff"
_NO_SPACE_BEFORE = (
    r"(?<!\s)(?<!\xc2[\x85\xa0])(?<!\xe1\x9a\x80)(?<!\xe2\x80[\x80-\x8a\xa8\xa9\xaf])"
    r"(?<!\xe2\x81\x9f)(?<!\xe3\x80\x80)"
)
_ALTERNATIVES = (
    r"'(?:[sdmt]|ll|ve|re)",
    # Possessive: what a longer match may not stand before, a shorter one must not either.
    rf" ?[A-Za-z]++(?![{_MORE}])",
    rf" ?[0-9]++(?![{_MORE}])",
    rf" ?[^\sA-Za-z0-9{_MORE}]++(?![{_MORE}])",
    # White space: all but the last before a word, that one alone, and all of it at the end.
    rf"\s+(?=\s[^\s{_MORE}])",
    rf"[^\S ](?=[^\s{_MORE}])",
    r"\s++\Z",
    # A stretch: whole words, up to one that does not end in white space, or to the end.
    rf"(?:\s*+\S++)+?(?:{_NO_SPACE_BEFORE}|\s*+\Z)",
)

#: The ASCII pre-tokens and the stretches of a valid UTF-8 text, in order.
pieces: Callable[[bytes], list[bytes]] = re.compile(
    "|".join(_ALTERNATIVES).encode("latin-1")
).findall


def split(text: str) -> list[str]:
    """The pre-tokens of a text, by the pattern of GPT-2."""
    pretokens: list[str] = _WHOLE.findall(text)
    return pretokens


def resolve(counts: Counter[bytes]) -> Counter[bytes]:
    """Take the stretches out of `counts`; return their pre-tokens with their counts."""
    same_count: defaultdict[int, list[bytes]] = defaultdict(list)
    for piece in [piece for piece in counts if not piece.isascii()]:
        same_count[counts.pop(piece)].append(piece)
    guard = GUARD.encode("utf-8", "surrogatepass")
    resolved: Counter[bytes] = Counter()
    for count, stretches in same_count.items():
        text = guard.join(stretches).decode("utf-8", "surrogatepass")
        for pretoken, times in Counter(split(text)).items():
            resolved[pretoken.encode()] += count * times
    return resolved
