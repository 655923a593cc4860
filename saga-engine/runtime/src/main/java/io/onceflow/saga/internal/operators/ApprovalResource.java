package io.onceflow.saga.internal.operators;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onceflow.core.internal.Printable;
import io.onceflow.inbox.internal.audit.AuditEntry;
import io.onceflow.inbox.internal.audit.AuditLog;
import io.onceflow.inbox.internal.audit.AuditSubject;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.Wait;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.runtime.MemoryHash;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.runtime.SagaSignals;
import io.quarkus.security.Authenticated;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.ForbiddenException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.sql.SQLException;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Answers the approvals that sagas wait for. The definition names the role that may. */
@Path("/sagas/{id}/approvals/{name}")
@Authenticated
@Tag(name = "Sagas")
@Produces(MediaType.APPLICATION_JSON)
public class ApprovalResource {

  private final SagaRunners sagas;
  private final SagaSignals signals;
  private final UnitOfWork unitOfWork;
  private final SecurityIdentity caller;

  ApprovalResource(
      SagaRunners sagas, SagaSignals signals, UnitOfWork unitOfWork, SecurityIdentity caller) {
    this.sagas = sagas;
    this.signals = signals;
    this.unitOfWork = sagas.transactions(unitOfWork);
    this.caller = caller;
  }

  /**
   * An operator's answer.
   *
   * @param approved whether the saga continues
   * @param reason in the operator's words, one line; needed where it does not
   */
  @Schema(name = "SagaApproval")
  public record ApprovalAnswer(
      @NotNull Boolean approved,
      @Schema(examples = "two invoices are open")
          @Nullable
          @Size(max = 500, message = "must be at most 500 characters")
          @Pattern(regexp = Printable.VISIBLE, message = "must be one line of visible text")
          String reason) {

    private String action() {
      return approved ? "approve" : "refuse";
    }
  }

  /** Approves, or refuses. */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      summary = "Approve or refuse what the saga waits for",
      description =
          "For callers with the role that the definition names, which `operator` does not include."
              + " A refusal needs a reason. Where the definition asks for two operators, the saga"
              + " continues when the second one approves, and one is enough to refuse. The answer of"
              + " an operator counts once: a repeat after it took effect changes nothing.")
  @APIResponse(responseCode = "200", description = "It counts; the saga as it stands now")
  @APIResponse(responseCode = "400", description = "A refusal without a reason")
  @APIResponse(responseCode = "403", description = "The caller does not have the role")
  @APIResponse(
      responseCode = "404",
      description = "There is no such saga, or no such approval that it ever waits for")
  @APIResponse(
      responseCode = "409",
      description =
          "`saga-refuses`: it does not wait for the approval, or no longer;"
              + " `second-operator-needed`: the caller has approved, and another one has to")
  public SagaView answer(
      @PathParam("id") UUID id,
      @PathParam("name") String name,
      @NotNull @Valid ApprovalAnswer answer)
      throws SQLException {
    requireAnyApprover();
    if (!answer.approved() && answer.reason() == null) {
      throw new BadRequestException("A refusal needs a reason.");
    }
    SagaView view =
        SagaProblem.moved(id, () -> unitOfWork.call(tx -> answer(tx, id, name, answer)));
    return Roles.seesPersonalData(caller) ? view : view.withoutPersonalData();
  }

  /** A caller without a body is told so, if it may approve anything at all. */
  @POST
  @Operation(hidden = true)
  public SagaView answer(@PathParam("id") UUID id, @PathParam("name") String name) {
    requireAnyApprover();
    throw new BadRequestException("An answer has a body with approved, true or false.");
  }

  /** Others are not told which sagas there are. */
  private void requireAnyApprover() {
    boolean mayApprove =
        sagas.definitions().stream()
            .flatMap(definition -> definition.steps().stream())
            .anyMatch(step -> step instanceof Wait<?> wait && mayAnswer(wait));
    if (!mayApprove) {
      throw new ForbiddenException("No saga waits for an approval by a role of the caller");
    }
  }

  private boolean mayAnswer(Wait<?> wait) {
    return wait.approval().filter(it -> caller.hasRole(it.role())).isPresent();
  }

  private SagaView answer(Transaction tx, UUID id, String name, ApprovalAnswer answer)
      throws SQLException {
    String by = CallingOperator.of(caller).name();
    SagaSignals.Result result =
        signals.signal(tx, id, name, Wait.Kind.APPROVAL, wait -> signal(wait, answer, by));
    SagaSignals.Result.Told told = SignalProblem.told(id, name, result);
    SagaView view = sagas.view(tx, id).orElseThrow(() -> SagaProblem.unknown(id));
    return switch (told.standing()) {
      case TAKEN -> {
        AuditLog.record(
            tx.connection(),
            new AuditEntry(
                by,
                answer.action(),
                AuditSubject.saga(id),
                answer.reason(),
                "the approval " + name));
        yield view;
      }
      case REPEATED -> view;
      case SAME_APPROVER ->
          throw SagaProblem.Type.SECOND_OPERATOR_NEEDED.because(
              "%s has approved %s of saga %s; a second operator has to, who is not the same person."
                  .formatted(by, name, id));
      case KEPT, NOT_AWAITED -> throw SignalProblem.notAwaited(told.saga(), name);
    };
  }

  private SagaEvent.Signalled signal(Wait<?> wait, ApprovalAnswer answer, String by) {
    if (!mayAnswer(wait)) {
      throw new ForbiddenException(
          "%s is approved by callers with the role %s"
              .formatted(wait.name(), wait.approval().map(Wait.Approval::role).orElseThrow()));
    }
    return new SagaEvent.Signalled(
        wait.name(),
        MemoryHash.of(answer.action().getBytes(UTF_8), by.getBytes(UTF_8)),
        null,
        by,
        answer.approved() ? null : answer.reason());
  }
}
