package io.onceflow.benchmarks.ceiling;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Finds the statements of a saga in a log: those with its root key, with an id that another of its
 * statements has, and so on. Polls and sweeps contain no ids, so they are left out unless they
 * found rows.
 */
final class SagaSteps {

  private static final String ORDERS = "orders";
  private static final String PAYMENTS = "payments";
  private static final String SHIPPING = "shipping";

  private static final List<String> NAMES =
      List.of("POST", "payment", "reply to payment", "shipping", "reply to shipping");

  private final List<List<LoggedTransaction>> steps = new ArrayList<>();

  private SagaSteps() {
    NAMES.forEach(name -> steps.add(new ArrayList<>()));
  }

  /**
   * The saga in its five steps.
   *
   * @param log in the order of the statements' ends
   * @param rootKey the Idempotency-Key of the order that was placed
   * @throws IllegalArgumentException if a step is missing
   */
  static RecordedSaga of(List<LoggedStatement> log, UUID rootKey) {
    SagaSteps steps = new SagaSteps();
    related(LoggedTransaction.of(log), SagaTokens.plain(rootKey.toString())).forEach(steps::add);
    return steps.saga();
  }

  private static List<LoggedTransaction> related(List<LoggedTransaction> all, String key) {
    Set<String> known = new HashSet<>(Set.of(key));
    Set<LoggedTransaction> related = new HashSet<>();
    boolean isGrowing = true;
    while (isGrowing) {
      isGrowing = false;
      for (LoggedTransaction it : all) {
        Set<String> tokens = it.tokens();
        if (!related.contains(it) && !Collections.disjoint(tokens, known)) {
          isGrowing = true;
          related.add(it);
          known.addAll(tokens);
        }
      }
    }
    return all.stream().filter(related::contains).toList();
  }

  private void add(LoggedTransaction transaction) {
    steps
        .get(transaction.isRelays() ? stepOfRelay(transaction) : step(transaction.database()))
        .add(transaction);
  }

  /**
   * Services take turns, since the order service's statements depend on which service started
   * before.
   */
  private int step(String database) {
    return switch (database) {
      case PAYMENTS -> 1;
      case SHIPPING -> 3;
      case ORDERS -> !steps.get(3).isEmpty() ? 4 : !steps.get(1).isEmpty() ? 2 : 0;
      default -> throw new IllegalArgumentException("No service has a database " + database);
    };
  }

  /**
   * A message leaves the outbox with the step that has put it there, even if later ones started.
   * Several of several steps leave with the last of these: before it they are not all there.
   */
  private int stepOfRelay(LoggedTransaction relays) {
    Set<String> taken = relays.tokens();
    for (int step = steps.size() - 1; step >= 0; step--) {
      for (LoggedTransaction it : steps.get(step)) {
        if (it.database().equals(relays.database()) && !Collections.disjoint(it.sent(), taken)) {
          return step;
        }
      }
    }
    throw new IllegalArgumentException(
        "Messages left the outbox that nothing in the log has put there: " + relays.statements());
  }

  private RecordedSaga saga() {
    List<RecordedStep> recorded = new ArrayList<>();
    for (int step = 0; step < NAMES.size(); step++) {
      List<LoggedTransaction> transactions = steps.get(step);
      if (transactions.isEmpty()) {
        throw new IllegalArgumentException(
            "The log shows no statement of the step '%s'".formatted(NAMES.get(step)));
      }
      recorded.add(
          new RecordedStep(
              NAMES.get(step),
              transactions.getFirst().database(),
              transactions.stream()
                  .flatMap(it -> it.statements().stream())
                  .map(it -> new RecordedStatement(it.sql(), it.parameters(), it.queryId()))
                  .toList()));
    }
    return new RecordedSaga(recorded);
  }
}
