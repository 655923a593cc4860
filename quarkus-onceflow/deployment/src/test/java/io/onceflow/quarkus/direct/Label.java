package io.onceflow.quarkus.direct;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;

/**
 * What a handler saves and does not take; its id is assigned, so that JPA cannot tell a new one.
 */
@Entity
class Label {

  @Id
  @Column(name = "parcel_id")
  UUID parcelId;

  String text;

  Label() {}

  Label(UUID parcelId, String text) {
    this.parcelId = parcelId;
    this.text = text;
  }
}
