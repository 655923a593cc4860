package io.onceflow.saga.internal.overview;

import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.runtime.ThisReplica;
import io.onceflow.saga.internal.store.control.LivingReplicas;
import io.onceflow.saga.internal.store.control.Replica;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The replicas as operators see them. */
@ApplicationScoped
class KnownReplicas {

  private final UnitOfWork unitOfWork;
  private final ThisReplica self;

  KnownReplicas(SagaRunners sagas, UnitOfWork unitOfWork, ThisReplica self) {
    this.unitOfWork = sagas.transactions(unitOfWork);
    this.self = self;
  }

  /** The longest running first. */
  List<ReplicaView> all() throws SQLException {
    List<Replica> all = unitOfWork.call(tx -> LivingReplicas.all(tx.connection()));
    Set<String> known =
        all.stream()
            .filter(Replica::isLiving)
            .flatMap(it -> it.versions().stream())
            .collect(Collectors.toSet());
    return all.stream().map(it -> ReplicaView.of(it, known, self.id())).toList();
  }
}
