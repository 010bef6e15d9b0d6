"""From the text of a module to machine code, with a short list of passes.

The passes that come with a level of optimisation take three times as long for a
third more speed at most, so a list of our own is used: what puts locals into
registers, folds constants and joins blocks.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import Any

from .image import MAGIC, Image, NotAnImage, image_of, native_here, of_process

PASSES = (
    "global_dead_code_eliminate", "always_inliner", "sroa", "simplify_cfg", "instruction_combine", "sccp", "jump_threading", "simplify_cfg",
    "dead_store_elimination", "instruction_combine", "simplify_cfg", "global_dead_code_eliminate",
)  # fmt: skip


@lru_cache(maxsize=1)
def target() -> Any:
    """The machine that this runs on."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple()


@lru_cache(maxsize=1)
def machine_name() -> str:
    """What tells this machine, and the compiler, from others."""
    import llvmlite

    processor = _processor()
    if processor is not None:
        return f"{llvmlite.__version__} {processor}"
    import llvmlite.binding as llvm

    parts = (
        llvmlite.__version__,
        llvm.llvm_version_info,
        llvm.get_default_triple(),
        llvm.get_host_cpu_name(),
    )
    return f"{parts} {llvm.get_host_cpu_features().flatten()}"


def _processor() -> str | None:
    """What Linux says about the first processor, without a word from LLVM, which takes long to load."""
    if not native_here():
        return None
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            lines = [line for line in islice(file, 40) if line.startswith(_TELLING)]
    except OSError:
        return None
    return "".join(lines[: len(_TELLING)]) if len(lines) >= len(_TELLING) else None


_TELLING = ("vendor_id", "cpu family", "model\t", "model name", "stepping", "flags")


def target_machine(level: int = 1) -> Any:
    import llvmlite.binding as llvm

    how = {"codemodel": "small", "reloc": "pic"} if native_here() else {"codemodel": "jitdefault"}
    return target().create_target_machine(
        opt=level,
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        jit=True,
        **how,
    )


def object_code(text: str, level: int | None = None) -> bytes:
    """Machine code, as an image or an object file. `level` takes the passes of that level instead of ours."""
    import llvmlite.binding as llvm

    machine = target_machine(1 if level is None else level)
    module = llvm.parse_assembly(text)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=1 if level is None else level)
    builder = llvm.create_pass_builder(machine, options)
    if level is None:
        manager = llvm.create_new_module_pass_manager()
        for name in PASSES:
            getattr(manager, f"add_{name}_pass")()
    else:
        manager = builder.getModulePassManager()
    manager.run(module, builder)
    found: bytes = machine.emit_object(module)
    try:
        return image_of(found) if native_here() else found
    except NotAnImage:
        return found


class Loaded:
    """Machine code in memory; `address` finds a function in it."""

    def __init__(self, code: bytes) -> None:
        self._images: list[Image] = []
        self._engine: Any = None
        self.add(code)

    def add(self, code: bytes) -> None:
        """More machine code, which may call what is there."""
        if code.startswith(MAGIC):
            self._images.append(Image(code, self._anywhere))
            return
        import llvmlite.binding as llvm

        if self._engine is None:
            self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target_machine())
        for image in self._images:
            for name in image.exports:
                llvm.add_symbol(name, self.address(name))
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()

    def _anywhere(self, name: str) -> int:
        return self._here(name) or of_process(name)

    def _here(self, name: str) -> int:
        for image in self._images:
            found = image.address(name)
            if found is not None:
                return found
        return 0 if self._engine is None else int(self._engine.get_function_address(name))

    def address(self, name: str) -> int:
        found = self._here(name)
        if not found:
            raise ValueError(f"no function `{name}`")
        return found
