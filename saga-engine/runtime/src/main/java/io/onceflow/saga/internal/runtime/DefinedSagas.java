package io.onceflow.saga.internal.runtime;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Transaction;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.api.SagaRepository;
import io.onceflow.saga.api.SagaStart;
import io.onceflow.saga.internal.engine.CancelOutcome;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.jpa.JpaSagaRepository;
import io.onceflow.saga.internal.store.CommandFormat;
import io.onceflow.saga.internal.store.SagaProcessor;
import io.onceflow.saga.internal.store.SagaStartRequest;
import io.onceflow.saga.internal.store.view.SagaView;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Runs the sagas of one {@link Saga} bean. */
final class DefinedSagas<D> extends SagaRunner {

  private final Saga<D> saga;
  private final SagaRepository<D> repository;
  private final RunnerDependencies dependencies;
  private final List<SagaDefinition<D>> versions;

  DefinedSagas(Saga<D> saga, SagaRepository<D> repository, RunnerDependencies dependencies) {
    super(dependencies);
    this.saga = saga;
    this.repository = repository;
    this.dependencies = dependencies;
    this.versions = new ArrayList<>(saga.earlierVersions());
    this.versions.add(saga.definition());
  }

  @Override
  boolean needsJta() {
    return repository instanceof JpaSagaRepository;
  }

  @Override
  boolean runs(Class<?> type) {
    return type.isInstance(saga);
  }

  @Override
  List<SagaDefinition<D>> versions() {
    return versions;
  }

  @Override
  SagaProcessor<D> sagas(Transaction tx) {
    return new SagaProcessor<>(
        versions,
        new RepositorySubjectStore<>(repository, tx),
        dependencies.store(),
        (connection, commands) ->
            tx.send(
                commands.stream()
                    .map(it -> dependencies.messages().command(repository.type(), it))
                    .toList()),
        patience(),
        new CommandFormat(origin(), dependencies.messages()::write),
        startVersion());
  }

  /** Stores subjects and takes their sagas' first steps. */
  List<UUID> start(Transaction tx, List<SagaStart<D>> starts) throws SQLException {
    List<RootKeys.Wanted> wanted =
        starts.stream()
            .map(it -> new RootKeys.Wanted(OutboxMessage.newId(), it.scope(), it.key()))
            .toList();
    List<String> roots = new RootKeys(dependencies.store()).unused(tx, wanted);
    List<SagaStartRequest<D>> started = new ArrayList<>();
    for (int i = 0; i < starts.size(); i++) {
      SagaStart<D> start = starts.get(i);
      started.add(
          new SagaStartRequest<>(
              wanted.get(i).sagaId(),
              start.subject(),
              start.scope(),
              roots.get(i),
              start.traceparent()));
    }
    repository.insert(tx, starts.stream().map(SagaStart::subject).toList());
    return sagas(tx).start(tx.connection(), started, now()).stream().map(SagaState::id).toList();
  }

  /** Cancels the saga about a subject, if that is still possible. */
  Optional<CancelOutcome> cancel(Transaction tx, UUID subjectId, SagaEvent.Cancel cancel)
      throws SQLException {
    return sagas(tx).cancel(tx.connection(), subjectId, cancel, now());
  }

  /** The saga about a subject, for showing it. */
  Optional<SagaView> about(Transaction tx, UUID subjectId) throws SQLException {
    return sagas(tx).viewBySubject(tx.connection(), subjectId);
  }
}
