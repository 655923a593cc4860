package io.onceflow.payment.stripe;

import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Deletes what Stripe was asked and has told so long ago that nobody will ask about it. */
@Singleton
class StripeUpkeep {

  private static final int A_BATCH = 1000;

  private final StripeConfig config;
  private final StripeRequests requests;
  private final StripeEvents events;

  StripeUpkeep(StripeConfig config, StripeRequests requests, StripeEvents events) {
    this.config = config;
    this.requests = requests;
    this.events = events;
  }

  @Scheduled(every = "10m", delayed = "1m", concurrentExecution = ConcurrentExecution.SKIP)
  void deleteOld() {
    Duration age = config.retention();
    while (requests.deleteOlderThan(age) == A_BATCH) {
      Thread.onSpinWait();
    }
    while (events.deleteOlderThan(age) == A_BATCH) {
      Thread.onSpinWait();
    }
  }
}
