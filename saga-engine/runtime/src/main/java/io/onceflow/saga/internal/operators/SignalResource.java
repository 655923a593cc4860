package io.onceflow.saga.internal.operators;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.MalformedIdempotencyKey;
import io.onceflow.idempotency.internal.problem.Problem;
import io.onceflow.idempotency.internal.problem.ProblemType;
import io.onceflow.inbox.internal.audit.AuditEntry;
import io.onceflow.inbox.internal.audit.AuditLog;
import io.onceflow.inbox.internal.audit.AuditSubject;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.Sagas.SignalOutcome;
import io.onceflow.saga.Wait;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SignalStanding;
import io.onceflow.saga.internal.runtime.SagaMessages;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.runtime.SagaSignals;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Reports events to sagas that wait for them. */
@Path("/sagas/{id}/signals/{event}")
@RolesAllowed(Roles.OPERATOR)
@Tag(name = "Sagas")
@Produces(MediaType.APPLICATION_JSON)
public class SignalResource {

  private final SagaRunners sagas;
  private final SagaSignals signals;
  private final SagaMessages messages;
  private final UnitOfWork unitOfWork;
  private final SecurityIdentity caller;

  SignalResource(
      SagaRunners sagas,
      SagaSignals signals,
      SagaMessages messages,
      UnitOfWork unitOfWork,
      SecurityIdentity caller) {
    this.sagas = sagas;
    this.signals = signals;
    this.messages = messages;
    this.unitOfWork = sagas.transactions(unitOfWork);
    this.caller = caller;
  }

  /**
   * What came of a signal.
   *
   * @param outcome {@code TAKEN}, {@code KEPT} or {@code REPEATED}
   * @param saga as it stands now
   */
  @Schema(name = "SagaSignal")
  public record Signalled(SignalOutcome outcome, SagaView saga) {}

  /** Reports an event with a payload. */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @RequestBody(required = false, content = @Content(schema = @Schema(type = SchemaType.OBJECT)))
  @Operation(
      summary = "Report an event that the saga waits for",
      description =
          "The body is the event's payload, the record that the definition maps, of at most 16 kB."
              + " The event takes effect once under its `Idempotency-Key`, which the saga remembers:"
              + " the outcome of a repeat is `REPEATED`. One that comes before the saga waits for it"
              + " is kept until then (`KEPT`).")
  @APIResponse(responseCode = "200", description = "What it came to; the saga as it stands now")
  @APIResponse(
      responseCode = "400",
      description = "No `Idempotency-Key`, or the body is not the event's payload")
  @APIResponse(
      responseCode = "404",
      description = "There is no such saga, or no such event that it ever waits for")
  @APIResponse(
      responseCode = "409",
      description = "`saga-refuses`: it does not wait for the event, or no longer")
  @APIResponse(responseCode = "413", description = "The payload has more than 16 kB")
  public Signalled signal(
      @PathParam("id") UUID id,
      @PathParam("event") String event,
      @HeaderParam("Idempotency-Key") @Nullable String key,
      @Nullable String payload)
      throws SQLException {
    IdempotencyKey once = key(key, "/sagas/%s/signals/%s".formatted(id, event));
    String by = CallingOperator.of(caller).name();
    return SagaProblem.moved(
        id,
        () ->
            unitOfWork.call(
                tx -> {
                  SagaSignals.Result result =
                      signals.signal(
                          tx, id, event, Wait.Kind.EVENT, wait -> signal(wait, payload, once, by));
                  SagaSignals.Result.Told told = SignalProblem.told(id, event, result);
                  return answer(tx, told, by, event);
                }));
  }

  /** The same without a body. */
  @POST
  @Operation(hidden = true)
  public Signalled signal(
      @PathParam("id") UUID id,
      @PathParam("event") String event,
      @HeaderParam("Idempotency-Key") @Nullable String key)
      throws SQLException {
    return signal(id, event, key, null);
  }

  private static IdempotencyKey key(@Nullable String header, String path) {
    if (header == null) {
      throw refused(
          ProblemType.IDEMPOTENCY_KEY_MISSING,
          "POST %s came without the header Idempotency-Key, and nothing was done.".formatted(path),
          path);
    }
    try {
      return IdempotencyKey.parse(header);
    } catch (MalformedIdempotencyKey e) {
      throw refused(ProblemType.IDEMPOTENCY_KEY_MALFORMED, String.valueOf(e.getMessage()), path);
    }
  }

  private static WebApplicationException refused(ProblemType type, String detail, String path) {
    return new WebApplicationException(Problem.response(type, detail, path));
  }

  private SagaEvent.Signalled signal(
      Wait<?> wait, @Nullable String payload, IdempotencyKey key, String by) {
    try {
      return signals.event(wait, read(wait, payload), key, by);
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(e.getMessage(), e);
    }
  }

  private @Nullable Record read(Wait<?> wait, @Nullable String payload) {
    if (payload == null || payload.isBlank()) {
      return null;
    }
    if (payload.getBytes(UTF_8).length > SagaSignals.LARGEST_PAYLOAD) {
      throw new ClientErrorException(
          "The payload has more than %s bytes.".formatted(SagaSignals.LARGEST_PAYLOAD),
          Response.Status.REQUEST_ENTITY_TOO_LARGE);
    }
    Class<? extends Record> type =
        wait.payload()
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "The event %s has no payload; send no body.".formatted(wait.name())));
    return messages.read(payload, type);
  }

  private Signalled answer(Transaction tx, SagaSignals.Result.Told told, String by, String event)
      throws SQLException {
    UUID id = told.saga().id();
    SagaView view = sagas.view(tx, id).orElseThrow(() -> SagaProblem.unknown(id));
    SignalOutcome outcome =
        switch (told.standing()) {
          case TAKEN -> SignalOutcome.TAKEN;
          case KEPT -> SignalOutcome.KEPT;
          case REPEATED -> SignalOutcome.REPEATED;
          case SAME_APPROVER, NOT_AWAITED -> throw SignalProblem.notAwaited(told.saga(), event);
        };
    if (told.standing() != SignalStanding.REPEATED) {
      AuditLog.record(
          tx.connection(),
          new AuditEntry(by, "signal", AuditSubject.saga(id), null, "the event " + event));
    }
    return new Signalled(outcome, view);
  }
}
