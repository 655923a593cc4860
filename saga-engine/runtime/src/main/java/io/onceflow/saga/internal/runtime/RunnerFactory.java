package io.onceflow.saga.internal.runtime;

import io.onceflow.saga.Saga;
import io.onceflow.saga.api.SagaRepository;
import io.onceflow.saga.internal.jpa.JpaSagaRepository;
import io.quarkus.arc.All;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Finds the application's sagas, and the repository of the subjects of each. */
@Singleton
class RunnerFactory {

  private final List<Saga<?>> sagas;
  private final List<SagaRepository<?>> repositories;
  private final RunnerDependencies dependencies;

  @Inject
  RunnerFactory(
      @All List<Saga<?>> sagas,
      @All List<SagaRepository<?>> repositories,
      SagaMessages messages,
      CountedSagaStore store,
      Clock clock,
      SagaConfig config,
      @ConfigProperty(name = "quarkus.application.name") String application) {
    this(sagas, repositories, new RunnerDependencies(messages, store, clock, config, application));
  }

  RunnerFactory(
      List<Saga<?>> sagas, List<SagaRepository<?>> repositories, RunnerDependencies dependencies) {
    this.sagas = sagas;
    this.repositories = repositories;
    this.dependencies = dependencies;
  }

  /** One runner for each saga. */
  List<SagaRunner> runners() {
    return sagas.stream().<SagaRunner>map(this::runner).toList();
  }

  private <D> DefinedSagas<D> runner(Saga<D> saga) {
    return new DefinedSagas<>(saga, repositoryOf(saga), dependencies);
  }

  private <D> SagaRepository<D> repositoryOf(Saga<D> saga) {
    Class<?> subject = TypeArgument.of(saga.getClass(), Saga.class);
    return repositories.stream()
        .filter(it -> TypeArgument.of(it.getClass(), SagaRepository.class) == subject)
        .findFirst()
        .or(() -> entities(subject))
        .map(RunnerFactory::<D>typed)
        .orElseThrow(() -> new SagaRepositoryMissing(saga.definition(), subject));
  }

  /** By its name: an application without JPA does not have the annotation. */
  private static Optional<SagaRepository<?>> entities(Class<?> subject) {
    boolean isEntity =
        Arrays.stream(subject.getAnnotations())
            .anyMatch(it -> it.annotationType().getName().equals("jakarta.persistence.Entity"));
    return isEntity ? Optional.of(JpaSagaRepository.of(subject)) : Optional.empty();
  }

  /** Its type argument is the subject: that was compared. */
  @SuppressWarnings("unchecked")
  private static <D> SagaRepository<D> typed(SagaRepository<?> repository) {
    return (SagaRepository<D>) repository;
  }
}
