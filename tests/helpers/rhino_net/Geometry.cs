// Points, lines, transformations and the geometry of objects: the members of Rhino.Geometry that compas_nscd uses.
using System;
using System.Collections.Generic;
using System.Collections.Specialized;
using System.Linq;
using System.Runtime.InteropServices;

namespace Rhino.Geometry
{
    [StructLayout(LayoutKind.Sequential)]
    public struct Point3d
    {
        public Point3d(double x, double y, double z) { X = x; Y = y; Z = z; }
        public double X { get; set; }
        public double Y { get; set; }
        public double Z { get; set; }
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Vector3d
    {
        public Vector3d(double x, double y, double z) { X = x; Y = y; Z = z; }
        public double X { get; set; }
        public double Y { get; set; }
        public double Z { get; set; }
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Point3f
    {
        public Point3f(float x, float y, float z) { X = x; Y = y; Z = z; }
        public float X { get; set; }
        public float Y { get; set; }
        public float Z { get; set; }
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Line
    {
        public Line(Point3d from, Point3d to) { From = from; To = to; }
        public Point3d From { get; set; }
        public Point3d To { get; set; }
    }

    public struct Plane
    {
        public Plane(Point3d origin, Vector3d normal) { Origin = origin; Normal = normal; }
        public Point3d Origin { get; set; }
        public Vector3d Normal { get; }
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Transform
    {
        public Transform(double diagonalValue) : this()
        {
            M00 = M11 = M22 = diagonalValue;
            M33 = 1.0;
        }
        public static Transform Identity { get { return new Transform(1.0); } }
        public double M00 { get; set; }
        public double M01 { get; set; }
        public double M02 { get; set; }
        public double M03 { get; set; }
        public double M10 { get; set; }
        public double M11 { get; set; }
        public double M12 { get; set; }
        public double M13 { get; set; }
        public double M20 { get; set; }
        public double M21 { get; set; }
        public double M22 { get; set; }
        public double M23 { get; set; }
        public double M30 { get; set; }
        public double M31 { get; set; }
        public double M32 { get; set; }
        public double M33 { get; set; }
    }

    public abstract class GeometryBase
    {
        readonly NameValueCollection strings = new NameValueCollection();
        public bool SetUserString(string key, string value) { strings[key] = value; return true; }
        public int UserStringCount { get { return strings.Count; } }
        public string GetUserString(string key) { return strings[key]; }
        public NameValueCollection GetUserStrings() { return new NameValueCollection(strings); }
        public virtual bool Transform(Transform xform) { return false; }
        public virtual GeometryBase Duplicate() { return (GeometryBase)MemberwiseClone(); }
    }

    public class Point : GeometryBase
    {
        public Point(Point3d location) { Location = location; }
        public Point3d Location { get; set; }
    }

    public abstract class Curve : GeometryBase
    {
        internal bool Straight = true;
        public bool IsLinear(double tolerance) { return Straight; }
    }

    public class LineCurve : Curve
    {
        public LineCurve(Point3d from, Point3d to) { Line = new Line(from, to); }
        public LineCurve(Line line) { Line = line; }
        public Line Line { get; set; }
    }

    public class PolylineCurve : Curve
    {
        readonly Point3d[] points;
        public PolylineCurve(IEnumerable<Point3d> points) { this.points = points.ToArray(); }
        public int PointCount { get { return points.Length; } }
        public Point3d Point(int index) { return points[index]; }
    }

    public class TextDot : GeometryBase
    {
        public TextDot(string text, Point3d location) { Text = text; Point = location; }
        public string Text { get; set; }
        public Point3d Point { get; set; }
    }

    public abstract class Surface : GeometryBase
    {
        internal bool Flat = true;
        public bool IsPlanar(double tolerance) { return Flat; }
    }

    public class InstanceReferenceGeometry : GeometryBase
    {
        public InstanceReferenceGeometry(Guid instanceDefinitionId, Transform transform)
        {
            ParentIdefId = instanceDefinitionId;
            Xform = transform;
        }
        public Guid ParentIdefId { get; }
        public Transform Xform { get; }
    }
}
