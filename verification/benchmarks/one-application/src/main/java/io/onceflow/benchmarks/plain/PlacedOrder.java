package io.onceflow.benchmarks.plain;

import io.onceflow.benchmarks.plain.Messages.ArrangeShipment;
import io.onceflow.benchmarks.plain.Messages.ProcessPayment;
import io.onceflow.benchmarks.plain.Messages.RefundPayment;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;
import org.hibernate.annotations.UuidGenerator;
import org.jspecify.annotations.NullUnmarked;

/** What the saga is about. */
@Entity
@Table(name = "orders")
@NullUnmarked // JPA fills the fields
public class PlacedOrder extends PanacheEntityBase {

  /** In the order of time, by which the benchmark tells the orders of a run. */
  @Id
  @GeneratedValue
  @UuidGenerator(style = UuidGenerator.Style.VERSION_7)
  public UUID id;

  public long amount;
  public String method;
  public String country;
  public String status = "PENDING";
  public String reason;

  ProcessPayment processPayment() {
    return new ProcessPayment(id, amount, method);
  }

  RefundPayment refundPayment() {
    return new RefundPayment(id);
  }

  ArrangeShipment arrangeShipment() {
    return new ArrangeShipment(id, country);
  }

  void confirm() {
    status = "CONFIRMED";
  }

  void cancel(String why) {
    status = "CANCELLED";
    reason = why;
  }
}
