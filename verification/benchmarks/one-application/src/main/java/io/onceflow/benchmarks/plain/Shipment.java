package io.onceflow.benchmarks.plain;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/** What was booked for an order. */
@Entity
@NullUnmarked // JPA fills the fields
public class Shipment {

  @Id
  @Column(name = "order_id")
  public UUID orderId;

  public String country;
  public String status;

  /** For JPA. */
  protected Shipment() {}

  Shipment(UUID orderId, String country) {
    this.orderId = orderId;
    this.country = country;
    this.status = "ARRANGED";
  }
}
