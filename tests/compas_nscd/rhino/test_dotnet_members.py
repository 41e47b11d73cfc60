"""The stand-in of Rhino has the members of the real one, as published stubs of Rhino 7 and Grasshopper 7 list them.

Generic classes (DataTree, GH_Structure, GH_Goo) are not in the stubs, and some inherited members are missing there.
"""

import ast
import re
import site
import sys
from pathlib import Path

import pytest

import rhino_net

#: Namespaces of the stand-in.
NAMESPACES = (
    "Rhino",
    "Rhino.Geometry",
    "Rhino.Geometry.Collections",
    "Rhino.DocObjects",
    "Rhino.DocObjects.Tables",
    "Grasshopper",
    "Grasshopper.Kernel",
    "Grasshopper.Kernel.Data",
    "Grasshopper.Kernel.Special",
    "Grasshopper.Kernel.Types",
)
#: Classes that drive the stand-in, and members that the tests call in place of a user or of Rhino.
OURS = {"Param", "Run", "ScriptComponent", "Listed`1"}
#: Classes that came with Rhino 8.
NEW = {"GH_Extrusion", "GH_InstanceReference"}
TEST_MEMBERS = {
    "RhinoApp": {"Reset", "Pump", "Close", "PressEscape", "OnAnotherThread"},
    "Instances": {"Reset", "TypeNames", "Trespasses"},
    "GH_Document": {"TakeDue", "Begin", "End", "ScheduledCount"},
    "GH_Component": {"Expired", "Redraws"},
    "Brep": {"Make"},
    "Extrusion": {"Make"},
    "SubD": {"Make"},
}
#: Members that stubs of Rhino 7 do not list: inherited from generic classes, or given with parameters.
UNLISTED = {
    "BrepFace.Transform",
    "GH_Component.InstanceGuid",
    "GH_Component.Name",
    "IGH_Structure.get_Branch",
    "IGH_Structure.get_Path",
    "InstanceDefinition.Id",
    "InstanceDefinition.Name",
    "Layer.Index",
    "ObjectTable.Count",
}


def stub(namespace):
    """Classes of a stub file: bases and members, each a property or the parameters of its overloads."""
    package, *rest = namespace.split(".")
    for folder in [*site.getsitepackages(), *sys.path]:
        path = Path(folder, package + "-stubs", *rest, "__init__.pyi")
        if path.is_file():
            text = re.sub(
                r"(?<=[(,])(\s*)(in|from|is|lambda|global|with):", r"\1\2_:", path.read_text(encoding="utf-8")
            )
            return {node.name: members(node) for node in ast.parse(text).body if isinstance(node, ast.ClassDef)}
    pytest.skip("no stubs of {}: pip install -e .[dotnet]".format(package))


def members(node):
    found = {}
    for each in node.body:
        if isinstance(each, ast.FunctionDef):
            names = [argument.arg for argument in each.args.args if argument.arg != "self"]
            found.setdefault(each.name, []).append([name.rstrip("_").lower() for name in names])
    return [ast.unparse(base) for base in node.bases], found


def looked_up(classes, name, member):
    """Overloads of a member of a class or of its bases; None if there is none."""
    while name in classes:
        bases, found = classes[name]
        if member in found:
            return found[member]
        name = bases[0] if bases else None
    return None


@pytest.fixture(scope="module")
def types():
    """Public types of the stand-in by namespace: names of members, and parameters of methods."""
    reason = rhino_net.missing()
    if reason is not None:
        pytest.skip(reason)
    with rhino_net.importable():
        import System

        own = [
            each
            for each in System.AppDomain.CurrentDomain.GetAssemblies()
            if each.GetName().Name in rhino_net.ASSEMBLIES
        ]
        return [described(kind) for assembly in own for kind in assembly.GetExportedTypes()]


def described(kind):
    from System.Reflection import BindingFlags as Flags

    flags = Flags.Public | Flags.Static | Flags.Instance | Flags.DeclaredOnly
    found = [(each.Name, None) for each in [*kind.GetProperties(flags), *kind.GetFields(flags)]]
    found += [("add_" + each.Name, ["value"]) for each in kind.GetEvents(flags)]
    for method in [*kind.GetMethods(flags), *kind.GetConstructors(flags)]:
        if not method.IsSpecialName or method.IsConstructor:
            found.append((method.Name, [each.Name.lower() for each in method.GetParameters()]))
    nested = kind.IsNested or kind.IsEnum or kind.IsGenericType
    return kind.Namespace, kind.Name, nested, found


def ignored(name, member):
    common = {"ToString", "Equals", "GetHashCode", "GetEnumerator", "CompareTo", "Invoke", "BeginInvoke", "EndInvoke"}
    return member in common or member in TEST_MEMBERS.get(name, ()) or "{}.{}".format(name, member) in UNLISTED


def wrong(name, found, classes):
    """Members of a class that the real one does not have, or with other parameters."""
    for member, parameters in found:
        constructor = member == ".ctor"
        if ignored(name, member) or (constructor and name in TEST_MEMBERS):
            continue
        real = looked_up(classes, name, "__init__" if constructor else member)
        if real is None:
            if not constructor and member != "Item":  # most lists cannot be made, and indexers are not all in the stubs
                yield "{}.{} does not exist".format(name, member)
        elif parameters is not None and not member.startswith("add_") and parameters not in real:
            yield "{}.{}({}) is not one of {}".format(name, member, ", ".join(parameters), real)


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_every_member_exists_with_these_parameters(types, namespace):
    classes = stub(namespace)
    checked, errors = 0, []
    for where, name, special, found in types:
        if where == namespace and name not in OURS | NEW and not special:
            if name not in classes:
                errors.append("{}.{} does not exist".format(namespace, name))
                continue
            checked += 1
            errors += wrong(name, found, classes)
    assert errors == [] and checked
