"""What arrives on wires: values in the wrappers of Grasshopper (goo), trees, and the runs that take them.

pythonnet types an item by the interface of its collection: an `IGH_Goo` has neither `Value` nor
`IsReferencedGeometry`, so it is asked for its `ScriptVariable` or cast to `IGH_GeometricGoo`.
"""

from typing import Any, Iterable, List, NamedTuple, Optional, Tuple

from compas.data import Data

#: Types that are never wrapped; tested first, because a missing member of a .NET object takes microseconds to find.
_PLAIN = (type(None), bool, int, float, str, Data)


def unwrap(value: Any) -> Any:
    """Content of a wrapper of Grasshopper; any other value as it is."""
    if isinstance(value, _PLAIN):
        return value
    if hasattr(value, "ScriptVariable"):
        return value.ScriptVariable()
    return value


def same(a: Any, b: Any) -> bool:
    """Whether two inputs are one object, or equal numbers or texts. Quick, for every move of a slider."""
    return a is b or (isinstance(a, (bool, int, float, str, tuple)) and type(a) is type(b) and a == b)


def items(values: Optional[Iterable[Any]]) -> List[Any]:
    """List input, of Python or of .NET, as a list without missing items."""
    if values is None:
        return []
    return [value for value in map(unwrap, values) if value is not None]


def reference(goo: Any) -> Any:
    """Guid of the object of the document that a geometry on a wire refers to; None if it refers to none."""
    import Grasshopper

    try:
        geometric = Grasshopper.Kernel.Types.IGH_GeometricGoo(goo)
    except TypeError:  # no geometry
        return None
    return geometric.ReferenceID if geometric.IsReferencedGeometry else None


def number_of_net(value: Any) -> Any:
    """An integer of Python as one of .NET: an object of .NET would hold it as a Python object, which wires refuse."""
    import System

    return System.Int32(value) if type(value) is int else value


class Run(NamedTuple):
    """One call of the script of a component in a solution."""

    path: Tuple[int, ...]  # of the branch that it takes
    branch: int  # index of that branch
    item: int  # index of the items in it


def runs_of(component: Any) -> List[Run]:
    """Calls of a script in a solution, in order: branch by branch, in a branch item by item.

    Inputs with fewer branches or items repeat their last one, as Grasshopper does.
    """
    import Grasshopper

    single = Grasshopper.Kernel.GH_ParamAccess.item
    inputs = [(each.VolatileData, each.Access == single) for each in component.Params.Input]
    filled = [(data, is_single) for data, is_single in inputs if data.PathCount]
    count = max([data.PathCount for data, _ in filled], default=1)
    paths = [tuple(path.Indices) for path in next((d.Paths for d, _ in filled if d.PathCount == count), ())]
    proxies = [data.StructureProxy for data, is_single in filled if is_single]
    runs = []
    for b in range(count):
        longest = max([proxy[min(b, len(proxy) - 1)].Count for proxy in proxies], default=1)
        runs += [Run(paths[b] if paths else (0,), b, k) for k in range(max(longest, 1))]
    return runs
