// Breps, extrusions and SubDs: polyhedra that the tests make with `Make`, which Rhino does not have.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using Rhino.Geometry.Collections;

namespace Rhino.Geometry
{
    public class BrepVertex : Point
    {
        internal BrepVertex(Point3d location, int index) : base(location) { VertexIndex = index; }
        public int VertexIndex { get; }
    }

    public class BrepTrim : GeometryBase
    {
        internal BrepTrim(BrepVertex start) { StartVertex = start; }
        public BrepVertex StartVertex { get; }
    }

    public class BrepLoop : GeometryBase
    {
        internal BrepLoop(IEnumerable<BrepTrim> trims) { Trims = new BrepTrimList(trims); }
        public BrepTrimList Trims { get; }
    }

    public class BrepFace : Surface
    {
        internal BrepFace(BrepLoop outer, bool reversed)
        {
            OuterLoop = outer;
            OrientationIsReversed = reversed;
            Loops = new BrepLoopList(new[] { outer });
        }
        public BrepLoop OuterLoop { get; }
        public BrepLoopList Loops { get; }
        public bool OrientationIsReversed { get; set; }
    }

    public class BrepEdge : Curve { }

    public class Brep : GeometryBase
    {
        internal Mesh RenderMesh;
        Brep() { }
        public BrepVertexList Vertices { get; private set; }
        public BrepFaceList Faces { get; private set; }
        public BrepEdgeList Edges { get; private set; }
        public bool IsSolid { get; private set; }

        public static Brep Make(IList<Point3d> points, int[][] faces, int[] reversed, bool closed, Mesh mesh)
        {
            var vertices = points.Select((p, i) => new BrepVertex(p, i)).ToArray();
            var made = faces.Select((corners, k) => MakeFace(vertices, corners, reversed.Contains(k))).ToArray();
            foreach (var face in made) face.Flat = mesh == null;
            return new Brep
            {
                Vertices = new BrepVertexList(vertices), Faces = new BrepFaceList(made), IsSolid = closed,
                Edges = new BrepEdgeList(new[] { new BrepEdge() }), RenderMesh = mesh
            };
        }

        static BrepFace MakeFace(BrepVertex[] vertices, int[] corners, bool reversed)
        {
            var order = reversed ? corners.Reverse() : corners;
            return new BrepFace(new BrepLoop(order.Select(i => new BrepTrim(vertices[i]))), reversed);
        }
    }

    public class Extrusion : Surface
    {
        readonly Brep brep;
        Extrusion(Brep brep) { this.brep = brep; }
        public static Extrusion Make(Brep brep) { return new Extrusion(brep); }
        public Brep ToBrep(bool splitKinkyFaces) { return brep; }
    }

    public enum SubDEdgeTag { Unset, Smooth, Crease, SmoothX }

    public class SubDEdge { public SubDEdgeTag Tag { get; set; } }

    public class SubD : GeometryBase
    {
        internal Mesh Net;
        Brep smooth;
        public SubDEdgeList Edges { get; private set; }
        public Brep ToBrep() { return smooth; }

        public static SubD Make(Mesh net, Brep smooth)
        {
            var tag = smooth == null ? SubDEdgeTag.Crease : SubDEdgeTag.Smooth;
            var edges = Enumerable.Range(0, 12).Select(i => new SubDEdge { Tag = tag });
            return new SubD { Net = net, smooth = smooth, Edges = new SubDEdgeList(edges) };
        }
    }
}

namespace Rhino.Geometry.Collections
{
    public abstract class Listed<T> : IEnumerable<T>
    {
        readonly List<T> items;
        internal Listed(IEnumerable<T> items) { this.items = items.ToList(); }
        public int Count { get { return items.Count; } }
        public T this[int index] { get { return items[index]; } }
        public IEnumerator<T> GetEnumerator() { return items.GetEnumerator(); }
        IEnumerator IEnumerable.GetEnumerator() { return GetEnumerator(); }
    }
    public class BrepVertexList : Listed<BrepVertex> { internal BrepVertexList(IEnumerable<BrepVertex> i) : base(i) { } }
    public class BrepTrimList : Listed<BrepTrim> { internal BrepTrimList(IEnumerable<BrepTrim> i) : base(i) { } }
    public class BrepLoopList : Listed<BrepLoop> { internal BrepLoopList(IEnumerable<BrepLoop> i) : base(i) { } }
    public class BrepFaceList : Listed<BrepFace> { internal BrepFaceList(IEnumerable<BrepFace> i) : base(i) { } }
    public class BrepEdgeList : Listed<BrepEdge> { internal BrepEdgeList(IEnumerable<BrepEdge> i) : base(i) { } }
    // As in Rhino, the edges of a SubD are enumerated, not indexed.
    public class SubDEdgeList : IEnumerable<SubDEdge>
    {
        readonly SubDEdge[] items;
        internal SubDEdgeList(IEnumerable<SubDEdge> items) { this.items = items.ToArray(); }
        public int Count { get { return items.Length; } }
        public IEnumerator<SubDEdge> GetEnumerator() { return ((IEnumerable<SubDEdge>)items).GetEnumerator(); }
        IEnumerator IEnumerable.GetEnumerator() { return items.GetEnumerator(); }
    }
}
