package io.onceflow.saga.internal;

import java.util.Optional;
import java.util.UUID;

/**
 * What a saga is about: the business's own aggregate, such as an order. It is loaded and saved as
 * the business's own rows; a saga stores nothing of it, so no personal or card data lies in a
 * saga's rows.
 *
 * <p>Subjects are immutable: each verb answers the changed subject, or {@code this} when nothing
 * changes.
 *
 * @param <D> the subject's own type
 */
public interface SagaSubject<D> {

  UUID id();

  /**
   * Takes note of a reply that moved the saga, be it a success, a refusal or a compensation done.
   * Called once per reply that counts and never for one that is ignored.
   */
  D noted(Reply reply);

  /**
   * Why a reply does not fit this subject, such as another order's id or another amount; empty when
   * it does. Such a reply may be forged: it is parked, and moves nothing. Compares with what never
   * changes, since a reply may come late or twice.
   */
  default Optional<String> check(Reply reply) {
    return Optional.empty();
  }

  /**
   * Takes note that every step has been undone.
   *
   * @param reason why: that of the refusal which turned the saga round
   */
  D compensated(String reason);
}
