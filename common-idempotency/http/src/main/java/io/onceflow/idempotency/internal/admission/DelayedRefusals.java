package io.onceflow.idempotency.internal.admission;

import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;

/**
 * Answers a caller who continues after a 429 with a delay. A client that sends its next request
 * when it has the answer to the last one is slowed down so, whatever number of connections it has;
 * an answer that waits has neither a thread nor a place of others.
 */
@ApplicationScoped
class DelayedRefusals {

  /** Further ones are answered at once. */
  private static final int MOST = 1_000;

  private final Vertx vertx;
  private final Duration delay;
  private final AtomicInteger waiting = new AtomicInteger();

  DelayedRefusals(AdmissionConfig config, Vertx vertx) {
    this.vertx = vertx;
    this.delay = config.caller().refusalDelay();
  }

  /** Ends the request with this answer, now or after the delay. */
  void refuse(ContainerRequestContext request, Response answer) {
    if (delay.isZero() || !takePlace()) {
      request.abortWith(answer);
      return;
    }
    ResteasyReactiveContainerRequestContext suspended =
        (ResteasyReactiveContainerRequestContext) request;
    suspended.suspend();
    vertx.setTimer(
        delay.toMillis(),
        over -> {
          waiting.decrementAndGet();
          suspended.abortWith(answer);
        });
  }

  private boolean takePlace() {
    boolean hasRoom = waiting.incrementAndGet() <= MOST;
    if (!hasRoom) {
      waiting.decrementAndGet();
    }
    return hasRoom;
  }
}
