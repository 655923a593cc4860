package io.onceflow.quarkus.runtime.dev;

import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.MessageSource;
import jakarta.annotation.Priority;
import jakarta.decorator.Decorator;
import jakarta.decorator.Delegate;
import jakarta.enterprise.inject.Any;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptor;

/** Has changed code reloaded before messages are handled by it. */
@Decorator
@Priority(Interceptor.Priority.LIBRARY_BEFORE)
public class ReloadBeforeMessages implements MessageSource {

  private final MessageSource source;

  @Inject
  ReloadBeforeMessages(@Delegate @Any MessageSource source) {
    this.source = source;
  }

  @Override
  public Subscription subscribe(Queue queue, BatchConsumer consumer, BatchSettler settler) {
    consumer.askBeforeEachBatch(LiveReload::awaitCurrentCode);
    return source.subscribe(queue, consumer, settler);
  }
}
