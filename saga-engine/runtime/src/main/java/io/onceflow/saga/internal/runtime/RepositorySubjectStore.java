package io.onceflow.saga.internal.runtime;

import io.onceflow.outbox.Transaction;
import io.onceflow.saga.api.SagaRepository;
import io.onceflow.saga.internal.store.SubjectStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** An application's subjects, in one transaction. */
record RepositorySubjectStore<D>(SagaRepository<D> repository, Transaction tx)
    implements SubjectStore<D> {

  @Override
  public UUID id(D subject) {
    return repository.id(subject);
  }

  @Override
  public Map<UUID, D> load(Connection connection, Set<UUID> ids) throws SQLException {
    return repository.load(tx, ids);
  }

  @Override
  public void save(Connection connection, Collection<D> changed) throws SQLException {
    repository.save(tx, changed);
  }
}
