"""A document of Rhino: its unit, layers, objects and block definitions."""

from types import SimpleNamespace

from fakes.dotnet import Color, Enum, Guid, NameValueCollection
from fakes.geometry import Collection


class Attributes:
    def __init__(self, name="", layer=0, **strings):
        self.Name, self.LayerIndex, self.ObjectId, self._strings = name, layer, Guid(), dict(strings)
        self.ObjectColor = None

    def SetUserString(self, key, text):
        self._strings[key] = text

    def GetUserStrings(self):
        return NameValueCollection(self._strings)


class Objects:
    """Object table; adding gives the guid."""

    def __init__(self):
        self.items = []

    def __iter__(self):
        return iter(list(self.items))

    def Add(self, geometry, attributes=None):
        attributes = attributes or Attributes()
        self.items.append(SimpleNamespace(Geometry=geometry, Attributes=attributes, Id=attributes.ObjectId))
        return attributes.ObjectId

    AddMesh = AddCurve = AddTextDot = AddLine = Add

    def FindId(self, guid):
        return next((item for item in self.items if str(item.Id) == str(guid)), None)

    def Delete(self, guid, quiet=True):
        self.items = [item for item in self.items if str(item.Id) != str(guid)]
        return True


class Layers(Collection):
    def __init__(self):
        super().__init__()
        self.Add("Default")

    def Add(self, path):
        self._values.append(SimpleNamespace(FullPath=path, Name=path.split("::")[-1], Color=Color(0, 0, 0)))
        return self.Count - 1

    def index(self, path):
        known = [layer.FullPath for layer in self]
        return known.index(path) if path in known else self.Add(path)


class RhinoDoc:
    def __init__(self, unit="Meters", tolerance=0.001):
        self.ModelUnitSystem, self.ModelAbsoluteTolerance = Enum(unit), tolerance
        self.Objects, self.Layers = Objects(), Layers()
        self._definitions = {}
        self.InstanceDefinitions = SimpleNamespace(FindId=lambda guid: self._definitions.get(str(guid)))
        self.Views = SimpleNamespace(Redraw=lambda: None)

    def define(self, name, *items):
        """A block definition of (geometry, attributes); gives its guid."""
        guid = Guid()
        objects = [SimpleNamespace(Geometry=geometry, Attributes=attributes) for geometry, attributes in items]
        self._definitions[str(guid)] = SimpleNamespace(Name=name, GetObjects=lambda: objects)
        return guid
