package ${package};

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;

@Entity
public class Trip extends PanacheEntityBase {

  @Id public UUID id;
  public String flight;
  public long price;
  public String status;
  @Column(name = "flight_reference") public String flightReference;
  public String reason;

  ReserveFlight reserveFlight() {
    return new ReserveFlight(id, flight);
  }

  CancelFlight cancelFlight() {
    return new CancelFlight(id);
  }

  ChargeCard chargeCard() {
    return new ChargeCard(id, price);
  }

  void flightReserved(FlightReserved reply) {
    flightReference = reply.reference();
  }

  void confirm() {
    status = "CONFIRMED";
  }

  void cancel(String why) {
    status = "CANCELLED";
    reason = why;
  }
}
