package io.onceflow.conformance.onceflow;

import io.onceflow.core.ScopeResolver;
import io.onceflow.idempotency.Idempotent;
import io.onceflow.saga.Saga.CancelOutcome;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.Sagas;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.UUID;

/** The requests of the suite; the key of a saga is the id of its subject. */
@Path("/sagas/{key}")
@Produces(MediaType.TEXT_PLAIN)
public class SuiteResource {

  private final Sagas sagas;

  SuiteResource(Sagas sagas) {
    this.sagas = sagas;
  }

  @POST
  @Idempotent
  @Transactional
  public Response start(UUID key, @QueryParam("waits") boolean waits) {
    SuiteSaga saga = new SuiteSaga();
    saga.id = key;
    saga.waits = waits;
    saga.persist();
    return Response.ok(sagas.start(SuiteDefinition.class, saga).toString()).build();
  }

  @POST
  @Path("cancel")
  @Transactional
  public boolean cancel(UUID key) {
    return sagas.cancel(SuiteDefinition.class, key, "CANCELLED", "suite").orElseThrow()
        != CancelOutcome.TOO_LATE;
  }

  @POST
  @Path("messages/{id}")
  @Transactional
  public void send(UUID key, String id) {
    sagas.signal(SuiteDefinition.class, key, "message", null, id).orElseThrow();
  }

  /** Nothing to do: a saga that is stuck retries by itself. */
  @POST
  @Path("repair")
  public void repair(UUID key) {}

  @POST
  @Path("redelivery")
  public Response redeliver(UUID key) {
    return Response.status(Response.Status.NOT_IMPLEMENTED)
        .entity("not covered: within one application there are no messages to deliver")
        .build();
  }

  @GET
  @Transactional
  public String read(UUID key) {
    SagaView saga = sagas.about(SuiteDefinition.class, key).orElseThrow();
    StringBuilder lines = new StringBuilder("state=").append(state(saga.status()));
    lines.append("\nerror=").append(saga.reason() == null ? "" : saga.reason());
    saga.steps().forEach(it -> lines.append("\n%s=%s".formatted(it.name(), state(it.status()))));
    return lines.toString();
  }

  private static String state(Enum<?> status) {
    return switch (status.name()) {
      case "QUEUED", "WAITING", "AWAITING" -> "RUNNING";
      case "SKIPPED" -> "PENDING";
      case "SUCCEEDED" -> "COMPLETED";
      case "STUCK", "REFUSED", "GIVEN_UP" -> "FAILED";
      default -> status.name();
    };
  }

  /** Without users, all callers share one scope of keys. */
  @ApplicationScoped
  static class OneScopeForAll implements ScopeResolver {
    @Override
    public String scope() {
      return "suite";
    }
  }
}
