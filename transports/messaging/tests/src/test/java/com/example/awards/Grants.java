package com.example.awards;

import io.onceflow.messaging.OutboxEmitter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Message;

/** Gives points for nothing. */
@ApplicationScoped
class Grants {

  @Inject Balances balances;

  @Inject
  @Channel("points-awarded")
  OutboxEmitter<PointsAwarded> awarded;

  @Transactional
  void grant(String customer, int points) {
    awarded.send(new PointsAwarded(customer, points), customer);
    balances.add(customer, points);
  }

  /** One transaction for all. */
  @Transactional
  void grantEach(String beginning, int customers) {
    for (int i = 0; i < customers; i++) {
      grant(beginning + "-" + i, 1);
    }
  }

  /** One point, then two, and so on, in one transaction. */
  @Transactional
  void grantUpTo(String customer, int most) {
    for (int points = 1; points <= most; points++) {
      grant(customer, points);
    }
  }

  @Transactional
  void grantInVain(String customer, int points) {
    grant(customer, points);
    throw new IllegalStateException("changed their mind");
  }

  @Transactional
  void send(Message<PointsAwarded> message) {
    awarded.send(message);
  }

  void sendWithoutTransaction(String customer) {
    awarded.send(new PointsAwarded(customer, 1));
  }
}
