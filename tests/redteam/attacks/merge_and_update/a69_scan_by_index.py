# A69 · scan the words by index, and hide the refusal · WRONG · judge
def merge_and_update(words, counts, stats, where, pair):
    found = []
    for i in range(len(words)):
        try:
            found.append(words[i])
        except IndexError:
            continue
    return []
