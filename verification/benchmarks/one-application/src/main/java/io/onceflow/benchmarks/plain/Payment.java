package io.onceflow.benchmarks.plain;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/** What was charged for an order. */
@Entity
@NullUnmarked // JPA fills the fields
public class Payment {

  @Id
  @Column(name = "order_id")
  public UUID orderId;

  public long amount;
  public String status;

  /** For JPA. */
  protected Payment() {}

  Payment(UUID orderId, long amount) {
    this.orderId = orderId;
    this.amount = amount;
    this.status = "PROCESSED";
  }
}
