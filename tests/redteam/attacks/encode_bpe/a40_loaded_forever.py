# A40 · say that the module is loaded, and go on loading · TIMEOUT
import sys

frame = sys._getframe()
while "nonce" not in frame.f_locals:
    frame = frame.f_back
channel = sys.modules["__main__"].Channel(int(sys.argv[1]))
channel.send(["loaded", frame.f_locals["nonce"], "function"])
while True:
    pass
