"""How rules are compiled, and where the compiled code is kept.

Numba's own cache notices an edit only in the file that holds a function, not in the tables and helpers
it uses, and does not notice every compile switch. So each game compiles into a folder of its own that is
named after everything that matters: where it is installed, the sources it may use, the versions, the switches,
the processor. What was compiled before is used where nobody may write, too: in an image.
"""

import hashlib
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numba
import numpy as np
import platformdirs
from llvmlite import binding as llvm
from numba.core import typed_passes as typed
from numba.core import untyped_passes as untyped
from numba.core.caching import UserProvidedCacheLocator
from numba.core.codegen import JITCodeLibrary, get_host_cpu_features
from numba.core.compiler import CompilerBase, Flags
from numba.core.compiler_machinery import PassManager
from numba.core.registry import CPUDispatcher

log = logging.getLogger(__name__)

F = TypeVar("F", bound=Callable[..., Any])

PLAIN = bool(numba.config.DISABLE_JIT)  # NUMBA_DISABLE_JIT=1: ordinary Python, the oracle
CORE = Path(__file__).parent
SWITCHES = ("NUMBA_BOUNDSCHECK", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_OPT")

if PLAIN:
    np.seterr(over="ignore")  # generators wrap around by design


def cache_root() -> Path:
    """The folder that holds all compiled code; EMPTYCHAIR_CACHE overrides it."""
    return Path(os.environ.get("EMPTYCHAIR_CACHE") or platformdirs.user_cache_dir("emptychair"))


@cache
def sources(folder: Path) -> tuple[Path, ...]:
    """The files that compiled code in `folder` may depend on: its own and the engine's core."""
    return tuple(sorted({*CORE.glob("*.py"), *folder.rglob("*.py")}))


@cache
def source_hash(folder: Path) -> str:
    """Sixteen hex digits that change with any source the code in `folder` may use."""
    digest = hashlib.sha256()
    for path in sources(folder):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@cache
def processor() -> str:
    """What code is compiled for: Numba uses kept code on a processor of the same name and features alone."""
    name, features = numba.config.CPU_NAME, numba.config.CPU_FEATURES
    name = llvm.get_host_cpu_name() if name is None else name
    return f"{name} {get_host_cpu_features() if features is None else features}"


@cache
def cache_folder(folder: Path) -> Path:
    """Where code from `folder` is compiled to; a new folder for every change that matters."""
    parts = [str(folder), source_hash(folder), numba.__version__, np.__version__, sys.version, processor()]
    parts += [f"{name}={os.environ.get(name, '')}" for name in SWITCHES]
    key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
    return cache_root() / f"{folder.name}-{key}"


def is_warm(folder: Path) -> bool:
    """True when code from `folder` was compiled before on this machine."""
    return PLAIN or (cache_folder(folder) / "complete").exists()


def mark_warm(folder: Path) -> None:
    """Notes that everything in `folder` is compiled; a read-only cache is left as it is."""
    try:
        cache_folder(folder).mkdir(parents=True, exist_ok=True)
        (cache_folder(folder) / "complete").touch()
    except OSError:
        return


@cache
def is_writable(folder: Path) -> bool:
    """True when code can be kept in this folder, which is made; says so where it cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        if not folder.exists():
            log.warning("compiled code cannot be kept in %s: %s", folder, (error.strerror or str(error)).lower())
        return False
    return True


class KeptCode(UserProvidedCacheLocator):
    """Finds kept code in folders where nobody may write, too: Numba itself looks only where it could add to it."""

    def ensure_cache_path(self) -> None:
        if is_writable(Path(numba.config.CACHE_DIR)):
            super().ensure_cache_path()


class RuleLibrary(JITCodeLibrary):
    """The code of a rule and of those it uses, to be linked into verbs.

    Optimising it and making machine code of it would double the time it takes to compile a game: the verbs do both
    again, for all of it together.
    """

    @property
    def codegen(self) -> "RuleLibrary":
        return self

    def set_env(self, name: str, env: object) -> None:
        """Nothing to set in code that is never loaded."""

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    def _optimize_final_module(self) -> None:
        return

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


class RuleFlags(Flags):
    """A rule's compile switches, of which Numba asks a hundred thousand times whether they are the same as others'."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RuleFlags) and bool(self._values == other._values)

    def __hash__(self) -> int:
        return len(self._values)


class RuleCompiler(CompilerBase):
    """Numba's compiler, filling a `RuleLibrary`, without the steps for what no rule has, such as closures."""

    STEPS = (
        untyped.TranslateByteCode,
        untyped.FixupArgs,
        untyped.IRProcessing,
        untyped.GenericRewrites,
        untyped.ReconstructSSA,
        typed.NopythonTypeInference,
        typed.PreLowerStripPhis,
        typed.IRLegalization,
        typed.NativeLowering,
        typed.NoPythonBackend,
    )

    def define_pipelines(self) -> list[PassManager]:
        manager = PassManager("rule")
        for step in self.STEPS:
            manager.add_pass(step, step.name())
        manager.finalize()
        return [manager]

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        self.state.library = RuleLibrary(self.state.targetctx.codegen(), function.__qualname__)
        flags = RuleFlags()
        flags._values.update(self.state.flags._values)
        self.state.flags = flags
        return super().compile_extra(function)


class Rule(CPUDispatcher):
    """A function of the rules. Compiled it lives in the verbs that use it; called from Python it is plain Python."""

    OPTIONS: ClassVar = {"nopython": True, "error_model": "numpy", "no_cfunc_wrapper": True, "no_cpython_wrapper": True}

    def __init__(self, function: Callable[..., Any], inline: bool = False) -> None:
        super().__init__(function, targetoptions=self.OPTIONS | {"forceinline": inline}, pipeline_class=RuleCompiler)

    def __call__(self, *args: Any) -> Any:
        with np.errstate(over="ignore"):  # generators wrap around by design
            return self.py_func(*args)


def rule(function: F) -> F:
    """Makes a function of the rules: reading one position would never pay for compiling it apart from the verbs."""
    return function if PLAIN else Rule(function)


def hot_rule(function: F) -> F:
    """The same for a rule that most decisions pass through: its code is laid into every caller, which takes longer."""
    return function if PLAIN else Rule(function, inline=True)


def _made(compiler: Callable[[F], F], again: Callable[[F], F], function: F, kept: Path) -> F:
    """The compiled function; where a full disk, a killed machine or a flipped bit broke what is kept, made `again`."""
    try:
        return compiler(function)
    except Exception as error:  # noqa: BLE001 - a damaged pickle may raise anything; a fault of ours comes up again
        log.warning("compiled code in %s cannot be read (%s): compiling again", kept, type(error).__name__)
        shutil.rmtree(kept, ignore_errors=True)
        is_writable.cache_clear()  # the folder is gone
        return again(function)


def verb(signature: Any) -> Callable[[F], F]:
    """Compiles a function at once, for the one signature under which every game is called, and keeps the code.

    It holds the code of all the rules it uses, so theirs is not kept. Loops over a few cards gain nothing from
    being vectorised and take a sixth of the time it takes to compile.
    """

    def compiler(kept: bool) -> Callable[[F], F]:
        made: Callable[[F], F] = numba.njit(signature, cache=kept, nogil=True, error_model="numpy")
        return made

    def compiled(function: F) -> F:
        if PLAIN:
            return function
        folder = Path(sys.modules[function.__module__].__file__ or "").parent
        kept = cache_folder(folder)
        writable = is_writable(kept)
        with _configured(CACHE_DIR=str(kept), CACHE_LOCATOR_CLASSES=f"{__name__}.KeptCode", LOOP_VECTORIZE=0):
            return _made(compiler(writable or kept.exists()), compiler(writable), function, kept)

    return compiled


@contextmanager
def _configured(**values: object) -> Iterator[None]:
    """Numba's configuration with these values for a while."""
    usual = {name: getattr(numba.config, name) for name in values}
    vars(numba.config).update(values)
    try:
        yield
    finally:
        vars(numba.config).update(usual)
