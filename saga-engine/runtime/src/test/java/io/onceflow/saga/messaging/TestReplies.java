package io.onceflow.saga.messaging;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.MessageReceiver;
import io.onceflow.saga.runtime.DeferredReplies;
import io.onceflow.saga.runtime.SagaRunners;

/** Takes replies to sagas without an application around them. */
public final class TestReplies {

  private TestReplies() {}

  /** Delivers replies to these sagas. */
  public static MessageReceiver receiver(
      ObjectMapper json, SagaRunners sagas, DeferredReplies deferred) {
    return new SagaReplies(new ReplyReader(json, sagas.replies()), sagas, deferred);
  }
}
