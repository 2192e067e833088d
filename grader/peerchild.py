"""A fresh process that trains or encodes with one package and says what it cost.

    python -m grader.peerchild REQUEST.json ANSWER.json

What a package answers is trusted to be its own; whether it is right is checked by the parent.
A package's own words go wherever it writes them, so the answer goes into a file.
"""

from __future__ import annotations

import hashlib
import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

from grader.peers import PEERS, documents


def main() -> None:
    """Read the request, do the work, write the answer."""
    request = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    answer = WORK[request["job"]](request)
    Path(sys.argv[2]).write_text(json.dumps(answer), encoding="ascii")


def usage() -> dict[str, float]:
    """CPU of this process and of those it waited for, and the larger peak of memory."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return {
        "cpu_s": sum(each.ru_utime + each.ru_stime for each in used),
        "peak_mib": max(each.ru_maxrss for each in used) / 1024,
    }


def train(request: dict[str, Any]) -> dict[str, Any]:
    """CPU of the whole process from its start to the trained model, imports included."""
    begin = time.monotonic()
    result = PEERS[request["peer"]].trainer(request["corpus"], request["vocab_size"])
    wall_s = time.monotonic() - begin
    cost = usage()
    return {**cost, "wall_s": wall_s, **result()}


def encode(request: dict[str, Any]) -> dict[str, Any]:
    """CPU of the encoding alone, cold: the model is built and the text is read before."""
    merges = [(bytes.fromhex(a), bytes.fromhex(b)) for a, b in request["merges"]]
    encoder = PEERS[request["peer"]].encoder(merges)
    texts = list(documents(request["corpus"]))
    before, begin = usage()["cpu_s"], time.monotonic()
    ids = [encoder(text) for text in texts]
    wall_s, cost = time.monotonic() - begin, usage()
    digest = hashlib.sha256()
    for each in ids:
        digest.update(b"".join(int(token).to_bytes(4, "big") for token in each) + b"\xff" * 4)
    return {
        "cpu_s": cost["cpu_s"] - before,
        "peak_mib": cost["peak_mib"],
        "wall_s": wall_s,
        "digest": digest.hexdigest(),
        "tokens": sum(map(len, ids)),
    }


WORK = {"train": train, "encode": encode}

if __name__ == "__main__":
    main()
