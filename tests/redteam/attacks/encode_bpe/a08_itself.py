# A08 · a list that contains itself · WRONG
def encode_bpe(word, merges):
    answer = []
    answer.append(answer)
    return answer
