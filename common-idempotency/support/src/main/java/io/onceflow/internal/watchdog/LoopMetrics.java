package io.onceflow.internal.watchdog;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A gauge for each loop: how long ago it last ended a turn; of several of a name, the longest. */
@ApplicationScoped
class LoopMetrics {

  private final MeterRegistry registry;
  private final Set<String> told = new HashSet<>();
  private final PeriodicTask task = new PeriodicTask("loop-metrics", this::tell);

  LoopMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Loops begin at any time, so new ones are registered once a second. */
  void start(@Observes StartupEvent starting) {
    task.start(Duration.ZERO, Duration.ofSeconds(1));
  }

  void stop(@Observes ShutdownEvent stopping) {
    task.close();
  }

  void tell() {
    LoopWatch.running().stream().map(LoopWatch::loop).filter(told::add).forEach(this::register);
  }

  private void register(String loop) {
    Gauge.builder("onceflow.loop.last.turn.age", () -> age(loop))
        .description("How long ago the loop last finished a turn, on this replica")
        .baseUnit("seconds")
        .tag("loop", loop)
        .register(registry);
  }

  /** Null when the loop has ended. */
  private static @Nullable Number age(String loop) {
    return LoopWatch.running().stream()
        .filter(watch -> watch.loop().equals(loop))
        .map(LoopWatch::age)
        .max((one, other) -> one.compareTo(other))
        .map(age -> age.toMillis() / 1000.0)
        .orElse(null);
  }
}
