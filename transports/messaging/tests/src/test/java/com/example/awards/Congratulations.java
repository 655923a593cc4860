package com.example.awards;

import io.onceflow.messaging.Once;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.reactive.messaging.Incoming;

/** Reads what another part of the shop has sent. */
@ApplicationScoped
class Congratulations {

  @Inject Balances balances;

  @Incoming("awards")
  @Once(step = "congratulate")
  void congratulate(PointsAwarded awarded) {
    balances.add("congratulated " + awarded.customer(), awarded.points());
  }
}
