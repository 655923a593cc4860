package com.example.rental;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The subject of its saga: what is asked of the participants is made of it. */
@Entity
public class Rental extends PanacheEntityBase {

  @Id public UUID id;
  public String customer;
  public List<String> skus;
  public long cents;
  public Instant returnAt;
  public @Nullable String address;
  public String status;
  public @Nullable String signedBy;
  public @Nullable String reason;

  ReserveItem reserveItem(String sku) {
    return new ReserveItem(id, sku);
  }

  ReleaseItem releaseItem(String sku) {
    return new ReleaseItem(id, sku);
  }

  boolean isLarge() {
    return cents >= 50_00;
  }

  TakeDeposit deposit() {
    return new TakeDeposit(id, cents);
  }

  ReturnDeposit returnDeposit() {
    return new ReturnDeposit(id);
  }

  void signed(ContractSigned contract) {
    signedBy = contract.by();
  }

  Notify notice() {
    return new Notify(id, customer);
  }

  void confirm() {
    status = "CONFIRMED";
  }

  /** What the customer fetches needs no courier. */
  boolean isDelivered() {
    return address != null;
  }

  DeliverItems delivery() {
    return new DeliverItems(id, address);
  }

  Remind reminder() {
    return new Remind(id, customer);
  }

  void cancel(String why) {
    status = "CANCELLED";
    reason = why;
  }
}
