package io.onceflow.saga.internal.operators;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.SagaView.Hold;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.StoredSaga;
import io.onceflow.saga.internal.store.view.Holding;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A saga with what an operator has to know before acting on it.
 *
 * @param subjectId what it is about, such as an order
 * @param customer the scope of its root key; null where the reader may not see it
 * @param rootKey the client's idempotency key; null where the reader may not see it
 * @param attributes what it is found by, as its definition declares; null where the reader may not
 *     see it
 * @param hidden whether personal data is hidden from this reader
 * @param origin application and definition
 * @param traceId the W3C trace of the request that started it; null if it had none
 * @param traceUrl where that trace is shown; null where {@code onceflow.saga.trace-url} is not set
 * @param waiting what has to happen for it to continue; null once it has ended
 * @param approvals those that it waits for
 * @param actions what an operator can ask for, and what each would come to now
 */
public record SagaDetails(
    SagaView saga,
    UUID subjectId,
    @Nullable String customer,
    @Nullable String rootKey,
    @Nullable Map<String, String> attributes,
    boolean hidden,
    String origin,
    @Nullable String traceId,
    @Nullable String traceUrl,
    @Nullable Waiting waiting,
    List<OpenApproval> approvals,
    List<Action> actions) {

  /**
   * An approval that the saga waits for.
   *
   * @param role what an operator needs to answer it
   * @param approvers how many operators have to approve
   * @param approvedBy who has approved where a second one has to; null where none has
   * @param until when its time is over
   * @param allowed whether the reader has the role
   */
  @Schema(name = "SagaOpenApproval")
  public record OpenApproval(
      String name,
      String role,
      int approvers,
      @Nullable String approvedBy,
      @Nullable Instant until,
      boolean allowed) {}

  /**
   * What a saga waits for.
   *
   * @param step null where no reply is awaited
   * @param command the type of the message that was sent; null where it is no longer known
   * @param participant who has to answer; null where that is no longer known
   * @param compensating whether the step is being undone
   * @param since when the message was last sent
   * @param until when it is resent, or timed out; null in quarantine, and on hold
   * @param attempts how often it was sent
   * @param lastFailure what the participant refused that may not be refused; null if nothing
   * @param sentence all of that in words
   */
  @Schema(name = "SagaWaiting")
  public record Waiting(
      @Nullable String step,
      @Nullable String command,
      @Nullable String participant,
      boolean compensating,
      @Nullable Instant since,
      @Nullable Instant until,
      int attempts,
      @Nullable String lastFailure,
      String sentence) {}

  /**
   * An action.
   *
   * @param why why it is not allowed; null where it is
   * @param comesTo what would happen, in a sentence; null where it is not allowed
   */
  @Schema(name = "SagaAction")
  public record Action(
      Kind action, boolean allowed, @Nullable String why, @Nullable String comesTo) {}

  /** What can be asked of a saga, by an operator or a repair. */
  @Schema(name = "SagaActionKind")
  public enum Kind {
    /** Resends what the saga waits for. */
    @JsonProperty("retry")
    RETRY,
    /** Undoes the saga from where it stands; a step that is under way times out at once. */
    @JsonProperty("compensate")
    COMPENSATE,
    /** Undoes the saga; a step that is under way is waited for. */
    @JsonProperty("cancel")
    CANCEL,
    /** Lets nothing move the saga until it is resumed. */
    @JsonProperty("hold")
    HOLD,
    /** Ends a hold. */
    @JsonProperty("resume")
    RESUME,
    /** Has the saga follow another version of its definition; only a repair can ask for that. */
    @JsonProperty("migrate")
    MIGRATE;

    /** As in JSON. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether a second operator may have to approve of it; the others take effect once anyway. */
    public boolean undoes() {
      return this == COMPENSATE || this == CANCEL;
    }

    /** Whether it is done only to sagas that the filter of a repair finds at that moment, too. */
    public boolean isFilteredAgain() {
      return undoes() || this == MIGRATE;
    }

    /** Whether nothing is awaited after it: it is done once it was carried out. */
    public boolean isDoneAtOnce() {
      return this == HOLD || this == RESUME || this == MIGRATE;
    }

    /** Carries it out. */
    public OperatorAnswer carryOut(Transaction tx, SagaRunners sagas, UUID saga, Asked asked)
        throws SQLException {
      return switch (this) {
        case HOLD -> sagas.hold(tx, saga, asked.hold(false));
        case RESUME -> sagas.resume(tx, saga, asked.by(), asked.why());
        case MIGRATE -> sagas.migrate(tx, saga, asked.toVersion(), asked.by(), asked.why());
        case RETRY, COMPENSATE, CANCEL -> sagas.request(tx, saga, request(asked));
      };
    }

    /** What it would come to for a saga as it was read. */
    OperatorAnswer foresee(SagaRunners sagas, StoredSaga saga, Asked asked) {
      return switch (this) {
        case HOLD -> foreseen(saga, Holding.objectionToHold(saga));
        case RESUME -> foreseen(saga, Holding.objectionToResume(saga));
        case MIGRATE -> sagas.foreseeMigration(saga, asked.toVersion());
        case RETRY, COMPENSATE, CANCEL -> sagas.foresee(saga, request(asked));
      };
    }

    private static OperatorAnswer foreseen(StoredSaga saga, Optional<String> objection) {
      return objection
          .<OperatorAnswer>map(why -> new OperatorAnswer.Refused(saga.reached(), why))
          .orElseGet(() -> new OperatorAnswer.Done(saga.reached()));
    }

    /**
     * The event of one that is an event of a saga.
     *
     * @throws IllegalStateException for a hold and its end, which the database knows alone, and for
     *     a migration, which moves no step
     */
    public SagaEvent.Request request(Asked asked) {
      return switch (this) {
        case RETRY -> new SagaEvent.Retry(asked.by(), asked.why());
        case COMPENSATE -> new SagaEvent.Compensate(asked.by(), asked.why());
        case CANCEL -> new SagaEvent.Cancel("CANCELLED_BY_OPERATOR", asked.by(), asked.why());
        case HOLD, RESUME, MIGRATE ->
            throw new IllegalStateException(this + " is no event of a saga");
      };
    }
  }

  /**
   * What an operator says with an action.
   *
   * @param why in the operator's words; null when nothing was said
   * @param until the end of a hold; null for none
   * @param version to which it is to be migrated; null for other actions
   */
  public record Asked(
      String by, @Nullable String why, @Nullable Instant until, @Nullable Integer version) {

    /** Of any action but a migration. */
    public Asked(String by, @Nullable String why, @Nullable Instant until) {
      this(by, why, until, null);
    }

    /** Without an end. */
    public Asked(String by, @Nullable String why) {
      this(by, why, null);
    }

    private int toVersion() {
      return requireNonNull(version, "a migration without a version");
    }

    /**
     * The hold that is asked for; its time is the database's.
     *
     * @param definition whether of all sagas of a definition
     */
    public Hold hold(boolean definition) {
      return new Hold(Instant.EPOCH, by, why, until, definition);
    }
  }
}
