package io.onceflow.idempotency.internal.admission;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What is let in, and what is turned away at the door while there is too much to do. */
@ConfigMapping(prefix = "onceflow.admission")
public interface AdmissionConfig {

  /**
   * Requests that may be shed: method and path, where a segment in braces stands for any, such as
   * {@code POST /orders,POST /orders/{id}/return}. The path is that of {@code @Path}, below what
   * the application is configured to live below. Name what begins work, and leave out what ends
   * some, such as cancelling. None by default: who upgrades sheds nothing unasked.
   */
  Optional<List<String>> requests();

  /**
   * Such requests that are worked on or wait for a thread at once, per process. The longest wait of
   * one that is let in is about this number over what the process does in a second: with 256, a
   * second at 256 requests a second. Twice the clients of the benchmark's largest run, so that
   * those never meet it; and room for {@code onceflow.idempotency.wait.callers} that wait for
   * others beside as many that do something. More than Quarkus has threads (200), so that no thread
   * is idle while requests are shed.
   */
  @WithDefault("256")
  int mostInHand();

  /**
   * How often this process looks how much waits behind the requests, each time by one short query
   * of each kind. By as many as other replicas let in within this time what waits may go beyond its
   * bound. A quarter of a second of the benchmark's rate is two hundred requests.
   */
  @WithDefault("PT0.25S")
  Duration sampleInterval();

  /**
   * What {@code Retry-After} tells at least; at most twice that, at random, so that who was turned
   * away together does not come back together. About as long as it takes to work off some of what
   * waits.
   */
  @WithDefault("PT2S")
  Duration retryAfter();

  /** What one caller may have, so that none has everything; more is answered 429. */
  Caller caller();

  /**
   * How much of each bound, and of a caller's share, work may fill that goes on in the background,
   * such as an import. The rest is left to requests whose callers wait.
   */
  @WithDefault("0.5")
  double backgroundShare();

  /**
   * Bytes of request bodies that are worked on at once, per process; half of them for one caller. A
   * body in work takes about ten times its length, so that four megabytes fit into the heap that is
   * shipped (96 MB). Bodies no longer than this over {@link #mostInHand} do not count.
   */
  @WithDefault("4M")
  MemorySize mostBytesInHand();

  /** One caller, by its scope; for the requests that may be shed. */
  interface Caller {

    /** Its requests in hand at once, per process. Half of what all may have. */
    @WithDefault("128")
    int mostInHand();

    /**
     * Its requests in a second, on the average, per process. A request with many operations, such
     * as an import, counts as so many. About a quarter of what two cores do.
     */
    @WithDefault("200")
    int perSecond();

    /**
     * Its requests at once after a pause: those of two seconds, so that a flood is over before
     * others wait for it. A request with more operations than are left is let in and leaves a debt.
     */
    @WithDefault("400")
    int burst();

    /**
     * Its part of what may wait behind the requests, such as sagas under way, of all replicas
     * together. A quarter of the default of 10,000 sagas is two imports of a thousand and more.
     */
    @WithDefault("0.25")
    double share();

    /** Callers that are remembered, per process; some hundred bytes each. */
    @WithDefault("10000")
    int remembered();
  }
}
