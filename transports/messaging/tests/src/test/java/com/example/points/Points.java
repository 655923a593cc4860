package com.example.points;

import io.onceflow.messaging.MessageAttributes;
import io.onceflow.messaging.Once;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.util.List;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.eclipse.microprofile.reactive.messaging.Message;

/** Gives customers their points. */
@ApplicationScoped
class Points {

  @Inject Accounts accounts;
  @Inject TransactionSynchronizationRegistry transaction;

  @Incoming("orders")
  @Once(step = "award-points")
  void award(OrderPlaced order) {
    accounts.add(order.customer(), order.amount() / 100);
  }

  /** What an application's own code may do to a transaction. */
  @Incoming("closures")
  @Once(step = "close-account", key = Once.POSITION)
  void close(Visit last) {
    accounts.add(last.customer(), 1);
    switch (last.customer()) {
      case "marked" -> transaction.setRollbackOnly();
      case "late" -> transaction.registerInterposedSynchronization(new LateRefusal());
      default -> {}
    }
  }

  @Incoming("visits")
  @Once(step = "count-visits", key = Once.POSITION)
  void count(List<Visit> visits) {
    visits.forEach(visit -> accounts.add(visit.customer(), 1));
  }

  @Incoming("returns")
  @Once(step = "revoke-points", key = Once.MESSAGE_ID)
  void revoke(Message<OrderPlaced> returned) {
    OrderPlaced order = returned.getPayload();
    String shop =
        returned
            .getMetadata(MessageAttributes.class)
            .map(it -> it.headers().get("shop"))
            .orElse("none");
    accounts.add(order.customer() + " at " + shop, -order.amount() / 100);
  }
}
