package io.onceflow.saga.internal.repair;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.operators.SagaDetails;
import io.onceflow.saga.internal.store.view.SagaList;
import io.onceflow.saga.internal.store.view.SagaSummary;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
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

  /** Each of them is read with its steps; a second's work. */
  static final int FORESEEN = 500;

  private static final int SAMPLES = 20;

  /**
   * What would become of one saga.
   *
   * @param why it would refuse; null when it would not
   * @param comesTo what would be done; null when it would refuse
   */
  @Schema(name = "RepairSample")
  record Sample(UUID saga, boolean allowed, @Nullable String why, @Nullable String comesTo) {}

  /** Tells what would become of one saga, and changes nothing. */
  @FunctionalInterface
  interface Foresight {
    SagaDetails.Action of(Transaction tx, UUID saga) throws SQLException;
  }

  /** Looks ahead, in one transaction for each saga. */
  static RepairForecast of(
      UnitOfWork unitOfWork, Foresight foresight, RepairRows rows, NewRepair repair)
      throws SQLException {
    RepairFilter filter = repair.filter();
    int count = unitOfWork.call(tx -> count(tx.connection(), filter));
    List<SagaSummary> first =
        unitOfWork.call(tx -> SagaList.find(tx.connection(), filter.page(null, FORESEEN)));
    List<Sample> samples = new ArrayList<>();
    for (SagaSummary saga : first) {
      SagaDetails.Action action = unitOfWork.call(tx -> foresight.of(tx, saga.id()));
      samples.add(new Sample(saga.id(), action.allowed(), action.why(), action.comesTo()));
    }
    int allowed = (int) samples.stream().filter(Sample::allowed).count();
    return new RepairForecast(
        true,
        Math.min(count, SagaList.COUNTED),
        count <= SagaList.COUNTED,
        allowed,
        samples.size() - allowed,
        List.copyOf(samples.subList(0, Math.min(SAMPLES, samples.size()))),
        HexFormat.of().formatHex(rows.hash(repair.action(), filter)));
  }

  /** Counts the sagas that a filter finds, at most one more than {@link SagaList#COUNTED}. */
  static int count(Connection tx, RepairFilter filter) throws SQLException {
    return SagaList.count(tx, filter.page(null, 1));
  }
}
