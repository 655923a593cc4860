package io.onceflow.payment;

import io.onceflow.participant.RecordTable;
import io.onceflow.payment.domain.Payment;
import jakarta.inject.Singleton;
import java.util.UUID;

/** The table {@code payment}. Of a payment that exists only its end is news. */
@Singleton
class PaymentTable extends RecordTable<Payment> {

  PaymentTable() {
    super(Payment.class, "payment", "order_id", "status", "refunded_at");
  }

  @Override
  protected UUID subjectOf(Payment payment) {
    return payment.orderId();
  }
}
