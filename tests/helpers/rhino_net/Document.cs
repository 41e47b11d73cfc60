// Rhino: the application, documents, layers, objects and block definitions.
using System;
using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.Specialized;
using System.Drawing;
using System.Linq;
using System.Threading;
using Rhino.DocObjects;
using Rhino.DocObjects.Tables;
using Rhino.Geometry;

namespace Rhino
{
    public enum UnitSystem { None = 0, Millimeters = 2, Centimeters = 3, Meters = 4, Inches = 8, Feet = 9 }

    public static class RhinoApp
    {
        static readonly ConcurrentQueue<Action> posted = new ConcurrentQueue<Action>();
        public static event EventHandler Closing;
        public static event EventHandler EscapeKeyPressed;
        public static bool IsRunningHeadless { get; internal set; }
        public static void WriteLine(string message) { }
        public static void Wait() { Pump(); }
        public static void InvokeOnUiThread(Delegate method, params object[] args)
        {
            posted.Enqueue(() => method.DynamicInvoke(args));
        }

        // What Rhino does and the tests ask for.
        public static void Reset(bool headless)
        {
            Action dropped;
            while (posted.TryDequeue(out dropped)) { }
            Closing = null;
            EscapeKeyPressed = null;
            IsRunningHeadless = headless;
        }
        public static bool Pump()
        {
            Action action;
            bool any = false;
            for (int left = posted.Count; left > 0 && posted.TryDequeue(out action); left--) { action(); any = true; }
            return any;
        }
        public static void Close() { if (Closing != null) Closing(null, EventArgs.Empty); }
        public static void PressEscape() { if (EscapeKeyPressed != null) EscapeKeyPressed(null, EventArgs.Empty); }
        public static void OnAnotherThread(Action action)
        {
            Exception failed = null;
            var thread = new Thread(() => { try { action(); } catch (Exception e) { failed = e; } });
            thread.Start();
            thread.Join();
            if (failed != null) throw failed;
        }
    }

    public class RhinoDoc
    {
        public RhinoDoc(UnitSystem unit)
        {
            ModelUnitSystem = unit;
            ModelAbsoluteTolerance = 0.001;
            Objects = new ObjectTable();
            Layers = new LayerTable();
            InstanceDefinitions = new InstanceDefinitionTable();
            Views = new ViewTable();
        }
        public static RhinoDoc ActiveDoc { get; set; }
        public UnitSystem ModelUnitSystem { get; set; }
        public double ModelAbsoluteTolerance { get; set; }
        public ObjectTable Objects { get; }
        public LayerTable Layers { get; }
        public InstanceDefinitionTable InstanceDefinitions { get; }
        public ViewTable Views { get; }
    }
}

namespace Rhino.DocObjects
{
    public enum ObjectColorSource { ColorFromLayer, ColorFromObject, ColorFromMaterial, ColorFromParent }
    public enum ObjectDecoration { None = 0, StartArrowhead = 8, EndArrowhead = 16, BothArrowhead = 24 }

    public class ObjectAttributes
    {
        readonly NameValueCollection strings = new NameValueCollection();
        public ObjectAttributes() { ObjectId = Guid.NewGuid(); Name = ""; }
        public string Name { get; set; }
        public int LayerIndex { get; set; }
        public Guid ObjectId { get; set; }
        public Color ObjectColor { get; set; }
        public ObjectColorSource ColorSource { get; set; }
        public ObjectDecoration ObjectDecoration { get; set; }
        public bool SetUserString(string key, string value) { strings[key] = value; return true; }
        public NameValueCollection GetUserStrings() { return new NameValueCollection(strings); }
    }

    public class RhinoObject
    {
        internal RhinoObject(GeometryBase geometry, ObjectAttributes attributes)
        {
            Geometry = geometry;
            Attributes = attributes;
        }
        public GeometryBase Geometry { get; }
        public ObjectAttributes Attributes { get; set; }
        public Guid Id { get { return Attributes.ObjectId; } }
    }

    public class Layer
    {
        internal LayerTable Table;
        public Layer() { Id = Guid.NewGuid(); }
        public string Name { get; set; }
        public Guid Id { get; set; }
        public Guid ParentLayerId { get; set; }
        public Color Color { get; set; }
        public int Index { get; internal set; }
        public bool IsDeleted { get; internal set; }
        public string FullPath
        {
            get
            {
                var parent = Table.FirstOrDefault(each => each.Id == ParentLayerId);
                return parent == null ? Name : parent.FullPath + "::" + Name;
            }
        }
    }

    public class InstanceDefinition
    {
        readonly RhinoObject[] objects;
        internal InstanceDefinition(string name, IEnumerable<RhinoObject> objects)
        {
            Name = name;
            Id = Guid.NewGuid();
            this.objects = objects.ToArray();
        }
        public string Name { get; }
        public Guid Id { get; }
        public RhinoObject[] GetObjects() { return objects; }
    }
}

namespace Rhino.DocObjects.Tables
{
    public class ObjectTable : IEnumerable<RhinoObject>
    {
        readonly List<RhinoObject> items = new List<RhinoObject>();
        public int Count { get { return items.Count; } }
        public Guid Add(GeometryBase geometry, ObjectAttributes attributes)
        {
            var item = new RhinoObject(geometry, attributes ?? new ObjectAttributes());
            items.Add(item);
            return item.Id;
        }
        public Guid Add(GeometryBase geometry) { return Add(geometry, null); }
        public Guid AddMesh(Mesh mesh, ObjectAttributes attributes) { return Add(mesh, attributes); }
        public Guid AddCurve(Curve curve, ObjectAttributes attributes) { return Add(curve, attributes); }
        public Guid AddTextDot(TextDot dot, ObjectAttributes attributes) { return Add(dot, attributes); }
        public RhinoObject FindId(Guid id) { return items.FirstOrDefault(each => each.Id == id); }
        public bool Delete(Guid objectId, bool quiet) { return items.RemoveAll(each => each.Id == objectId) > 0; }
        public IEnumerator<RhinoObject> GetEnumerator() { return items.ToList().GetEnumerator(); }
        IEnumerator IEnumerable.GetEnumerator() { return GetEnumerator(); }
    }

    public class LayerTable : IEnumerable<Layer>
    {
        readonly List<Layer> layers = new List<Layer>();
        public LayerTable() { Add("Default", Color.Black); }
        public int Count { get { return layers.Count; } }
        public int CurrentLayerIndex { get; internal set; }
        public Layer this[int index] { get { return layers[index]; } }
        public Layer FindIndex(int index) { return index >= 0 && index < layers.Count ? layers[index] : null; }
        public int Add(string layerName, Color layerColor)
        {
            return Add(new Layer { Name = layerName, Color = layerColor });
        }
        public int Add(Layer layer)
        {
            if (layer.Name.Contains("::")) return -1;
            layer.Table = this;
            layer.Index = layers.Count;
            layers.Add(layer);
            return layer.Index;
        }
        public int FindByFullPath(string layerPath, int notFoundReturnValue)
        {
            var found = layers.FirstOrDefault(each => !each.IsDeleted && each.FullPath == layerPath);
            return found == null ? notFoundReturnValue : found.Index;
        }
        public IEnumerator<Layer> GetEnumerator() { return layers.GetEnumerator(); }
        IEnumerator IEnumerable.GetEnumerator() { return GetEnumerator(); }
    }

    public class InstanceDefinitionTable
    {
        readonly List<InstanceDefinition> items = new List<InstanceDefinition>();
        public int Add(string name, string description, Point3d basePoint, IEnumerable<GeometryBase> geometry,
            IEnumerable<ObjectAttributes> attributes)
        {
            items.Add(new InstanceDefinition(name, geometry.Zip(attributes, (g, a) => new RhinoObject(g, a))));
            return items.Count - 1;
        }
        public InstanceDefinition this[int index] { get { return items[index]; } }
        public InstanceDefinition Find(Guid instanceId, bool ignoreDeletedInstanceDefinitions)
        {
            return items.FirstOrDefault(each => each.Id == instanceId);
        }
    }

    public class ViewTable { public void Redraw() { } }
}
