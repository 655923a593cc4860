package io.onceflow.payment.messaging;

import io.onceflow.inbox.BrokerWatch;
import io.onceflow.outbox.BrokerConnection;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.context.ApplicationScoped;

/** Looks whether messages come in. */
@ApplicationScoped
class Watch {

  private final BrokerWatch watch;

  Watch(CommandChannel channel, BrokerConnection broker) {
    this.watch = new BrokerWatch(channel, broker);
  }

  /** A connector that has not connected after this long has met more than a restart. */
  @Scheduled(every = "5s", delayed = "5s", concurrentExecution = ConcurrentExecution.SKIP)
  void look() {
    watch.look();
  }
}
