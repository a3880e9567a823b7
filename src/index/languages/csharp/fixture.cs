using System;
using System.Collections.Generic;
using static System.Math;
using Json = Acme.Text.Json;

namespace Acme.Store;

/// <summary>A shop. class Fake {}</summary>
[Serializable, Route("private")]
public abstract partial class Shop<T> : BaseShop<T>, IShop where T : class, new()
{
    private const int Max = 10;
    public static readonly string Name = "x", Other;
    internal int count;
    public event EventHandler Changed;
    public int Size { get; private set; } = 1;
    protected string Label => $"{Name} class No {{}}";
    public T this[int i] { get => items[i]; set { items[i] = value; } }

    // TODO: inject
    public Shop(int size) : base(size) { Size = size; }
    ~Shop() { }

    protected override async Task<List<T>> LoadAsync<TKey>(TKey key, params int[] ids) where TKey : struct
    {
        foreach (var id in ids)
        {
            if (id > 0) { try { await Fetch(id)?.RunAsync(); } catch (Exception e) when (e.Data != null) { Log(e); } }
            else if (id < 0) { lock (this) { } }
        }
        int Local(int x) => Abs(x) + count;
        var made = new Order { Id = Local(1) };
        return Json.Parse<List<T>>(@"void Fake() {}", made.Id);
    }

    public abstract void Close();
    public static bool operator ==(Shop<T> a, Shop<T> b) => a.Equals(b);
    void IShop.Hidden() { }
    public delegate void Handler(object sender);

    private enum State { Open, Closed = 2 }
    public struct Point { public int X, Y; }
    public record Order(int Id, string Title) { public int Total { get; init; } }
    interface IInner { void Run(); int Count { get; } }
    class Deep { class Deeper { void Go() => Console.WriteLine("""class Raw {}"""); } }
}

public static class Extensions { public static int Twice(this int x) => x * 2; }
public class Broken { void A( { int x = ; } void B() { } }
