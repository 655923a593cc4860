package io.onceflow.quarkus.runtime;

import io.onceflow.local.internal.LocalTransport;
import io.onceflow.outbox.internal.transport.MessageTransport;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import io.quarkus.arc.All;
import io.quarkus.arc.ClientProxy;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Without a broker, all that sagas ask for is handled in this application: a command that nothing
 * handles would wait for ever. Definitions are code, so they are checked when it starts.
 */
@Singleton
class LocalHandlerCheck {

  private final OnceflowModel model;
  private final List<Saga<?>> sagas;
  private final MessageTransport transport;

  LocalHandlerCheck(OnceflowModel model, @All List<Saga<?>> sagas, MessageTransport transport) {
    this.model = model;
    this.sagas = sagas;
    this.transport = transport;
  }

  void check(@Observes @Priority(Interceptor.Priority.LIBRARY_BEFORE) StartupEvent starting) {
    if (ClientProxy.unwrap(transport) instanceof LocalTransport) {
      List<String> wrong = sagas.stream().flatMap(this::versions).flatMap(this::unhandled).toList();
      if (!wrong.isEmpty()) {
        throw new IllegalStateException(String.join("\n", wrong));
      }
    }
  }

  private Stream<SagaDefinition<?>> versions(Saga<?> saga) {
    return Stream.concat(Stream.of(saga.definition()), saga.earlierVersions().stream());
  }

  private Stream<String> unhandled(SagaDefinition<?> definition) {
    Set<String> handled = new HashSet<>(model.commands());
    return definition.commands().stream()
        .filter(command -> !handled.contains(command.getName()))
        .map(
            command ->
                ("Saga %s sends %s, which nothing in this application handles, and"
                        + " onceflow.transport=local reaches no other application; write a bean"
                        + " with a @Handles method for it, or remove that property")
                    .formatted(definition, command.getSimpleName()));
  }
}
