package io.onceflow.internal.retention;

import java.util.Optional;

/**
 * A table of the application whose rows expire. Its beans are found: garbage collection of the
 * table runs while the application does.
 */
public interface ExpiringTable {

  /** What expires in it, and when; empty where its rows are kept for ever. */
  Optional<CollectedTable> expiring();

  /** How many rows of other tables go with each row, itself included. */
  default int rowsOfEach() {
    return 1;
  }
}
