package io.onceflow.quarkus.reluctant;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;

/** What the saga is about. */
@Entity
class Rental {

  @Id UUID id;
  String tool;

  LendTool lendTool() {
    return new LendTool(id, tool);
  }

  ReturnTool returnTool() {
    return new ReturnTool(id);
  }

  PayRental pay() {
    return new PayRental(id);
  }

  InsureRental insure() {
    return new InsureRental(id);
  }
}
