package io.onceflow.quarkus.devui;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;

/** What the saga is about. */
@Entity
class Booking {

  @Id UUID id;
  String flight;

  ReserveSeat reserveSeat() {
    return new ReserveSeat(id, flight);
  }

  ReleaseSeat releaseSeat() {
    return new ReleaseSeat(id);
  }

  void confirm() {
    flight += " confirmed";
  }
}
