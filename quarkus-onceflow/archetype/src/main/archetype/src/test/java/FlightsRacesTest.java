package ${package};

import static io.onceflow.test.races.RacedCommand.command;

import io.onceflow.test.TestPostgres;
import io.onceflow.test.races.CommandRaces;
import io.onceflow.test.races.Ledger;
import io.onceflow.test.races.RacedCommand;
import io.onceflow.test.races.RacedParticipants;
import io.onceflow.test.races.RacedService;
import java.util.List;
import javax.sql.DataSource;

/**
 * The participant, with everything that a broker, a database and a crash can do to it: each command
 * takes effect once, or is undone once, in every case.
 */
class FlightsRacesTest extends CommandRaces {

  private static final DataSource DATABASE = TestPostgres.database("flight_races");

  private static final RacedCommand CANCEL =
      command(CancelFlight.class, CancelFlight::new).does("CANCELLED");

  private static final RacedCommand RESERVE =
      command(ReserveFlight.class, trip -> new ReserveFlight(trip, "LH-1"))
          .does("RESERVED")
          .answers("FlightReserved")
          .mayBeRefused();

  private final Airline airline = new Airline();

  @Override
  protected List<RacedCommand> commands() {
    return List.of(RESERVE.undoneBy(CANCEL), CANCEL.after(RESERVE));
  }

  @Override
  protected RacedService service() {
    return RacedParticipants.on(DATABASE).of(new Flights(airline));
  }

  @Override
  protected Ledger ledger() {
    return trip ->
        airline.of(trip).stream()
            .map(entry -> new Ledger.Entry(entry.key(), entry.what()))
            .toList();
  }
}
