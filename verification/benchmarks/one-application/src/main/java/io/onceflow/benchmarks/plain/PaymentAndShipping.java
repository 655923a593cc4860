package io.onceflow.benchmarks.plain;

import io.onceflow.benchmarks.plain.Messages.ArrangeShipment;
import io.onceflow.benchmarks.plain.Messages.ProcessPayment;
import io.onceflow.benchmarks.plain.Messages.RefundPayment;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Handles;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/** Payment and shipping, each of which keeps a row. */
@ApplicationScoped
public class PaymentAndShipping {

  private static final String WHERE_THE_CARRIER_DOES_NOT_GO = "AQ";

  @Handles
  Answer process(ProcessPayment command) {
    return Answer.done().save(new Payment(command.orderId(), command.amount()));
  }

  @Handles
  Answer refund(RefundPayment command, Optional<Payment> payment) {
    payment.ifPresent(paid -> paid.status = "REFUNDED");
    return payment.map(paid -> Answer.done().save(paid)).orElseGet(Answer::done);
  }

  @Handles
  Answer arrange(ArrangeShipment command) {
    return command.country().equals(WHERE_THE_CARRIER_DOES_NOT_GO)
        ? Answer.refused()
        : Answer.done().save(new Shipment(command.orderId(), command.country()));
  }
}
