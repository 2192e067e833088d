# A02 · sys.exit(0) at import · RAISED SystemExit
import sys

sys.exit(0)
