package com.example.awards;

import io.onceflow.messaging.Once;
import io.onceflow.messaging.OutboxEmitter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Incoming;

/** Gives customers their points, and says so. */
@ApplicationScoped
class Awards {

  @Inject Balances balances;

  @Inject
  @Channel("points-awarded")
  OutboxEmitter<PointsAwarded> awarded;

  @Incoming("purchases")
  @Once(step = "award-points")
  void award(Purchase purchase) {
    int points = purchase.amount() / 100;
    awarded.send(new PointsAwarded(purchase.customer(), points), purchase.customer());
    balances.add(purchase.customer(), points);
  }
}
