package io.onceflow.saga.internal.timeline;

import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step;
import io.onceflow.saga.Step.OutgoingCommand;
import io.onceflow.saga.internal.RecordCommand;
import io.onceflow.saga.internal.store.ReplyPolicy;
import io.onceflow.saga.internal.store.StoredSaga;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Who gets the commands of a saga, as far as its definition or what was sent says so. */
final class ExpectedServices {

  private ExpectedServices() {}

  /**
   * By the names of steps and compensations.
   *
   * @param definition that the saga follows; empty where it is not known here
   */
  static Map<String, String> of(
      Optional<? extends SagaDefinition<?>> definition, StoredSaga saga, ReplyPolicy policy) {
    Map<String, String> services = new HashMap<>();
    definition.ifPresent(known -> known.steps().forEach(step -> add(services, step, policy)));
    saga.sent()
        .values()
        .forEach(sent -> services.put(sent.name(), policy.participantOf(sent.routingKey())));
    return services;
  }

  private static void add(Map<String, String> services, Step<?> step, ReplyPolicy policy) {
    if (step instanceof Step.Send<?> send) {
      add(services, send.name(), send.command(), policy);
      send.compensation().ifPresent(it -> add(services, it.name(), it.command(), policy));
    }
  }

  private static void add(
      Map<String, String> services,
      String name,
      Function<?, OutgoingCommand> command,
      ReplyPolicy policy) {
    if (command instanceof RecordCommand<?, ?> known) {
      services.put(name, policy.participantOf(known.routingKey()));
    }
  }
}
