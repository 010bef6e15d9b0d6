"""From the text of a module to machine code, with a short list of passes.

The passes that come with a level of optimisation take three times as long for a
third more speed at most, so a list of our own is used: what puts locals into
registers, folds constants and joins blocks.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

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
    import llvmlite.binding as llvm

    parts = (
        llvmlite.__version__,
        llvm.llvm_version_info,
        llvm.get_default_triple(),
        llvm.get_host_cpu_name(),
    )
    return f"{parts} {llvm.get_host_cpu_features().flatten()}"


def target_machine(level: int = 1) -> Any:
    import llvmlite.binding as llvm

    return target().create_target_machine(
        opt=level,
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        codemodel="jitdefault",
        jit=True,
    )


def object_code(text: str, level: int | None = None) -> bytes:
    """Machine code, as an object file. `level` takes the passes of that level instead of ours."""
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
    return found


class Loaded:
    """Machine code in memory; `address` finds a function in it."""

    def __init__(self, code: bytes) -> None:
        import llvmlite.binding as llvm

        empty = llvm.parse_assembly("")
        self.engine = llvm.create_mcjit_compiler(empty, target_machine())
        self.add(code)

    def add(self, code: bytes) -> None:
        """More machine code, which may call what is there."""
        import llvmlite.binding as llvm

        self.engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self.engine.finalize_object()

    def address(self, name: str) -> int:
        found = int(self.engine.get_function_address(name))
        if not found:
            raise ValueError(f"no function `{name}`")
        return found
