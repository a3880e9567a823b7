package com.acme.store;

import java.util.*;
import java.util.function.Function;
import static com.acme.util.Text.trim;
import com.acme.model.Order;

/**
 * A shop. class NotHere {}
 */
@SuppressWarnings({"unchecked", "private"})
@Entity(name = "shop")
public abstract class Shop<T extends Order & Comparable<T>> extends Base<T> implements Closeable, Listener<T> {
    public static final int MAX = 10, MIN[] = {1};
    private final Map<String, List<T>> orders = new HashMap<>();
    protected volatile Clock clock;

    static { init(); }

    // TODO: inject
    public Shop(Clock clock) {
        super(clock);
        this.clock = clock;
    }

    @Override
    public <R> List<R> map(Function<? super T, ? extends R> fn, int... limits) throws IOException {
        for (var entry : orders.entrySet()) {
            if (entry.getKey() == null) {
                continue;
            } else if (limits.length > 0) {
                try { trim(entry.getKey()); } catch (RuntimeException | Error e) { log(e); }
            }
        }
        Runnable task = () -> this.clock.tick();
        return new ArrayList<R>() {
            @Override public boolean add(R r) { return super.add(r); }
        };
    }

    abstract Order find(String id);

    private static String text() {
        return """
            class Fake { void no() {} }
            """;
    }

    public enum State implements Named {
        OPEN("o") { @Override String label() { return "x"; } },
        CLOSED;
        private String code;
        State(String... code) {}
        String label() { return code; }
    }

    interface Listener<E> extends EventListener { int LEVEL = 1; void on(E event); default void off() {} }

    record Point(int x, int y) implements Comparable<Point> {
        Point { if (x < 0) throw new IllegalArgumentException(); }
        static Point origin() { return new Point(0, 0); }
    }

    @interface Marker { String value() default "void f() {}"; }

    class Inner { class Deeper { void deep() { find("1").total(); } } }
}

class Broken { void a( { int x = ; } void b() {} }
