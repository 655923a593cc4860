package io.onceflow.saga.internal.runtime;

import io.onceflow.internal.database.DatabaseWatch;
import io.onceflow.internal.watchdog.PeriodicTask;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.store.control.DefinitionControl;
import io.onceflow.saga.internal.store.control.DefinitionControls;
import io.onceflow.saga.internal.store.control.LivingReplicas;
import io.onceflow.saga.internal.store.control.ReplicaDetails;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Has this replica follow what operators set for definitions: which version new sagas follow, and
 * holds. {@link DatabaseWatch} asks every two seconds whether anything is set, without a statement
 * of its own; while something is, it is read every second, and the sagas of a definition that is on
 * hold, or is being resumed, are held and resumed in sets. Every replica does; {@code SKIP LOCKED}
 * shares the work. Writes every ten seconds that this replica lives, and how it does.
 */
@ApplicationScoped
public class DefinitionWatch {

  private static final Logger LOG = Logger.getLogger(DefinitionWatch.class);

  private static final Duration EVERY = Duration.ofSeconds(1);

  /** Turns from one sign of life to the next. */
  private static final int SEEN_EVERY = 10;

  /** Sagas that are held or resumed in one transaction, and transactions of a turn. */
  private static final int BATCH = 500;

  private static final int MOST_BATCHES = 20;

  private final SagaRunners sagas;
  private final UnitOfWork unitOfWork;
  private final DatabaseWatch database;
  private final ThisReplica replica;
  private final PeriodicTask task = new PeriodicTask("saga-definitions", this::turn);
  private volatile boolean isAnySet;
  private boolean isFollowing;
  private int turns;

  @FunctionalInterface
  private interface Batch {
    int once() throws SQLException;
  }

  DefinitionWatch(
      SagaRunners sagas, UnitOfWork unitOfWork, DatabaseWatch database, ThisReplica replica) {
    this.sagas = sagas;
    this.unitOfWork = sagas.transactions(unitOfWork);
    this.database = database;
    this.replica = replica;
  }

  /** Before anything is consumed or started: what is set holds from the first saga on. */
  public void start() throws SQLException {
    follow();
    database.alsoAsk(
        new DatabaseWatch.Question(DefinitionControls.IS_ANY_SET, "", any -> isAnySet = any));
    task.start(Duration.ZERO, EVERY);
  }

  void stop(@Observes @Priority(1) ShutdownEvent stopping) {
    synchronized (this) {
      task.close();
    }
    try {
      unitOfWork.run(tx -> LivingReplicas.gone(tx.connection(), replica.id()));
    } catch (SQLException | RuntimeException e) {
      LOG.debug("this replica counts as living for half a minute", e);
    }
  }

  private synchronized void turn() throws SQLException {
    if (turns++ % SEEN_EVERY == 0) {
      ReplicaDetails details = replica.details();
      unitOfWork.run(
          tx -> LivingReplicas.seen(tx.connection(), replica.identity(), known(), details));
    }
    if (isAnySet || isFollowing) {
      for (DefinitionControl control : follow()) {
        carryOut(control);
      }
    }
  }

  private List<String> known() {
    return sagas.definitions().stream().map(SagaDefinition::toString).toList();
  }

  /** Reads what is set; a definition of which nothing is set any more is as configured again. */
  private List<DefinitionControl> follow() throws SQLException {
    List<DefinitionControl> all = unitOfWork.call(tx -> DefinitionControls.read(tx.connection()));
    Map<String, DefinitionControl> byName =
        all.stream().collect(Collectors.toMap(DefinitionControl::definition, it -> it));
    sagas.all().forEach(runner -> runner.follow(byName.get(runner.definition())));
    isFollowing = !all.isEmpty();
    return all;
  }

  private void carryOut(DefinitionControl control) throws SQLException {
    String definition = control.definition();
    @Nullable String resuming = control.resuming();
    if (control.hold() != null) {
      unitOfWork.run(tx -> DefinitionHolds.endIfOver(tx, definition));
      inBatches(
          () ->
              unitOfWork.call(
                  tx -> DefinitionControls.holdSome(tx.connection(), definition, BATCH)));
    } else if (resuming != null) {
      inBatches(
          () ->
              unitOfWork.call(
                  tx ->
                      DefinitionControls.resumeSome(tx.connection(), definition, resuming, BATCH)));
    }
  }

  private static void inBatches(Batch batch) throws SQLException {
    int batches = 1;
    while (batch.once() > 0 && batches < MOST_BATCHES) {
      batches++;
    }
  }
}
