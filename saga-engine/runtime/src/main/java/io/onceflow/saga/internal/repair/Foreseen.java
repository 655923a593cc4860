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
 * @param actions what would be done to each of the first {@link #MOST}
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
  private static final int MOST = 500;

  /** In one transaction. */
  static Foreseen read(
      Transaction tx,
      ActionForesight foresight,
      ReplyPolicy policy,
      SagaDetails.Kind action,
      SagaFilter filter)
      throws SQLException {
    int count = SagaList.count(tx.connection(), filter);
    List<SagaSummary> first =
        SagaList.find(tx.connection(), filter, new SagaFilter.Page(null, false, MOST));
    SortedMap<String, Integer> awaited = new TreeMap<>();
    ActionForesight.Reader reader =
        new ActionForesight.Reader() {
          @Override
          public void read(StoredSaga saga) {
            participants(saga, policy).forEach(it -> awaited.merge(it, 1, Integer::sum));
          }
        };
    Map<UUID, SagaDetails.Action> actions =
        foresight.of(tx, first.stream().map(SagaSummary::id).toList(), action, reader);
    List<UUID> quarantined = new ArrayList<>();
    for (SagaSummary saga : first) {
      SagaDetails.Action foreseen = actions.get(saga.id());
      if (saga.quarantine() != null && foreseen != null && foreseen.allowed()) {
        quarantined.add(saga.id());
      }
    }
    return new Foreseen(count, actions, quarantined, awaited);
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
