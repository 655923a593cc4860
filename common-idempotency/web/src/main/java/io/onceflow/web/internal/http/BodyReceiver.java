package io.onceflow.web.internal.http;

import io.onceflow.web.internal.http.BodyShares.Room;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Map;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Receives the body of each request on the event loop, and passes the request on once it is
 * complete. A worker thread that read the body would wait for its sender: as many slow senders as
 * there are threads would stop the service.
 */
@ApplicationScoped
class BodyReceiver {

  /** After {@link RequestChecks}, before CORS and authentication. */
  private static final int EARLY = RequestChecks.FIRST - 1;

  private static final Duration SWEEP = Duration.ofSeconds(1);
  private static final int SHARE_OF_HEAP = 8;

  private static final WireProblem TOO_SLOW =
      new WireProblem(408, "The body came too slowly; nothing was done.");
  private static final WireProblem DISPLACED =
      new WireProblem(
          408, "The body was incomplete when memory for newer ones was needed; nothing was done.");
  private static final WireProblem NO_ROOM =
      new WireProblem(
          503,
          "There is no memory for the body at the moment; nothing was done.",
          Map.of("Retry-After", "1"));

  private final boolean isOn;
  private final long limit;
  private final BodyRate rate;
  private final BodyShares<IncomingBody> shares;

  BodyReceiver(
      HttpConfig config,
      @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize limit,
      @ConfigProperty(name = "quarkus.http.read-timeout") Duration within) {
    this.limit = limit.asLongValue();
    HttpConfig.Body body = config.body();
    this.isOn = body.received();
    this.rate = new BodyRate(body.minRate(), body.grace(), within);
    long mostBytes =
        body.mostBytes()
            .map(MemorySize::asLongValue)
            .orElseGet(() -> Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    this.shares = new BodyShares<>(body.mostPerAddress(), mostBytes);
  }

  void register(@Observes Filters filters, Vertx vertx) {
    if (!isOn) {
      return;
    }
    filters.register(this::receive, EARLY);
    vertx.setPeriodic(SWEEP.toMillis(), tick -> giveUpSlowOnes(System.nanoTime()));
  }

  private void receive(RoutingContext routing) {
    HttpServerRequest request = routing.request();
    if (!mayHaveBody(request)) {
      routing.next();
      return;
    }
    IncomingBody body = new IncomingBody(routing, System.nanoTime());
    routing.addEndHandler(answered -> shares.release(body));
    giveUp(shares.begin(body, body.address()), body);
    request.exceptionHandler(broken -> shares.release(body));
    request.endHandler(
        end -> {
          shares.complete(body);
          body.complete();
        });
    request.handler(part -> append(body, part));
    askFor(request);
  }

  private static boolean mayHaveBody(HttpServerRequest request) {
    if (request.isEnded()) {
      return false;
    }
    // In HTTP/2 a body needs no header; where there is none the request ends at once.
    return request.version() == HttpVersion.HTTP_2
        || request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
        || RequestChecks.contentLength(request) > 0;
  }

  private void append(IncomingBody body, Buffer part) {
    if (body.received() + (long) part.length() > limit) {
      shares.release(body);
      body.giveUp(RequestChecks.tooLarge(limit));
      return;
    }
    body.append(part);
    giveUp(shares.grow(body, part.length()), body);
  }

  private static void giveUp(Room<IncomingBody> room, IncomingBody body) {
    room.displaced().forEach(displaced -> displaced.giveUp(DISPLACED));
    if (!room.fits()) {
      body.giveUp(NO_ROOM);
    }
  }

  /** A client that waits for leave to send gets it: what the headers say has been checked. */
  private static void askFor(HttpServerRequest request) {
    if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
      request.response().writeContinue();
    }
  }

  private void giveUpSlowOnes(long now) {
    for (IncomingBody body : shares.incomplete()) {
      if (rate.isTooSlow(body.ageNanos(now), body.received())) {
        shares.release(body);
        body.giveUp(TOO_SLOW);
      }
    }
  }
}
