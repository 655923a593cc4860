package io.onceflow.saga.internal.repair;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.saga.internal.operators.ActionForesight;
import io.onceflow.saga.internal.operators.SagaDetails;
import io.onceflow.saga.internal.store.ReplyPolicy;
import io.onceflow.saga.internal.store.StoredSaga;
import io.onceflow.saga.internal.store.view.SagaFilter;
import io.onceflow.saga.internal.store.view.SagaList;
import io.onceflow.saga.internal.store.view.SagaSummary;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What the states of sagas say of a repair.
 *
 * @param count the sagas that the filter finds, at most one more than {@link SagaList#COUNTED}
 * @param actions what would be done to each of the first {@link #PAGE}, or of all that are to be
 *     migrated
 * @param quarantined those of them that allow it and are in quarantine: whether they can be handled
 *     shows only when that is tried
 * @param awaited by the participants that have to answer, how many of them wait for it
 */
record Foreseen(
    int count,
    Map<UUID, SagaDetails.Action> actions,
    List<UUID> quarantined,
    SortedMap<String, Integer> awaited) {

  /** One query reads them. */
  private static final int PAGE = 500;

  /** In one transaction. */
  static Foreseen read(
      Transaction tx,
      ActionForesight foresight,
      ReplyPolicy policy,
      NewRepair repair,
      SagaFilter filter)
      throws SQLException {
    int count = SagaList.count(tx.connection(), filter);
    SortedMap<String, Integer> awaited = new TreeMap<>();
    ActionForesight.Reader reader =
        new ActionForesight.Reader() {
          @Override
          public void read(StoredSaga saga) {
            if (!repair.isMigration()) { // which sends nothing
              participants(saga, policy).forEach(it -> awaited.merge(it, 1, Integer::sum));
            }
          }
        };
    Map<UUID, SagaDetails.Action> actions = new LinkedHashMap<>();
    List<UUID> quarantined = new ArrayList<>();
    UUID last = null;
    List<SagaSummary> page;
    do {
      page = SagaList.find(tx.connection(), filter, new SagaFilter.Page(last, false, PAGE));
      List<UUID> ids = page.stream().map(SagaSummary::id).toList();
      actions.putAll(foresight.of(tx, ids, repair.action(), repair.version(), reader));
      page.stream().filter(it -> isTried(it, actions)).forEach(it -> quarantined.add(it.id()));
      last = page.isEmpty() ? null : ids.getLast();
    } while (repair.isMigration() && page.size() == PAGE && actions.size() < SagaList.COUNTED);
    return new Foreseen(count, actions, repair.isMigration() ? List.of() : quarantined, awaited);
  }

  private static boolean isTried(SagaSummary saga, Map<UUID, SagaDetails.Action> actions) {
    SagaDetails.Action foreseen = actions.get(saga.id());
    return saga.quarantine() != null && foreseen != null && foreseen.allowed();
  }

  /** The first that allow it. */
  List<UUID> allowed(int most) {
    return actions.entrySet().stream()
        .filter(it -> it.getValue().allowed())
        .map(Map.Entry::getKey)
        .limit(most)
        .toList();
  }

  private static List<String> participants(StoredSaga saga, ReplyPolicy policy) {
    return saga.reached().steps().stream()
        .filter(StepState::isAwaited)
        .map(step -> saga.sent().get(step.name()))
        .filter(Objects::nonNull)
        .map(sent -> policy.participantOf(sent.routingKey()))
        .distinct()
        .toList();
  }
}
