package io.onceflow.payment.gateway;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.payment.domain.ChargeKey;
import io.onceflow.payment.domain.DeclineReason;
import io.onceflow.payment.domain.GatewayUnavailable;
import io.onceflow.payment.domain.PaymentGateway;
import io.onceflow.payment.domain.ProcessPayment;
import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Stands in for a payment gateway, with the bad manners of real ones. Which of them it shows is
 * chosen by the payment method ({@link Behaviour}). As real ones do, it moves the money of a key
 * once, and answers the same again. Any other bean that is a {@link PaymentGateway} replaces it.
 */
@DefaultBean
@ApplicationScoped
class SimulatedGateway implements PaymentGateway {

  private static final Logger LOG = Logger.getLogger(SimulatedGateway.class);

  /** Slow enough to be noticed, and well within the deadline of a call. */
  private static final Duration SLOWNESS = Duration.ofSeconds(3);

  private final GatewayLedger ledger;

  SimulatedGateway(GatewayLedger ledger) {
    this.ledger = ledger;
  }

  @Override
  public Outcome charge(ChargeKey key, ProcessPayment command) throws InterruptedException {
    try {
      return switch (Behaviour.of(command.paymentMethod())) {
        case CHARGES -> charged(key, command);
        case DECLINES -> new Outcome.Declined(DeclineReason.CARD_DECLINED);
        case LACKS_FUNDS -> new Outcome.Declined(DeclineReason.INSUFFICIENT_FUNDS);
        case LOSES_FIRST_ANSWER -> chargedButAnsweredLater(key, command);
        case IS_UNAVAILABLE_TWICE -> chargedThirdTime(key, command);
        case IS_SLOW -> chargedSlowly(key, command);
        case NEVER_ANSWERS -> never(key);
        case KNOWS_NO_SUCH_METHOD -> declinedAsUnknown(key);
      };
    } catch (SQLException e) {
      throw new GatewayUnavailable(key, "its books: " + e.getMessage());
    }
  }

  @Override
  public void refund(ChargeKey key, String charge, long amount) {
    try {
      ledger.refund(key, charge, amount);
    } catch (SQLException e) {
      throw new GatewayUnavailable(key, "its books: " + e.getMessage());
    }
  }

  @Override
  public Optional<Annulled> annul(ChargeKey charge, UUID orderId) {
    try {
      Optional<Annulled> booked = ledger.makeVoid(charge, orderId);
      if (booked.isPresent()) {
        ledger.refund(charge.refund(), booked.get().reference(), booked.get().amount());
      }
      return booked;
    } catch (SQLException e) {
      throw new GatewayUnavailable(charge, "its books: " + e.getMessage());
    }
  }

  private Outcome charged(ChargeKey key, ProcessPayment command)
      throws SQLException, InterruptedException {
    String newReference = "ch_" + OutboxMessage.newId().toString().replace("-", "");
    return ledger
        .charge(key, command, newReference)
        .<Outcome>map(Outcome.Charged::new)
        .orElseGet(() -> new Outcome.Declined(DeclineReason.CANCELLED));
  }

  private Outcome chargedButAnsweredLater(ChargeKey key, ProcessPayment command)
      throws SQLException, InterruptedException {
    Outcome outcome = charged(key, command);
    if (ledger.countAttempt(key) == 1) {
      throw new GatewayUnavailable(key, "simulated: it charged and its answer was lost");
    }
    return outcome;
  }

  private Outcome chargedThirdTime(ChargeKey key, ProcessPayment command)
      throws SQLException, InterruptedException {
    if (ledger.countAttempt(key) <= 2) {
      throw new GatewayUnavailable(key, "simulated: unavailable twice");
    }
    return charged(key, command);
  }

  private Outcome chargedSlowly(ChargeKey key, ProcessPayment command)
      throws SQLException, InterruptedException {
    TimeUnit.MILLISECONDS.sleep(SLOWNESS.toMillis());
    return charged(key, command);
  }

  /** Until the caller's deadline interrupts. */
  private static Outcome never(ChargeKey key) throws InterruptedException {
    new CountDownLatch(1).await();
    throw new GatewayUnavailable(key, "simulated: down");
  }

  private static Outcome declinedAsUnknown(ChargeKey key) {
    LOG.infof("the simulated gateway knows no such payment method: %s declined", key);
    return new Outcome.Declined(DeclineReason.CARD_DECLINED);
  }
}
