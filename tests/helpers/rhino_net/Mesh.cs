// Meshes and their lists of vertices, faces, colours, normals and n-gons.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Drawing;
using System.Linq;
using System.Runtime.InteropServices;
using Rhino.Geometry.Collections;

namespace Rhino.Geometry
{
    [StructLayout(LayoutKind.Sequential)]
    public struct MeshFace
    {
        public MeshFace(int a, int b, int c) : this(a, b, c, c) { }
        public MeshFace(int a, int b, int c, int d) { A = a; B = b; C = c; D = d; }
        public int A { get; set; }
        public int B { get; set; }
        public int C { get; set; }
        public int D { get; set; }
        public bool IsQuad { get { return C != D; } }
    }

    public class MeshNgon
    {
        internal int[] Corners, Parts;
        public static MeshNgon Create(IList<int> meshVertexIndexList, IList<int> meshFaceIndexList)
        {
            return new MeshNgon { Corners = meshVertexIndexList.ToArray(), Parts = meshFaceIndexList.ToArray() };
        }
    }

    public class MeshingParameters
    {
        public static MeshingParameters FastRenderMesh { get; } = new MeshingParameters();
    }

    public class Mesh : GeometryBase
    {
        public Mesh()
        {
            Vertices = new MeshVertexList();
            Faces = new MeshFaceList();
            VertexColors = new MeshVertexColorList(Vertices);
            Normals = new MeshVertexNormalList(Vertices);
            Ngons = new MeshNgonList();
        }
        public MeshVertexList Vertices { get; }
        public MeshFaceList Faces { get; }
        public MeshVertexColorList VertexColors { get; }
        public MeshVertexNormalList Normals { get; }
        public MeshNgonList Ngons { get; }

        public bool Compact()
        {
            var used = new HashSet<int>(Faces.Data.SelectMany(f => new[] { f.A, f.B, f.C, f.D }));
            if (used.Count != Vertices.Count) throw new InvalidOperationException("a mesh with loose vertices");
            return true;
        }

        public Mesh DuplicateMesh()
        {
            var copy = new Mesh();
            copy.Vertices.Data.AddRange(Vertices.Data);
            copy.Faces.Data.AddRange(Faces.Data);
            copy.VertexColors.Data.AddRange(VertexColors.Data);
            copy.Ngons.Data.AddRange(Ngons.Data);
            copy.Normals.Made = Normals.Made;
            return copy;
        }

        public override bool Transform(Transform xform)
        {
            var m = xform;
            var xyz = Vertices.Data;
            for (int i = 0; i < xyz.Count; i++)
            {
                var p = xyz[i];
                xyz[i] = new Point3d(
                    m.M00 * p.X + m.M01 * p.Y + m.M02 * p.Z + m.M03,
                    m.M10 * p.X + m.M11 * p.Y + m.M12 * p.Z + m.M13,
                    m.M20 * p.X + m.M21 * p.Y + m.M22 * p.Z + m.M23);
                if (!Vertices.UseDoublePrecisionVertices) xyz[i] = MeshVertexList.Single(xyz[i]);
            }
            return true;
        }

        public static Mesh[] CreateFromBrep(Brep brep, MeshingParameters meshingParameters)
        {
            if (meshingParameters == null) throw new ArgumentNullException("meshingParameters");
            return brep.RenderMesh == null ? null : new[] { brep.RenderMesh };
        }

        public static Mesh CreateFromSubDControlNet(SubD subd) { return subd.Net.DuplicateMesh(); }
    }
}

namespace Rhino.Geometry.Collections
{
    public class MeshVertexList
    {
        internal readonly List<Point3d> Data = new List<Point3d>();
        internal static Point3d Single(Point3d p) { return new Point3d((float)p.X, (float)p.Y, (float)p.Z); }
        Point3d Kept(Point3d p) { return UseDoublePrecisionVertices ? p : Single(p); }

        public bool UseDoublePrecisionVertices { get; set; }
        public int Count { get { return Data.Count; } set { Data.RemoveRange(value, Data.Count - value); } }
        public int Add(double x, double y, double z) { Data.Add(Kept(new Point3d(x, y, z))); return Data.Count - 1; }
        public int Add(float x, float y, float z) { return Add((double)x, (double)y, (double)z); }
        public int Add(Point3d vertex) { return Add(vertex.X, vertex.Y, vertex.Z); }
        public int Add(Point3f vertex) { return Add((double)vertex.X, (double)vertex.Y, (double)vertex.Z); }
        public void AddVertices(IEnumerable<Point3d> vertices) { foreach (var p in vertices) Add(p); }
        public void AddVertices(IEnumerable<Point3f> vertices)
        {
            Data.AddRange(vertices.Select(p => new Point3d(p.X, p.Y, p.Z)));
        }
        public Point3f this[int index]
        {
            get { var p = Data[index]; return new Point3f((float)p.X, (float)p.Y, (float)p.Z); }
            set { Data[index] = new Point3d(value.X, value.Y, value.Z); }
        }
        public Point3d[] ToPoint3dArray() { return Data.ToArray(); }
        public Point3f[] ToPoint3fArray() { return Enumerable.Range(0, Count).Select(i => this[i]).ToArray(); }
        public float[] ToFloatArray() { return ToPoint3fArray().SelectMany(p => new[] { p.X, p.Y, p.Z }).ToArray(); }
    }

    public class MeshFaceList : IEnumerable<MeshFace>
    {
        internal readonly List<MeshFace> Data = new List<MeshFace>();
        public int Count { get { return Data.Count; } set { Data.RemoveRange(value, Data.Count - value); } }
        public int AddFace(MeshFace face) { Data.Add(face); return Data.Count - 1; }
        public int AddFace(int vertex1, int vertex2, int vertex3)
        {
            return AddFace(new MeshFace(vertex1, vertex2, vertex3));
        }
        public int AddFace(int vertex1, int vertex2, int vertex3, int vertex4)
        {
            return AddFace(new MeshFace(vertex1, vertex2, vertex3, vertex4));
        }
        public int[] AddFaces(IEnumerable<MeshFace> faces) { return faces.Select(AddFace).ToArray(); }
        public MeshFace GetFace(int index) { return Data[index]; }
        public MeshFace this[int index] { get { return Data[index]; } set { Data[index] = value; } }
        public int[] ToIntArray(bool asTriangles)
        {
            if (!asTriangles) return Data.SelectMany(f => new[] { f.A, f.B, f.C, f.D }).ToArray();
            return Data.SelectMany(f => f.IsQuad ? new[] { f.A, f.B, f.C, f.C, f.D, f.A } : new[] { f.A, f.B, f.C })
                .ToArray();
        }
        public IEnumerator<MeshFace> GetEnumerator() { return Data.GetEnumerator(); }
        IEnumerator IEnumerable.GetEnumerator() { return GetEnumerator(); }
    }

    public class MeshVertexColorList
    {
        readonly MeshVertexList vertices;
        internal readonly List<Color> Data = new List<Color>();
        internal MeshVertexColorList(MeshVertexList vertices) { this.vertices = vertices; }
        public int Count { get { return Data.Count; } set { Data.RemoveRange(value, Data.Count - value); } }
        public int Add(Color color) { Data.Add(color); return Data.Count - 1; }
        public bool CreateMonotoneMesh(Color baseColor)
        {
            Data.Clear();
            Data.AddRange(Enumerable.Repeat(baseColor, vertices.Count));
            return true;
        }
        public Color this[int index] { get { return Data[index]; } set { Data[index] = value; } }
    }

    public class MeshVertexNormalList
    {
        readonly MeshVertexList vertices;
        internal bool Made;
        internal MeshVertexNormalList(MeshVertexList vertices) { this.vertices = vertices; }
        public int Count { get { return Made ? vertices.Count : 0; } }
        public bool ComputeNormals() { Made = true; return true; }
    }

    public class MeshNgonList
    {
        internal readonly List<MeshNgon> Data = new List<MeshNgon>();
        public int Count { get { return Data.Count; } }
        public int AddNgon(MeshNgon ngon) { Data.Add(ngon); return Data.Count - 1; }
    }
}
