package io.onceflow.quarkus.waiting;

import io.onceflow.participant.CallKey;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A seat that the airline was asked for: whose step it is, and what the airline told last. */
@Entity
@Table(name = "seat_request")
class SeatRequest {

  @Id String reference;
  String scope;

  @Column(name = "step_key")
  String stepKey;

  String status;

  SeatRequest() {}

  SeatRequest(CallKey key) {
    this.reference = key.value();
    this.scope = key.scope();
    this.stepKey = key.stepKey();
    this.status = "asked";
  }

  CallKey key() {
    return CallKey.of(scope, stepKey);
  }
}
