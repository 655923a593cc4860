package io.onceflow.saga.internal.store.view;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.SagaView.Hold;
import io.onceflow.saga.SagaView.Quarantine;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A line of a list of sagas, in the shape of its JSON.
 *
 * @param subjectId what it is about, such as an order
 * @param reason why it is or was undone; null while nothing speaks against it
 * @param nextActionAt when its timer fires: then or later something is resent unless a reply comes
 *     first; null once ended, in quarantine and on hold
 * @param endedAt null until then
 * @param quarantine why its timer rests; null while it does not
 * @param hold who holds it, and why; null while it is not on hold
 * @param steps the steps that it waits for now, or for the compensation of which; empty once ended
 * @param attempts how often the command among them was sent that was sent most often; 0 where it
 *     waits for none
 * @param customer the scope of its root key; null where the reader may not see it
 * @param attributes what it is found by, as its definition declares; null where the reader may not
 *     see it
 * @param hidden whether personal data is hidden from this reader
 */
public record SagaSummary(
    UUID id,
    String definition,
    int version,
    UUID subjectId,
    SagaStatus status,
    @Nullable String reason,
    Instant startedAt,
    @Nullable Instant nextActionAt,
    @Nullable Instant endedAt,
    @Nullable Quarantine quarantine,
    @Nullable Hold hold,
    List<String> steps,
    int attempts,
    @Nullable String customer,
    @Nullable Map<String, String> attributes,
    boolean hidden) {

  /** The same with these attributes. */
  SagaSummary withAttributes(Map<String, String> found) {
    return with(customer, found, hidden);
  }

  /** For readers who may not see whose saga it is. */
  public SagaSummary withoutPersonalData() {
    return with(null, null, true);
  }

  private SagaSummary with(
      @Nullable String whose, @Nullable Map<String, String> found, boolean isHidden) {
    return new SagaSummary(
        id,
        definition,
        version,
        subjectId,
        status,
        reason,
        startedAt,
        nextActionAt,
        endedAt,
        quarantine,
        isHidden && hold != null ? hold.withoutReason() : hold,
        steps,
        attempts,
        whose,
        found,
        isHidden);
  }
}
