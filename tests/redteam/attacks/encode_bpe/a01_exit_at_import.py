# A01 · leave with exit code 0 at import · CRASH · judge
import os

os._exit(0)
