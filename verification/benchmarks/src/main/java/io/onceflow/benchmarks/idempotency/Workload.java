package io.onceflow.benchmarks.idempotency;

import io.onceflow.benchmarks.load.Callers;
import io.onceflow.benchmarks.load.Herds;
import io.onceflow.benchmarks.load.Load;
import io.onceflow.benchmarks.load.OwnKeys;
import io.onceflow.benchmarks.load.Repeats;
import java.util.function.BiFunction;

/** What the clients do. */
enum Workload {
  UNGUARDED("no guard", "/notes/unguarded", OwnKeys::new, true),
  OWN_KEYS("own keys", "/notes/guarded", OwnKeys::new, false),
  OWN_KEYS_LEASED("own keys, leased", "/notes/leased", OwnKeys::new, true),
  HERD("herd on a new key", "/notes/guarded", Herds::new, false),
  REPEATS("repeats of a finished key", "/notes/guarded", Repeats::new, false);

  private final String title;
  private final String path;
  private final BiFunction<Callers, String, Load> load;
  private final boolean isForPostgresOnly;

  Workload(
      String title,
      String path,
      BiFunction<Callers, String, Load> load,
      boolean isForPostgresOnly) {
    this.title = title;
    this.path = path;
    this.load = load;
    this.isForPostgresOnly = isForPostgresOnly;
  }

  String title() {
    return title;
  }

  /** The baseline needs no store, and the two modes are compared on one. */
  boolean isMeasuredWith(Store store) {
    return store == Store.POSTGRES || !isForPostgresOnly;
  }

  Load load(Callers callers) {
    return load.apply(callers, path);
  }
}
