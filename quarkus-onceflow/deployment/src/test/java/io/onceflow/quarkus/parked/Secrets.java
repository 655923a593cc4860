package io.onceflow.quarkus.parked;

import io.onceflow.parked.Redaction;
import jakarta.inject.Singleton;

@Singleton
class Secrets implements Redaction {

  @Override
  public String of(String text) {
    return text.replace("OF 1", "***");
  }
}
