package io.onceflow.idempotency;

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
   * is idle while somebody is turned away.
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
}
