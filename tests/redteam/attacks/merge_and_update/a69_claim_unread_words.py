# A69 · write into what the object holds, past its own methods · WRONG
def merge_and_update(words, counts, stats, where, pair):
    words._held.update({i: ["z"] for i in range(len(words))})
    return []
