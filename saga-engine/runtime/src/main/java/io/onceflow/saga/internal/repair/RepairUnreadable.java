package io.onceflow.saga.internal.repair;

import java.util.UUID;

/** A repair's row cannot be read, such as after a rollback: a newer release has written it. */
final class RepairUnreadable extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final UUID id;

  RepairUnreadable(UUID id, RuntimeException cause) {
    super("repair %s cannot be read: %s".formatted(id, cause.getMessage()), cause);
    this.id = id;
  }

  UUID id() {
    return id;
  }
}
