package io.onceflow.quarkus.signals;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;

/** What the saga is about. */
@Entity
class Tenancy {

  @Id UUID id;

  @Column(name = "signed_by")
  String signedBy = "";

  String status = "OFFERED";

  /** The event, as the saga takes it. */
  record TenancySigned(String by) {}

  void signed(TenancySigned event) {
    signedBy += event.by();
  }

  void begin() {
    status = "LET TO " + signedBy;
  }
}
