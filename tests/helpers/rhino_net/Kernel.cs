// Documents, components, parameters and solutions of Grasshopper.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Collections.ObjectModel;
using System.Linq;
using System.Threading;
using Grasshopper.Kernel.Data;
using Grasshopper.Kernel.Types;

namespace Grasshopper
{
    public static class Instances
    {
        public static Kernel.GH_DocumentServer DocumentServer { get; internal set; } = new Kernel.GH_DocumentServer();

        public static GUI.Canvas.GH_Canvas ActiveCanvas { get; internal set; }

        // For the tests: the thread of the canvas, and members that were used on another one.
        public static readonly List<string> Trespasses = new List<string>();
        static int thread;
        public static void Reset(bool editor)
        {
            ActiveCanvas = editor ? new GUI.Canvas.GH_Canvas() : null;
            DocumentServer = new Kernel.GH_DocumentServer();
            Kernel.GH_Document.EnableSolutions = true;
            thread = Thread.CurrentThread.ManagedThreadId;
            Trespasses.Clear();
        }
        public static string[] TypeNames(List<object> items)
        {
            return items.Select(each => each.GetType().Name).ToArray();
        }
        internal static void Check(string member)
        {
            if (Thread.CurrentThread.ManagedThreadId != thread) lock (Trespasses) Trespasses.Add(member);
        }
    }
}

namespace Grasshopper
{
    public static class Folders { public static string DefaultUserObjectFolder { get; set; } }
}

namespace Grasshopper.GUI.Canvas { public class GH_Canvas { } }

namespace Grasshopper.Kernel
{
    public enum GH_RuntimeMessageLevel { Blank = 0, Warning = 10, Error = 20, Remark = 255 }
    public enum GH_ParamAccess { item, list, tree }
    public enum GH_ProcessStep { PreProcess, Process, PostProcess, Aborted }

    public class GH_ScriptInstance { }

    public interface IGH_InstanceDescription
    {
        Guid InstanceGuid { get; }
        string Name { get; set; }
    }

    public interface IGH_DocumentObject : IGH_InstanceDescription
    {
        GH_Document OnPingDocument();
        void ExpireSolution(bool recompute);
    }

    public interface IGH_DocumentOwner { GH_Document OwnerDocument(); }

    public interface IGH_Param : IGH_InstanceDescription
    {
        GH_ParamAccess Access { get; set; }
        bool Optional { get; set; }
        IGH_Structure VolatileData { get; }
        int VolatileDataCount { get; }
        int SourceCount { get; }
        IList<IGH_Param> Sources { get; }
        IList<IGH_Param> Recipients { get; }
        void AddSource(IGH_Param source);
        void RemoveAllSources();
    }

    public class Param : IGH_Param
    {
        readonly GH_Structure<IGH_Goo> own = new GH_Structure<IGH_Goo>();
        public Guid InstanceGuid { get; } = Guid.NewGuid();
        public string Name { get; set; }
        public GH_ParamAccess Access { get; set; }
        public bool Optional { get; set; }
        public IList<IGH_Param> Sources { get; } = new List<IGH_Param>();
        public IList<IGH_Param> Recipients { get; } = new List<IGH_Param>();
        public int SourceCount { get { return Sources.Count; } }
        public int VolatileDataCount { get { return VolatileData.DataCount; } }
        public void AddSource(IGH_Param source) { Sources.Add(source); source.Recipients.Add(this); }
        public void RemoveAllSources() { Sources.Clear(); }
        public void Clear() { own.Clear(); }
        public void Put(object data, GH_Path path) { own.Append(GH_Convert.ToGoo(data), path); }
        public void PutTree(DataTree<object> tree)
        {
            foreach (var path in tree.Paths) foreach (var item in tree.Branch(path)) Put(item, path);
        }
        public void PutNothing(GH_Path path) { own.EnsurePath(path); }
        public IGH_Structure VolatileData
        {
            get
            {
                if (Sources.Count == 0) return own;
                if (Sources.Count == 1) return Sources[0].VolatileData;
                var all = new GH_Structure<IGH_Goo>();
                foreach (var source in Sources)
                    foreach (var path in source.VolatileData.Paths)
                        foreach (IGH_Goo goo in source.VolatileData.get_Branch(path)) all.Append(goo, path);
                return all;
            }
        }
    }

    public class GH_ComponentParamServer
    {
        public List<IGH_Param> Input { get; } = new List<IGH_Param>();
        public List<IGH_Param> Output { get; } = new List<IGH_Param>();
    }

    // One call of a script: what it is given, and where its outputs go.
    public class Run
    {
        public object[] Inputs;
        public GH_Path Path;
        public int Index;
        public bool HasItems;
    }

    public abstract class GH_Component : IGH_DocumentObject
    {
        string message = "";
        internal GH_Document Document;
        readonly List<KeyValuePair<GH_RuntimeMessageLevel, string>> told
            = new List<KeyValuePair<GH_RuntimeMessageLevel, string>>();

        protected GH_Component() { InstanceGuid = Guid.NewGuid(); Params = new GH_ComponentParamServer(); RunCount = -1; }
        public Guid InstanceGuid { get; set; }
        public string Name { get; set; }
        public GH_ComponentParamServer Params { get; }
        public int RunCount { get; internal set; }
        public bool Locked { get; set; }
        public bool Expired = true;
        public int Redraws;
        public string Message
        {
            get { return message; }
            set { Instances.Check("Message"); message = value; }
        }
        public void AddRuntimeMessage(GH_RuntimeMessageLevel level, string text)
        {
            Instances.Check("AddRuntimeMessage");
            told.Add(new KeyValuePair<GH_RuntimeMessageLevel, string>(level, text));
        }
        public IList<string> RuntimeMessages(GH_RuntimeMessageLevel level)
        {
            return told.Where(each => each.Key == level).Select(each => each.Value).ToList();
        }
        public void ClearRuntimeMessages() { told.Clear(); }
        public GH_Document OnPingDocument() { Instances.Check("OnPingDocument"); return Document; }
        public void OnDisplayExpired(bool redraw) { Instances.Check("OnDisplayExpired"); Redraws++; }
        public void ExpireSolution(bool recompute)
        {
            Instances.Check("ExpireSolution");
            if (Document != null && Document.SolutionState == GH_ProcessStep.Process)
                throw new InvalidOperationException("An object expired during a solution.");
            Expired = true;
        }
    }

    public class ScriptComponent : GH_Component
    {
        // Data matching of Grasshopper: branch by branch, the shorter repeats its last; within a branch item by item.
        public List<Run> Runs(bool wrapped)
        {
            var given = Params.Input.Select(each => each.VolatileData).ToArray();
            int branches = Math.Max(1, given.Max(each => each.PathCount));
            var first = given.FirstOrDefault(each => each.PathCount == branches);
            var runs = new List<Run>();
            for (int b = 0; b < branches; b++)
            {
                var lists = given.Select(each => Branch(each, b)).ToArray();
                var lengths = lists.Where((each, i) => Params.Input[i].Access == GH_ParamAccess.item && each != null)
                    .Select(each => each.Count).ToArray();
                var path = first == null ? new GH_Path(0) : first.get_Path(b);
                int count = lengths.Length == 0 ? 1 : lengths.Max();
                for (int k = 0; k < count; k++)
                    runs.Add(new Run { Inputs = Row(given, lists, k, wrapped), Path = path, Index = k,
                                       HasItems = lengths.Length > 0 });
            }
            return runs;
        }
        public void Enter(int run) { RunCount = run; }

        static IList Branch(IGH_Structure tree, int index)
        {
            return tree.PathCount == 0 ? null : tree.get_Branch(Math.Min(index, tree.PathCount - 1));
        }
        object[] Row(IGH_Structure[] given, IList[] lists, int k, bool wrapped)
        {
            return Enumerable.Range(0, lists.Length).Select(i => Given(given[i], lists[i], Params.Input[i].Access, k, wrapped))
                .ToArray();
        }
        static object Given(IGH_Structure tree, IList branch, GH_ParamAccess access, int k, bool wrapped)
        {
            if (access == GH_ParamAccess.tree) return tree;
            if (access == GH_ParamAccess.list)
                return branch == null ? new List<object>()
                                      : branch.Cast<IGH_Goo>().Select(goo => Bare(goo, wrapped)).ToList();
            if (branch == null || branch.Count == 0) return null;
            return Bare((IGH_Goo)branch[Math.Min(k, branch.Count - 1)], wrapped);
        }
        static object Bare(IGH_Goo goo, bool wrapped) { return goo == null || wrapped ? goo : goo.ScriptVariable(); }
    }

    public class GH_DocObjectEventArgs : EventArgs
    {
        internal GH_DocObjectEventArgs(GH_Document document, IGH_DocumentObject[] objects)
        {
            Document = document;
            Objects = new ReadOnlyCollection<IGH_DocumentObject>(objects);
        }
        public GH_Document Document { get; }
        public ReadOnlyCollection<IGH_DocumentObject> Objects { get; }
    }

    public class GH_SolutionEventArgs : EventArgs { }

    public class GH_Document
    {
        public delegate void GH_ScheduleDelegate(GH_Document document);
        public delegate void ObjectsDeletedEventHandler(object sender, GH_DocObjectEventArgs e);
        public delegate void SolutionEndEventHandler(object sender, GH_SolutionEventArgs e);

        static ulong count;
        readonly List<KeyValuePair<DateTime, GH_ScheduleDelegate>> scheduled
            = new List<KeyValuePair<DateTime, GH_ScheduleDelegate>>();

        public GH_Document() { DocumentID = Guid.NewGuid(); RuntimeID = ++count; Enabled = true; }
        public static bool EnableSolutions { get; set; } = true;
        public event ObjectsDeletedEventHandler ObjectsDeleted;
        public event SolutionEndEventHandler SolutionEnd;
        public Guid DocumentID { get; set; }
        public ulong RuntimeID { get; }
        public bool Enabled { get; set; }
        public IGH_DocumentOwner Owner { get; set; }
        public GH_ProcessStep SolutionState { get; internal set; } = GH_ProcessStep.PostProcess;
        public IList<IGH_DocumentObject> Objects { get; } = new List<IGH_DocumentObject>();
        public bool AddObject(IGH_DocumentObject docObject, bool update, int index)
        {
            Objects.Add(docObject);
            ((GH_Component)docObject).Document = this;
            return true;
        }
        public bool RemoveObject(IGH_DocumentObject docObject, bool update)
        {
            Objects.Remove(docObject);
            ((GH_Component)docObject).Document = null;
            if (ObjectsDeleted != null) ObjectsDeleted(this, new GH_DocObjectEventArgs(this, new[] { docObject }));
            return true;
        }
        public void ScheduleSolution(int delay, GH_ScheduleDelegate callback)
        {
            Instances.Check("ScheduleSolution");
            var when = DateTime.UtcNow.AddMilliseconds(delay);
            scheduled.Add(new KeyValuePair<DateTime, GH_ScheduleDelegate>(when, callback));
        }
        public void ScheduleSolution(int delay) { ScheduleSolution(delay, null); }

        public int ScheduledCount { get { return scheduled.Count; } }

        // For the tests: calls what is due; true if a solution is to run now. A locked solver forgets what was due.
        public bool TakeDue()
        {
            var due = scheduled.Where(each => each.Key <= DateTime.UtcNow).ToList();
            scheduled.RemoveAll(each => due.Contains(each));
            if (due.Count == 0 || !EnableSolutions || !Enabled) return false;
            foreach (var each in due) if (each.Value != null) each.Value(this);
            return true;
        }
        public void Begin() { SolutionState = GH_ProcessStep.Process; }
        public void End()
        {
            SolutionState = GH_ProcessStep.PostProcess;
            if (SolutionEnd != null) SolutionEnd(this, new GH_SolutionEventArgs());
        }
    }

    public class GH_DocumentServer
    {
        public delegate void DocumentRemovedEventHandler(GH_DocumentServer sender, GH_Document doc);
        public event DocumentRemovedEventHandler DocumentRemoved;
        readonly List<GH_Document> documents = new List<GH_Document>();
        public int DocumentCount { get { return documents.Count; } }
        public void AddDocument(GH_Document document) { documents.Add(document); }
        public void RemoveDocument(GH_Document document)
        {
            documents.Remove(document);
            if (DocumentRemoved != null) DocumentRemoved(this, document);
        }
    }
}

namespace Grasshopper.Kernel.Special
{
    // A cluster: the owner of a document, and an object of another one.
    public class GH_Cluster : GH_Component, IGH_DocumentOwner
    {
        public GH_Document OwnerDocument() { return Document; }
    }
}
