package io.onceflow.quarkus.runtime;

import java.util.List;

/**
 * What the build has found in the application.
 *
 * @param handlers the classes of the beans with handler methods
 * @param commands the classes of the commands that they handle
 * @param bindings the routing keys of the commands that they handle, such as {@code flight.#}
 * @param migrations the product's migrations that the application needs, as resources
 */
public record OnceflowModel(
    List<String> handlers, List<String> commands, List<String> bindings, List<String> migrations) {

  /** Copies the lists. */
  public OnceflowModel {
    handlers = List.copyOf(handlers);
    commands = List.copyOf(commands);
    bindings = List.copyOf(bindings);
    migrations = List.copyOf(migrations);
  }

  /** Whether the application handles commands. */
  boolean isParticipant() {
    return !handlers.isEmpty();
  }
}
