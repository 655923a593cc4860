package com.example.loyalty;

import io.onceflow.messaging.Once;
import io.onceflow.messaging.OutboxEmitter;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Incoming;

/** Gives customers points for what they buy, and congratulates them when it hears of that. */
@ApplicationScoped
class Loyalty {

  private final Accounts accounts;
  private final OutboxEmitter<PointsAwarded> awarded;

  Loyalty(Accounts accounts, @Channel("points-awarded") OutboxEmitter<PointsAwarded> awarded) {
    this.accounts = accounts;
    this.awarded = awarded;
  }

  @Incoming("purchases")
  @Once(step = "award-points")
  void award(Purchase purchase) throws SQLException {
    int points = purchase.amount() / 100;
    accounts.add(purchase.customer(), points);
    awarded.send(new PointsAwarded(purchase.customer(), points), purchase.customer());
  }

  @Incoming("awards")
  @Once(step = "congratulate")
  void congratulate(PointsAwarded news) throws SQLException {
    accounts.add("congratulated " + news.customer(), news.points());
  }
}
