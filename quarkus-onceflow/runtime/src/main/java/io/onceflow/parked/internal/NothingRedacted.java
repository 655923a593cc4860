package io.onceflow.parked.internal;

import io.onceflow.parked.Redaction;
import io.quarkus.arc.DefaultBean;
import jakarta.inject.Singleton;

/** For applications whose messages hold nothing that operators should not see. */
@DefaultBean
@Singleton
final class NothingRedacted implements Redaction {

  @Override
  public String of(String text) {
    return text;
  }
}
