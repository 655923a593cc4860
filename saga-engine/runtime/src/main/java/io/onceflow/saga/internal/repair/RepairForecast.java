package io.onceflow.saga.internal.repair;

import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
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
 * @param count the sagas that the filter finds, counted up to {@link #COUNTED}
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

  /** Beyond this many the exact number does not matter. */
  static final int COUNTED = 10_000;

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

  /** Looks ahead, in one transaction for each saga. */
  static RepairForecast of(
      UnitOfWork unitOfWork, SagaRequests foresee, RepairRows rows, NewRepair repair, String by)
      throws SQLException {
    RepairFilter filter = repair.filter();
    int count = unitOfWork.call(tx -> count(tx.connection(), filter, COUNTED + 1));
    List<SagaSummary> first =
        unitOfWork.call(tx -> SagaList.find(tx.connection(), filter.page(null, FORESEEN)));
    SagaEvent.Request request = repair.action().request(by, repair.reason());
    List<Sample> samples = new ArrayList<>();
    for (SagaSummary saga : first) {
      OperatorAnswer answer = unitOfWork.call(tx -> foresee.ask(tx, saga.id(), request));
      samples.add(sample(saga.id(), repair.action(), answer));
    }
    int allowed = (int) samples.stream().filter(Sample::allowed).count();
    return new RepairForecast(
        true,
        Math.min(count, COUNTED),
        count <= COUNTED,
        allowed,
        samples.size() - allowed,
        List.copyOf(samples.subList(0, Math.min(SAMPLES, samples.size()))),
        HexFormat.of().formatHex(rows.hash(repair.action(), filter)));
  }

  private static Sample sample(UUID saga, RepairAction action, OperatorAnswer answer) {
    return switch (answer) {
      case OperatorAnswer.Done done -> new Sample(saga, true, null, action.comesTo());
      case OperatorAnswer.Refused refused -> new Sample(saga, false, refused.why(), null);
      case OperatorAnswer.Unknown unknown ->
          new Sample(saga, false, "its version is not known to this process", null);
    };
  }

  /** Counts the sagas that a filter finds, page by page, no further than the bound. */
  static int count(Connection tx, RepairFilter filter, int most) throws SQLException {
    int counted = 0;
    @Nullable UUID after = null;
    List<SagaSummary> page;
    do {
      page = SagaList.find(tx, filter.page(after, Math.min(RepairTurn.PAGE, most - counted)));
      counted += page.size();
      after = page.isEmpty() ? null : page.getLast().id();
    } while (page.size() == RepairTurn.PAGE && counted < most);
    return counted;
  }
}
