package io.onceflow.service.parked;

import io.onceflow.inbox.ParkedMessageDetail;
import io.quarkus.arc.DefaultBean;
import jakarta.inject.Singleton;

/** For services whose messages hold nothing that operators should not see. */
@DefaultBean
@Singleton
final class NothingRedacted implements Redaction {

  @Override
  public ParkedMessageDetail of(ParkedMessageDetail parked) {
    return parked;
  }
}
