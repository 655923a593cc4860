package io.onceflow.idempotency;

import static io.onceflow.idempotency.Idempotent.Mode.LEASED;
import static io.onceflow.idempotency.Idempotent.Mode.SHARED;

import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Multi;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.sse.SseEventSink;

/** What somebody might put under guard, and how it should have been. None of it is a bean. */
public final class OddThings {

  private OddThings() {}

  /** Nothing is wrong here. */
  public static class Sound extends Base implements Described {
    @POST
    @Idempotent
    public Response make() {
      return Response.ok().build();
    }

    @POST
    @Idempotent(mode = LEASED, lease = "PT30S", retention = "P1D")
    public Response makeLeased() {
      return Response.ok().build();
    }

    @POST
    @Idempotent(mode = LEASED)
    @Transactional(TxType.NOT_SUPPORTED)
    public Response makeLeasedWithoutATransaction() {
      return Response.ok().build();
    }

    @POST
    @Idempotent
    @Transactional
    public Response makeInTheGuardsTransaction() {
      return Response.ok().build();
    }

    @Override
    @Idempotent
    public Response described() {
      return Response.ok().build();
    }

    @Override
    public Response overridden() {
      return Response.ok().build();
    }
  }

  /** Says how it is reached. */
  interface Described {
    @POST
    Response described();
  }

  /** What others inherit. */
  static class Base {
    @POST
    @Idempotent(operation = "inherited")
    public Response inherited() {
      return Response.ok().build();
    }

    @POST
    @Idempotent(operation = "overridden")
    public Response overridden() {
      return Response.ok().build();
    }

    public Response helper() {
      return Response.ok().build();
    }
  }

  /** Guards what it inherits by an annotation that its base cannot see. */
  @Idempotent
  public static class Whole extends Base {
    @POST
    public Response make() {
      return Response.ok().build();
    }
  }

  /** Wrong in every way. */
  public static class Unsound {
    @Idempotent
    public Response notOverHttp() {
      return Response.ok().build();
    }

    @POST
    @Idempotent
    public String text() {
      return "";
    }

    @POST
    @Idempotent
    public Multi<String> stream() {
      return Multi.createFrom().empty();
    }

    @POST
    @Idempotent
    @Produces(MediaType.SERVER_SENT_EVENTS)
    public Response events() {
      return Response.ok().build();
    }

    @POST
    @Idempotent
    public Response sink(SseEventSink sink) {
      return Response.ok().build();
    }

    @POST
    @Idempotent
    public Response later(@Suspended AsyncResponse answer) {
      return Response.ok().build();
    }

    @POST
    @Idempotent
    @NonBlocking
    public Response onTheEventLoop() {
      return Response.ok().build();
    }

    @POST
    @Idempotent(mode = LEASED)
    @Transactional
    public Response leasedInATransaction() {
      return Response.ok().build();
    }

    @POST
    @Idempotent(mode = SHARED)
    @Transactional
    public Response sharedInATransaction() {
      return Response.ok().build();
    }

    @POST
    @Idempotent
    @Transactional(TxType.REQUIRES_NEW)
    public Response apart() {
      return Response.ok().build();
    }

    @POST
    @Idempotent(lease = "30 seconds")
    public Response unreadable() {
      return Response.ok().build();
    }

    @POST
    @Idempotent(retention = "PT0S")
    public Response overBeforeItBegins() {
      return Response.ok().build();
    }

    @POST
    @Idempotent(operation = "the same")
    public Response one() {
      return Response.ok().build();
    }

    @POST
    @Idempotent(operation = "the same")
    public Response another() {
      return Response.ok().build();
    }
  }
}
