package io.onceflow.quarkus.runtime;

import io.onceflow.local.internal.LocalTransport;
import io.onceflow.message.Command;
import io.onceflow.outbox.internal.transport.MessageTransport;
import io.onceflow.saga.Saga;
import io.onceflow.saga.internal.store.ReplyPolicy;
import io.quarkus.arc.All;
import io.quarkus.arc.ClientProxy;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * An orchestrator takes replies from the participant that it asked, and parks those of any other
 * application: one that bears another name than its commands expect would never be heard.
 */
@Singleton
class ReplySenderCheck {

  private static final Logger LOG = Logger.getLogger(ReplySenderCheck.class);

  private final OnceflowModel model;
  private final List<Saga<?>> sagas;
  private final MessageTransport transport;
  private final String application;

  ReplySenderCheck(
      OnceflowModel model,
      @All List<Saga<?>> sagas,
      MessageTransport transport,
      @ConfigProperty(name = "quarkus.application.name") String application) {
    this.model = model;
    this.sagas = sagas;
    this.transport = transport;
    this.application = application;
  }

  void check(@Observes @Priority(Interceptor.Priority.LIBRARY_BEFORE) StartupEvent starting) {
    List<Class<?>> handled = model.commands().stream().<Class<?>>map(HandlerBeans::load).toList();
    String wrong =
        handled.stream()
            .flatMap(command -> contradiction(command, application).stream())
            .collect(Collectors.joining("\n"));
    if (!wrong.isEmpty()) {
      throw new IllegalStateException(wrong);
    }
    if (!(ClientProxy.unwrap(transport) instanceof LocalTransport)) {
      handled.stream()
          .filter(command -> !isAskedForHere(command))
          .flatMap(command -> doubt(command, application).stream())
          .forEach(LOG::warn);
    }
  }

  /** The application believes its own replies. */
  private boolean isAskedForHere(Class<?> command) {
    return sagas.stream().anyMatch(saga -> saga.definition().commands().contains(command));
  }

  /** What is wrong where a command names another application than the one that handles it. */
  static Optional<String> contradiction(Class<?> command, String application) {
    Command said = command.getAnnotation(Command.class);
    return said.of().isEmpty() || said.of().equals(application)
        ? Optional.empty()
        : Optional.of(
            ("%s is annotated with @Command(of = \"%s\"), and is handled by this application, which"
                    + " is named %s: orchestrators would park its replies. Correct the annotation on"
                    + " both sides, or quarkus.application.name")
                .formatted(command.getSimpleName(), said.of(), application));
  }

  /** What may be wrong: an orchestrator may be configured, which is not known here. */
  static Optional<String> doubt(Class<?> command, String application) {
    Command said = command.getAnnotation(Command.class);
    String word = said.value().substring(0, said.value().indexOf('.'));
    String expected = ReplyPolicy.defaultParticipant(word);
    return !said.of().isEmpty() || expected.equals(application)
        ? Optional.empty()
        : Optional.of(
            ("this application is named %s and handles %s (%s); an orchestrator expects its replies"
                    + " from %s and parks others, unless it has"
                    + " onceflow.saga.replies.participants.%s=%s. Say so on both sides by"
                    + " @Command(value = \"%s\", of = \"%s\")")
                .formatted(
                    application,
                    command.getSimpleName(),
                    said.value(),
                    expected,
                    word,
                    application,
                    said.value(),
                    application));
  }
}
