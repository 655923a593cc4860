package io.onceflow.saga.internal.messaging;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.consumer.MessageReceiver;
import io.onceflow.saga.internal.runtime.SagaRunners;
import java.time.Clock;

/** Takes replies to sagas without an application around them. */
public final class TestReplies {

  private TestReplies() {}

  /** Delivers replies to these sagas. */
  public static MessageReceiver receiver(ObjectMapper json, SagaRunners sagas) {
    return new SagaReplies(new ReplyReader(json, sagas.replies()), sagas, Clock.systemUTC());
  }
}
