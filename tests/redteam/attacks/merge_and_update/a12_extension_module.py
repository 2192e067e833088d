# A12 · load a shared library as a module · RAISED ImportError
import _imp
from importlib.machinery import ExtensionFileLoader, ModuleSpec

path = "@FOLDER@/pwned.so"
_imp.create_dynamic(ModuleSpec("pwned", ExtensionFileLoader("pwned", path), origin=path))


def merge_and_update(words, counts, stats, where, pair):
    return []
