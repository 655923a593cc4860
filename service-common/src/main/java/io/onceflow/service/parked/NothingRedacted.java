package io.onceflow.service.parked;

import io.onceflow.inbox.ParkedInFull;
import io.quarkus.arc.DefaultBean;
import jakarta.inject.Singleton;

/** For services whose messages hold nothing that operators should not see. */
@DefaultBean
@Singleton
final class NothingRedacted implements Redaction {

  @Override
  public ParkedInFull of(ParkedInFull parked) {
    return parked;
  }
}
