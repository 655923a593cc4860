package io.onceflow.outbox.internal.transport;

import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.time.Duration;

/** A channel that keeps account of its answers. */
public abstract class AnsweredChannel implements MessageChannel {

  protected final PendingAnswers answers = new PendingAnswers();

  @Override
  public final Published answered() {
    return answers.answered();
  }

  @Override
  public final Published await(Duration deadline) throws InterruptedException {
    return answers.await(deadline);
  }

  @Override
  public final boolean isSettled() {
    return answers.isSettled();
  }
}
