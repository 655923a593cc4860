package io.onceflow.saga.internal.runtime;

import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.api.SagaRepository;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import io.onceflow.saga.internal.jpa.JpaSagaRepository;
import io.onceflow.saga.internal.jpa.LockedEntities;
import io.onceflow.saga.internal.store.version.StartVersionUnknown;
import io.quarkus.arc.All;
import io.quarkus.arc.ClientProxy;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Finds the application's sagas, and the repository of the subjects of each. */
@Singleton
class RunnerFactory {

  private final List<Saga<?>> sagas;
  private final List<SagaRepository<?>> repositories;
  private final SagaMessages messages;
  private final CountedSagaStore store;
  private final Clock clock;
  private final SagaConfig config;
  private final String application;

  RunnerFactory(
      @All List<Saga<?>> sagas,
      @All List<SagaRepository<?>> repositories,
      SagaMessages messages,
      CountedSagaStore store,
      Clock clock,
      SagaConfig config,
      @ConfigProperty(name = "quarkus.application.name") String application) {
    this.sagas = sagas;
    this.repositories = repositories;
    this.messages = messages;
    this.store = store;
    this.clock = clock;
    this.config = config;
    this.application = application;
  }

  List<SagaRunner<?>> runners() {
    checkNames(sagas);
    checkStartVersions();
    return sagas.stream().<SagaRunner<?>>map(this::runner).toList();
  }

  /** A saga is stored under its definition's name, and found by it again. */
  static void checkNames(List<Saga<?>> sagas) {
    Map<String, Saga<?>> taken = new HashMap<>();
    for (Saga<?> saga : sagas) {
      String name = saga.definition().name();
      Saga<?> before = taken.putIfAbsent(name, saga);
      if (before != null) {
        throw new SagaDefinitionInvalid(
            "%s and %s both define saga \"%s\"; a saga is stored under that name, so rename one."
                .formatted(nameOf(before), nameOf(saga), name));
      }
    }
  }

  private static String nameOf(Saga<?> saga) {
    Saga<?> bean = ClientProxy.unwrap(saga);
    return bean.getClass().getName();
  }

  /** A configured name without a definition is a mistake that no other check finds. */
  private void checkStartVersions() {
    List<SagaDefinition<?>> known =
        sagas.stream()
            .<SagaDefinition<?>>flatMap(saga -> SagaRunner.versions(saga).stream())
            .toList();
    config
        .startVersion()
        .forEach(
            (definition, version) -> {
              if (known.stream()
                  .noneMatch(it -> it.name().equals(definition) && it.version() == version)) {
                throw new StartVersionUnknown(definition, version, known);
              }
            });
  }

  private <D> SagaRunner<D> runner(Saga<D> saga) {
    return new SagaRunner<>(saga, repositoryOf(saga), store, messages, config, clock, application);
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
    return isEntity
        ? Optional.of(new JpaSagaRepository<>(LockedEntities.of(subject)))
        : Optional.empty();
  }

  /** Its type argument is the subject: that was compared. */
  @SuppressWarnings("unchecked")
  private static <D> SagaRepository<D> typed(SagaRepository<?> repository) {
    return (SagaRepository<D>) repository;
  }
}
