package io.onceflow.saga.internal.runtime;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaRepository;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import io.onceflow.saga.internal.jpa.JpaSagaRepository;
import io.onceflow.saga.internal.jpa.LockedEntities;
import io.onceflow.saga.internal.store.LockedSaga;
import io.onceflow.saga.internal.store.PostgresSagaStore;
import io.onceflow.saga.internal.store.SagaStore;
import io.onceflow.saga.internal.store.version.StartVersionUnknown;
import io.onceflow.saga.internal.store.version.Versions;
import io.quarkus.arc.All;
import io.quarkus.arc.ClientProxy;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** Finds the application's sagas, and the repository of the subjects of each. */
@Singleton
class RunnerFactory {

  /** Together with a definition's name it is an origin, of which participants keep 255 bytes. */
  private static final String APPLICATION = "[!-9;-~]{1,190}";

  private final List<Saga<?>> sagas;
  private final List<SagaRepository<?>> repositories;
  private final SagaMessages messages;
  private final SagaStore store;
  private final SagaMeters meters;
  private final MinuteCounter minutes;
  private final Clock clock;
  private final SagaConfig config;

  RunnerFactory(
      @All List<Saga<?>> sagas,
      @All List<SagaRepository<?>> repositories,
      SagaMessages messages,
      DataSource database,
      MeterRegistry registry,
      MinuteCounter minutes,
      Clock clock,
      SagaConfig config) {
    this.sagas = sagas;
    this.repositories = repositories;
    this.messages = messages;
    this.store = new PostgresSagaStore(database);
    this.meters = new SagaMeters(registry);
    this.minutes = minutes;
    this.clock = clock;
    this.config = config;
  }

  SagaStore store() {
    return store;
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
        sagas.stream().<SagaDefinition<?>>flatMap(saga -> versions(saga).stream()).toList();
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
    if (!messages.replyTo().matches(APPLICATION)) {
      throw new IllegalStateException(
          "quarkus.application.name is \"%s\", which does not match %s; it travels with every"
                  .formatted(messages.replyTo(), APPLICATION)
              + " command as the beginning of the saga's origin, so rename the application");
    }
    return new SagaRunner<>(
        ClientProxy.unwrap(saga).getClass(),
        Versions.of(
            versions(saga),
            config.retryPolicy(),
            config.startVersion().get(saga.definition().name())),
        repositoryOf(saga),
        store,
        messages,
        clock,
        this::committed);
  }

  private void committed(LockedSaga<?> saga) {
    meters.accept(saga);
    minutes.accept(saga);
  }

  /** The definition in every version that sagas may still follow. */
  private static <D> List<SagaDefinition<D>> versions(Saga<D> saga) {
    List<SagaDefinition<D>> all = new ArrayList<>(saga.earlierVersions());
    all.add(saga.definition());
    return all;
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
