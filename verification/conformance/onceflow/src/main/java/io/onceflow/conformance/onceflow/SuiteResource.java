package io.onceflow.conformance.onceflow;

import io.onceflow.core.ScopeResolver;
import io.onceflow.idempotency.Idempotent;
import io.onceflow.saga.Saga.CancelOutcome;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.Sagas;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.UUID;
import java.util.stream.Collectors;

/** The requests of the suite. */
@Path("/")
@Consumes(MediaType.WILDCARD)
@Produces(MediaType.TEXT_PLAIN)
public class SuiteResource {

  private final Sagas sagas;

  SuiteResource(Sagas sagas) {
    this.sagas = sagas;
  }

  @GET
  @Path("ready")
  public String ready() {
    return "ready";
  }

  @POST
  @Path("sagas/{key}")
  @Idempotent
  @Transactional
  public Response start(String key, @QueryParam("waits") boolean waits) {
    SuiteSaga saga = new SuiteSaga();
    saga.id = SuiteSaga.idOf(key);
    saga.key = key;
    saga.waits = waits;
    saga.persist();
    return Response.ok(sagas.start(SuiteDefinition.class, saga).toString()).build();
  }

  @POST
  @Path("sagas/{key}/cancel")
  @Transactional
  public String cancel(String key) {
    CancelOutcome outcome =
        sagas
            .cancel(SuiteDefinition.class, SuiteSaga.idOf(key), "cancelled", "suite")
            .orElseThrow(NotFoundException::new);
    return outcome == CancelOutcome.TOO_LATE ? "TOO_LATE" : "ACCEPTED";
  }

  @POST
  @Path("sagas/{key}/messages/{message}")
  @Transactional
  public void send(String key, String message) {
    sagas.signal(SuiteDefinition.class, SuiteSaga.idOf(key), "message", null, message);
  }

  /** A saga that is stuck tries again by itself. */
  @POST
  @Path("sagas/{key}/repair")
  public void repair(String key) {}

  @GET
  @Path("sagas/{key}")
  @Transactional
  public String read(String key) {
    UUID id = SuiteSaga.idOf(key);
    SagaView view = sagas.about(SuiteDefinition.class, id).orElseThrow(NotFoundException::new);
    String error = SuiteSaga.<SuiteSaga>findById(id).error;
    return "state=%s\nerror=%s\n".formatted(state(view.status()), error == null ? "" : error)
        + view.steps().stream()
            .map(step -> step.name() + "=" + state(step.status()))
            .collect(Collectors.joining("\n"));
  }

  private static String state(SagaStatus status) {
    return switch (status) {
      case QUEUED, RUNNING, COMPENSATING -> "RUNNING";
      case COMPLETED, COMPENSATED -> status.name();
      case STUCK -> "FAILED";
    };
  }

  private static String state(StepStatus status) {
    return switch (status) {
      case PENDING, SKIPPED -> "PENDING";
      case WAITING, AWAITING -> "RUNNING";
      case SUCCEEDED -> "DONE";
      case REFUSED, GIVEN_UP -> "FAILED";
      case COMPENSATING, COMPENSATED -> status.name();
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
