"""Exercises on texts: bytes of a character, pre-tokens of a sentence, size of a vocabulary."""

from __future__ import annotations

from random import Random

from grader import corpus, tracer
from grader.drills.exercise import Exercise
from grader.explain import counted
from grader.tracer import Word

_RANGES = {
    1: ((0x21, 0x7E), (0xA1, 0xAC), (0xAE, 0xFF)),
    2: ((0x391, 0x3A1), (0x3B1, 0x3C9), (0x410, 0x44F), (0x20AC, 0x20AC), (0x4E00, 0x9FA5)),
    3: ((0x4E00, 0x9FA5), (0xAC00, 0xD7A3), (0x1F600, 0x1F64F), (0x20000, 0x2A6D0)),
}
#: First byte and the bits it leaves, by the number of bytes.
_LEAD = {2: ("110", 5), 3: ("1110", 4), 4: ("11110", 3)}

_WORDS = ("the", "cat", "sat", "on", "a", "mat", "low", "newest", "OK", "tokens", "So")
_MARKS = (".", ",", "?", "!", "...", ";", "?!")
_CONTRACTIONS = ("it's", "don't", "we'll", "I'm", "they've", "you're", "he'd")
_NUMBERS = ("7", "42", "2024", "1000000")
_ODD = ("IT'S", "it’s", "x2", "3rd", "'tis", "e-mail", "a+b", "$5", "1,000", "rock'n'roll")


def utf8(chance: Random, level: int) -> Exercise:
    """The UTF-8 bytes of a character."""
    low, high = chance.choice(_RANGES[level])
    char = chr(chance.randint(low, high))
    data = char.encode()
    shown = data.hex(" ")
    return Exercise(
        kind="bytes",
        level=level,
        ask="Which bytes is this character in UTF-8?",
        given=(f"{char}  U+{ord(char):04X}",),
        answer=data,
        form="bytes",
        shown=shown,
        why=_layout(char, data),
    )


def _layout(char: str, data: bytes) -> tuple[str, ...]:
    code = ord(char)
    if len(data) == 1:
        return (f"Below U+0080 a character is one byte, its code point: {code:02x}.",)
    lead, bits = _LEAD[len(data)]
    first, last = {2: (0x80, 0x7FF), 3: (0x800, 0xFFFF), 4: (0x10000, 0x10FFFF)}[len(data)]
    digits = format(code, f"0{bits + 6 * (len(data) - 1)}b")
    groups = [digits[:bits], *(digits[at : at + 6] for at in range(bits, len(digits), 6))]
    marked = [lead + groups[0], *("10" + group for group in groups[1:])]
    return (
        f"U+{first:04X} to U+{last:04X} take {len(data)} bytes: {bits} bits in the first, "
        "6 in each other one.",
        f"The bits of U+{code:04X}: {' '.join(groups)}",
        f"With their marks: {' '.join(marked)}",
    )


def pretokens(chance: Random, level: int) -> Exercise:
    """The pieces of a sentence by the pattern of GPT-2."""
    import regex

    text = _sentence(chance, level)
    pieces = tuple(regex.findall(corpus.PATTERN, text))
    shown = _shown("|".join(pieces))
    return Exercise(
        kind="pretokens",
        level=level,
        ask="How does GPT-2's pattern split this text? Spaces are shown as ␣.",
        given=(_shown(text),),
        answer=pieces,
        form="pieces",
        shown=shown,
        why=tuple(_rules(text, pieces)),
        spells=text,
    )


def _sentence(chance: Random, level: int) -> str:
    if level == 1:
        words = chance.choices(_WORDS, k=chance.randint(2, 4))
        return " ".join(words) + chance.choice(_MARKS)
    stock = [*_WORDS[:6], *_CONTRACTIONS, *_NUMBERS]
    if level == 3:
        stock += _ODD * 2
    parts = chance.sample(stock, k=chance.randint(2, 4))
    text = parts[0]
    for part in parts[1:]:
        mark = chance.choice(("", "", *_MARKS[:4]))
        text += mark + " " * (chance.choice((1, 1, 2, 3)) if level == 3 else 1) + part
    return text + (chance.choice((*_MARKS, " ", "  ")) if level == 3 else chance.choice(_MARKS))


def _rules(text: str, pieces: tuple[str, ...]) -> list[str]:
    """Those rules of the pattern that show in these pieces."""
    rules = ["One space goes to the front of what follows it: letters, digits, or other signs."]
    if any(piece in ("'s", "'t", "'m", "'d", "'ll", "'ve", "'re") for piece in pieces):
        rules.append("'s, 't, 'm, 'd, 'll, 've and 're are pieces of their own.")
    if "’" in text or "'S" in text or "'n" in text:
        rules.append("Other apostrophes are signs: curly ones, before capitals, before other ends.")
    if any(char.isdigit() for char in text):
        rules.append("Digits stay together and apart from letters and signs.")
    if any(len(piece.strip()) > 1 and not any(map(str.isalnum, piece)) for piece in pieces):
        rules.append("Signs that follow one another are one piece.")
    if any(piece.isspace() for piece in pieces):
        rules.append(
            "Of several spaces the last goes to what follows, the others are a piece; "
            "spaces at the end are one piece."
        )
    return rules


def _shown(text: str) -> str:
    return text.replace(" ", "␣")


def vocabulary(chance: Random, level: int) -> Exercise:
    """How many ids there are, how many merges fit, or what is left when the pairs run out."""
    specials = chance.randint(0, 4)
    merges = chance.choice((100, 250, 1000, 5000, 32000, 50000))
    size = 256 + specials + merges
    named = counted(specials, "special token")
    if level == 1:
        return _size(
            level,
            f"A byte-level tokenizer has {merges:,} merges and {named}. How many ids are in its "
            "vocabulary?",
            size,
            (f"256 bytes + {specials} + {merges:,} = {size:,}",),
        )
    if level == 2:
        return _size(
            level,
            f"A byte-level tokenizer has a vocabulary of {size:,} ids, {named} among them. How "
            "many merges were learned?",
            merges,
            (f"{size:,} - 256 bytes - {specials} = {merges:,}",),
        )
    return _exhausted(chance, level, specials)


def _exhausted(chance: Random, level: int, specials: int) -> Exercise:
    word = "".join(chance.choices("ab", k=chance.randint(2, 6)))
    turns = list(tracer.training([Word(tuple(word))], len(word), greatest=True))
    size = 256 + specials + len(turns)
    asked = chance.choice((300, 500, 1000))
    steps = (f"merge {turn.number}: {' '.join(map(str, turn.after[0].symbols))}" for turn in turns)
    return _size(
        level,
        f"A byte-level trainer is asked for a vocabulary of {asked} with "
        f"{counted(specials, 'special token')}. The whole text is {word}. How many ids come out? "
        "Among equal counts the greatest pair goes first, and it stops when no pair is left.",
        size,
        (*steps, f"256 bytes + {specials} + {counted(len(turns), 'merge')} = {size}"),
    )


def _size(level: int, ask: str, answer: int, why: tuple[str, ...]) -> Exercise:
    return Exercise("vocab", level, ask, (), answer, "number", f"{answer:,}", why)
