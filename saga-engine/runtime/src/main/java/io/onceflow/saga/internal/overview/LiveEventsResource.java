package io.onceflow.saga.internal.overview;

import io.onceflow.saga.internal.operators.Roles;
import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.mutiny.Multi;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;
import java.time.Instant;
import java.util.UUID;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseHeader;
import org.jspecify.annotations.Nullable;

/** Tells how all sagas are, and when one moves, as it happens. */
@Path("/sagas/events")
@RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
@Tag(name = "Sagas")
public class LiveEventsResource {

  private static final String RETRY_SECONDS = "10";

  private final LiveEvents events;
  private final SecurityIdentity caller;

  LiveEventsResource(LiveEvents events, SecurityIdentity caller) {
    this.events = events;
    this.caller = caller;
  }

  /** A stream that ends with the caller's token. */
  @GET
  @Blocking
  @Produces(MediaType.SERVER_SENT_EVENTS)
  @ResponseHeader(name = HttpHeaders.CACHE_CONTROL, value = "no-store")
  @ResponseHeader(name = "X-Accel-Buffering", value = "no")
  @Operation(
      summary = "Be told how the sagas are, as it changes",
      description =
          "Server-sent events: `overview`, as `GET /sagas/overview` answers, at most once a second;"
              + " and `saga` with `id` and `revision` of the saga that is asked for, at first and"
              + " whenever it has moved. A comment every 15 s at the latest. Ends when the token"
              + " expires.")
  @APIResponse(responseCode = "200", description = "The events")
  @APIResponse(responseCode = "503", description = "Too many streams are open on this replica")
  public Multi<OutboundSseEvent> events(@Context Sse sse, @QueryParam("saga") @Nullable UUID saga) {
    return events.open(sse, saga, expiry()).orElseThrow(LiveEventsResource::tooMany);
  }

  /** Without it a GET's stream would be opened, which writes nothing and keeps the connection. */
  @HEAD
  @ResponseHeader(name = HttpHeaders.CACHE_CONTROL, value = "no-store")
  @ResponseHeader(name = "X-Accel-Buffering", value = "no")
  @Operation(hidden = true)
  public Response head() {
    return Response.ok().type(MediaType.SERVER_SENT_EVENTS_TYPE).build();
  }

  private Instant expiry() {
    return caller.getPrincipal() instanceof JsonWebToken token && token.getExpirationTime() > 0
        ? Instant.ofEpochSecond(token.getExpirationTime())
        : Instant.MAX;
  }

  private static HttpProblem tooMany() {
    return HttpProblem.builder()
        .withTitle("Too many streams of events are open")
        .withStatus(Response.Status.SERVICE_UNAVAILABLE)
        .withDetail(
            "This replica tells no more readers at once than onceflow.console.live.streams, or is"
                + " about to stop. GET /sagas/overview answers all the same.")
        .withHeader(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
        .build();
  }
}
