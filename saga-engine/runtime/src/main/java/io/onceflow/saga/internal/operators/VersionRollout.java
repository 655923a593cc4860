package io.onceflow.saga.internal.operators;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.control.LivingReplicas;
import io.onceflow.saga.internal.store.control.Replica;
import java.sql.SQLException;
import java.util.List;

/** How far a version of a definition is rolled out. */
public final class VersionRollout {

  private VersionRollout() {}

  /**
   * Requires that this and every other living replica know a version.
   *
   * @throws io.quarkiverse.resteasy.problem.HttpProblem where one does not: it would defer its
   *     sagas
   */
  public static void expectEverywhere(Transaction tx, SagaRunners sagas, String name, int version)
      throws SQLException {
    boolean isKnown =
        sagas.definitions().stream()
            .anyMatch(it -> it.name().equals(name) && it.version() == version);
    if (!isKnown) {
      throw SagaProblem.Type.DEFINITION_REFUSES.because(
          "This replica does not know version %s of %s.".formatted(version, name));
    }
    List<Replica> living = LivingReplicas.living(tx.connection());
    long unaware = living.stream().filter(it -> !it.has(name, version)).count();
    if (unaware > 0) {
      throw SagaProblem.Type.DEFINITION_REFUSES.because(
          "%s of the %s living replicas do not know version %s of %s, and would defer its sagas. Roll it out to all of them first."
              .formatted(unaware, living.size(), version, name));
    }
  }
}
