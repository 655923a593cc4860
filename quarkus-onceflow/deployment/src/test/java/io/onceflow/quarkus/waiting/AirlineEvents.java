package io.onceflow.quarkus.waiting;

import io.onceflow.participant.PendingSteps;
import jakarta.annotation.security.PermitAll;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.sql.SQLException;

/** Takes the airline's events. */
@Path("/airline-events")
@PermitAll
public class AirlineEvents {

  /** What the airline tells of a seat. */
  public record AirlineEvent(String reference, String status) {}

  @Inject SeatRequests requests;
  @Inject PendingSteps pending;

  @POST
  @Transactional
  public void take(AirlineEvent event) throws SQLException {
    SeatRequest request = requests.find(event.reference()).orElseThrow(NotFoundException::new);
    request.status = event.status();
    pending.decideAgain(request.key()); // in the same transaction
  }
}
