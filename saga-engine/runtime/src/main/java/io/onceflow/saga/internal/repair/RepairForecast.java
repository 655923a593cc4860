package io.onceflow.saga.internal.repair;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.internal.operators.ActionForesight;
import io.onceflow.saga.internal.operators.SagaDetails;
import io.onceflow.saga.internal.store.view.SagaFilter;
import io.onceflow.saga.internal.store.view.SagaList;
import io.onceflow.saga.internal.store.view.SagaSummary;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * What a repair would come to, in the shape of its JSON. Nothing has changed.
 *
 * @param dryRun true
 * @param count the sagas that the filter finds, counted up to {@link SagaList#COUNTED}
 * @param exact whether there are no more
 * @param allowed of the first {@link #FORESEEN}, how many would let themselves be repaired
 * @param refused of the same, how many would not
 * @param samples of the first ones
 * @param filterHash by which two repairs are the same
 */
record RepairForecast(
    boolean dryRun,
    int count,
    boolean exact,
    int allowed,
    int refused,
    List<Sample> samples,
    String filterHash) {

  /** One query reads them. */
  private static final int FORESEEN = 500;

  private static final int SAMPLES = 20;

  /**
   * What would become of one saga.
   *
   * @param why it would refuse; null when it would not
   * @param comesTo what would be done; null when it would refuse
   */
  @Schema(name = "RepairSample")
  record Sample(UUID saga, boolean allowed, @Nullable String why, @Nullable String comesTo) {}

  /** Looks ahead, in one transaction. */
  static RepairForecast of(
      Transaction tx,
      ActionForesight foresight,
      SagaDetails.Kind action,
      SagaFilter filter,
      byte[] hash)
      throws SQLException {
    int count = SagaList.count(tx.connection(), filter);
    List<UUID> first =
        SagaList.find(tx.connection(), filter, new SagaFilter.Page(null, false, FORESEEN)).stream()
            .map(SagaSummary::id)
            .toList();
    Map<UUID, SagaDetails.Action> foreseen = foresight.of(tx, first, action);
    int allowed = (int) foreseen.values().stream().filter(SagaDetails.Action::allowed).count();
    return new RepairForecast(
        true,
        Math.min(count, SagaList.COUNTED),
        count <= SagaList.COUNTED,
        allowed,
        foreseen.size() - allowed,
        foreseen.entrySet().stream()
            .limit(SAMPLES)
            .map(it -> sample(it.getKey(), it.getValue()))
            .toList(),
        HexFormat.of().formatHex(hash));
  }

  private static Sample sample(UUID saga, SagaDetails.Action action) {
    return new Sample(saga, action.allowed(), action.why(), action.comesTo());
  }
}
