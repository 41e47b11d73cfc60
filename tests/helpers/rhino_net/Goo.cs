// What travels on wires: goo, paths and trees.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using Grasshopper.Kernel.Types;
using Rhino.Geometry;

namespace Grasshopper.Kernel.Types
{
    public interface IGH_Goo
    {
        bool IsValid { get; }
        string TypeName { get; }
        object ScriptVariable();
    }

    public interface IGH_GeometricGoo : IGH_Goo
    {
        bool IsReferencedGeometry { get; }
        Guid ReferenceID { get; set; }
    }

    public abstract class GH_Goo<T> : IGH_Goo
    {
        public virtual T Value { get; set; }
        public virtual bool IsValid { get { return Value != null; } }
        public virtual string TypeName { get { return typeof(T).Name; } }
        public virtual object ScriptVariable() { return Value; }
    }

    public abstract class GH_GeometricGoo<T> : GH_Goo<T>, IGH_GeometricGoo
    {
        public virtual Guid ReferenceID { get; set; }
        public virtual bool IsReferencedGeometry { get { return ReferenceID != Guid.Empty; } }
    }

    public class GH_Mesh : GH_GeometricGoo<Mesh> { public GH_Mesh(Mesh mesh) { Value = mesh; } }
    public class GH_Brep : GH_GeometricGoo<Brep> { public GH_Brep(Brep brep) { Value = brep; } }
    public class GH_SubD : GH_GeometricGoo<SubD> { public GH_SubD(SubD subd) { Value = subd; } }
    public class GH_Extrusion : GH_GeometricGoo<Extrusion> { public GH_Extrusion(Extrusion e) { Value = e; } }
    public class GH_InstanceReference : GH_GeometricGoo<InstanceReferenceGeometry>
    {
        public GH_InstanceReference(InstanceReferenceGeometry reference) { Value = reference; }
    }
    public class GH_Point : GH_Goo<Point3d> { public GH_Point(Point3d pt) { Value = pt; } }
    public class GH_Vector : GH_Goo<Vector3d> { public GH_Vector(Vector3d vector) { Value = vector; } }
    public class GH_Line : GH_Goo<Line> { public GH_Line(Line line) { Value = line; } }
    public class GH_Number : GH_Goo<double> { public GH_Number(double number) { Value = number; } }
    public class GH_Integer : GH_Goo<int> { public GH_Integer(int number) { Value = number; } }
    public class GH_Boolean : GH_Goo<bool> { public GH_Boolean(bool @bool) { Value = @bool; } }
    public class GH_String : GH_Goo<string> { public GH_String(string str) { Value = str; } }
    public class GH_Guid : GH_Goo<Guid> { public GH_Guid(Guid id) { Value = id; } }
    public class GH_ObjectWrapper : GH_Goo<object> { public GH_ObjectWrapper(object obj) { Value = obj; } }
}

namespace Grasshopper.Kernel
{
    public static class GH_Convert
    {
        public static IGH_Goo ToGoo(object data)
        {
            if (data == null) return null;
            if (data is IGH_Goo) return (IGH_Goo)data;
            if (data is double) return new GH_Number((double)data);
            if (data is int) return new GH_Integer((int)data);
            if (data is bool) return new GH_Boolean((bool)data);
            if (data is string) return new GH_String((string)data);
            if (data is Guid) return new GH_Guid((Guid)data);
            if (data is Point3d) return new GH_Point((Point3d)data);
            if (data is Vector3d) return new GH_Vector((Vector3d)data);
            if (data is Line) return new GH_Line((Line)data);
            if (data is Mesh) return new GH_Mesh((Mesh)data);
            if (data is Brep) return new GH_Brep((Brep)data);
            if (data is SubD) return new GH_SubD((SubD)data);
            if (data is Extrusion) return new GH_Extrusion((Extrusion)data);
            var reference = data as InstanceReferenceGeometry;
            return reference != null ? new GH_InstanceReference(reference) : (IGH_Goo)new GH_ObjectWrapper(data);
        }
    }
}

namespace Grasshopper.Kernel.Data
{
    public sealed class GH_Path : IComparable<GH_Path>
    {
        public GH_Path() { Indices = new int[0]; }
        public GH_Path(int index) { Indices = new[] { index }; }
        public GH_Path(params int[] args) { Indices = args; }
        public int[] Indices { get; set; }
        public int Length { get { return Indices.Length; } }
        public GH_Path AppendElement(int index)
        {
            var longer = new int[Length + 1];
            Indices.CopyTo(longer, 0);
            longer[Length] = index;
            return new GH_Path(longer);
        }
        public override string ToString() { return "{" + string.Join(";", Indices) + "}"; }
        public override bool Equals(object other)
        {
            return other is GH_Path && CompareTo((GH_Path)other) == 0;
        }
        public override int GetHashCode() { return Length == 0 ? 0 : Indices[Length - 1]; }
        public int CompareTo(GH_Path other)
        {
            for (int i = 0; i < Math.Min(Length, other.Length); i++)
                if (Indices[i] != other.Indices[i]) return Indices[i].CompareTo(other.Indices[i]);
            return Length.CompareTo(other.Length);
        }
    }

    public interface IGH_Structure
    {
        int PathCount { get; }
        int DataCount { get; }
        IList<GH_Path> Paths { get; }
        IList[] StructureProxy { get; }
        GH_Path get_Path(int index);
        IList get_Branch(int index);
        IList get_Branch(GH_Path path);
        IEnumerable<IGH_Goo> AllData(bool skipNulls);
    }

    public class GH_Structure<T> : IGH_Structure where T : IGH_Goo
    {
        readonly SortedDictionary<GH_Path, List<T>> branches = new SortedDictionary<GH_Path, List<T>>();
        public int PathCount { get { return branches.Count; } }
        public int DataCount { get { return branches.Values.Sum(each => each.Count); } }
        public IList<GH_Path> Paths { get { return branches.Keys.ToList(); } }
        public IList[] StructureProxy { get { return branches.Values.ToArray(); } }
        public GH_Path get_Path(int index) { return branches.Keys.ElementAt(index); }
        public IList get_Branch(int index) { return branches.Values.ElementAt(index); }
        public IList get_Branch(GH_Path path) { return branches[path]; }
        public IEnumerable<IGH_Goo> AllData(bool skipNulls)
        {
            return branches.Values.SelectMany(each => each).Where(each => each != null || !skipNulls).Cast<IGH_Goo>();
        }
        public void EnsurePath(GH_Path path) { if (!branches.ContainsKey(path)) branches[path] = new List<T>(); }
        public void Append(T data, GH_Path path) { EnsurePath(path); branches[path].Add(data); }
        public void Clear() { branches.Clear(); }
    }
}

namespace Grasshopper
{
    using Grasshopper.Kernel.Data;

    public class DataTree<T>
    {
        readonly Dictionary<GH_Path, List<T>> branches = new Dictionary<GH_Path, List<T>>();
        List<T> At(GH_Path path)
        {
            List<T> found;
            if (!branches.TryGetValue(path, out found)) branches[path] = found = new List<T>();
            return found;
        }
        public void EnsurePath(GH_Path path) { At(path); }
        public void Add(T data, GH_Path path) { At(path).Add(data); }
        public void AddRange(IEnumerable<T> data, GH_Path path) { At(path).AddRange(data); }
        public int BranchCount { get { return branches.Count; } }
        public int DataCount { get { return branches.Values.Sum(each => each.Count); } }
        public IList<GH_Path> Paths { get { return branches.Keys.OrderBy(each => each).ToList(); } }
        public List<T> Branch(GH_Path path) { return branches[path]; }
        public List<T> Branch(int index) { return Branch(Paths[index]); }
        public List<T> AllData() { return Paths.SelectMany(Branch).ToList(); }
    }
}
