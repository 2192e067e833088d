"""Names in other scripts, among them one that Python reads as another."""


def encode_bpe(wörd, 規則):
    ränge = {paar: ﬁ for ﬁ, paar in enumerate(規則)}
    symbole = list(wörd)
    while len(symbole) > 1:
        paare = list(zip(symbole, symbole[1:]))
        bestes = min(paare, key=lambda π: ränge.get(π, len(ränge)))
        if bestes not in ränge:
            break
        i = paare.index(bestes)
        symbole[i : i + 2] = ["".join(bestes)]
    return symbole
