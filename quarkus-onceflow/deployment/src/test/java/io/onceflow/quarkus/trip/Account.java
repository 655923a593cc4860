package io.onceflow.quarkus.trip;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;

/** A traveller's points. */
@Entity
class Account {

  @Id UUID id;
  int points;
}
