package io.onceflow.inbox.oracle;

import java.util.Locale;

/** A process of the participant. */
enum Replica {
  R1,
  R2;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
