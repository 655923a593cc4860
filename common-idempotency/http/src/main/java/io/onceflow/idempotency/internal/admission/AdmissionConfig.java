package io.onceflow.idempotency.internal.admission;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Limits for admitting requests, and for the share of one caller. */
@ConfigMapping(prefix = "onceflow.admission")
public interface AdmissionConfig {

  /**
   * Requests that may be shed: method and path, where a segment in braces stands for any, such as
   * {@code POST /orders,POST /orders/{id}/return}. The path is that of {@code @Path}, below the
   * application's root path. Name requests that start work, and leave out those that end it, such
   * as cancelling. None by default, so that an upgrade sheds nothing.
   */
  Optional<List<String>> requests();

  /**
   * Requests that read or end work, such as {@code GET /orders,POST /orders/{id}/cancellation}.
   * They are never shed for work that waits, but count for their caller: its requests in progress,
   * its requests in a second, apart from those that start work, and the bytes of its answers.
   */
  Optional<List<String>> otherRequests();

  /**
   * Such requests that run or wait for a thread at once, per process. The longest wait of an
   * admitted request is about this number divided by the requests that the process answers in a
   * second: with 256, a second at 256 requests a second. Twice the clients of the benchmark's
   * largest run; room for {@code onceflow.idempotency.wait.callers} that wait and as many that run;
   * and more than Quarkus has threads (200), so that no thread is idle while requests are shed.
   */
  @WithDefault("256")
  int mostInHand();

  /**
   * How often this process reads how much work waits behind the requests, by one short query for
   * each kind. The waiting work may exceed its limit by as much as other replicas admit between two
   * readings. A quarter of a second at the benchmark's rate is two hundred requests. A query that
   * took longer than a twentieth of this is followed by a rest of twenty times as long, two seconds
   * at most; it ends early when this process has admitted a twentieth of the limit. While this
   * process admits nothing, and less than a twentieth of the limit waits, it reads every ten
   * seconds.
   */
  @WithDefault("PT0.25S")
  Duration sampleInterval();

  /**
   * The least {@code Retry-After}; the value is random, up to twice this, so that callers refused
   * at the same time do not repeat at the same time. About as long as it takes to process some of
   * the waiting work.
   */
  @WithDefault("PT2S")
  Duration retryAfter();

  /** The limits of one caller; more is answered 429. */
  Caller caller();

  /**
   * How much of each limit, and of a caller's share, background work such as an import may use. The
   * rest is left to requests whose callers wait.
   */
  @WithDefault("0.5")
  double backgroundShare();

  /**
   * Bytes of request bodies in progress at once, per process; one caller gets half of what the
   * others leave. A body takes about ten times its length of memory, so that four megabytes fit
   * into the smaller heap that the images come with (96 MB). Bodies no longer than this divided by
   * {@link #mostInHand} do not count. As many bytes of answers may wait for their clients to take
   * them.
   */
  @WithDefault("4M")
  MemorySize mostBytesInHand();

  /** The limits of one caller, by its scope, for the requests named above. */
  interface Caller {

    /** Its requests in progress at once, per process. Half of the limit for all. */
    @WithDefault("128")
    int mostInHand();

    /**
     * What requests may take on the average before callers count as slowing each other down. While
     * they do, none may have more in hand than all others together, and four at least. Well above
     * what a busy process takes, and a quarter of what a client notices as a fault.
     */
    @WithDefault("PT0.25S")
    Duration slowAfter();

    /**
     * By how much a further 429 is delayed that follows one within a tenth of a second. So a client
     * that waits for each answer sends four requests a second by each connection. Zero for none.
     */
    @WithDefault("PT0.25S")
    Duration refusalDelay();

    /**
     * Its requests in a second, on the average, per process. A request with many operations, such
     * as an import, counts as so many, and each 4 kB of its body, or of its answer, as one more.
     * Requests that start work and others are counted apart. About a quarter of the capacity of two
     * cores.
     */
    @WithDefault("200")
    int perSecond();

    /**
     * Its requests at once after a pause: those of two seconds, so that a burst ends before it
     * delays others. A request with more operations than are left is admitted and leaves a debt.
     */
    @WithDefault("400")
    int burst();

    /**
     * Its share of the work that may wait behind the requests, such as open sagas, of all replicas
     * together. A quarter of the default of 10,000 sagas is more than two imports of a thousand.
     */
    @WithDefault("0.25")
    double share();

    /** Callers kept in memory, per process; some hundred bytes each. */
    @WithDefault("10000")
    int remembered();
  }
}
