package io.onceflow.shipping;

import static io.onceflow.test.races.RacedCommand.command;

import io.onceflow.shipping.carrier.BooksInSight;
import io.onceflow.shipping.domain.Shipment;
import io.onceflow.test.TestPostgres;
import io.onceflow.test.races.CommandRaces;
import io.onceflow.test.races.Ledger;
import io.onceflow.test.races.RacedCommand;
import io.onceflow.test.races.RacedParticipants;
import io.onceflow.test.races.RacedService;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** Every command of the shipping service goes through all races, against the carrier's books. */
class CommandRacesTest extends CommandRaces {

  private static final DataSource DATABASE =
      TestPostgres.database("shipping_races", "db/migration");

  private static final BooksInSight BOOKS = new BooksInSight(DATABASE);

  private static final RacedService SERVICE =
      RacedParticipants.on(DATABASE)
          .with(Shipment.class, new ShipmentTable())
          .of(new Shipments(BOOKS.carrier(), Clock.systemUTC()));

  private static final String WHAT_AND_WHERE =
      """
      "items": [{"sku": "BOOK-42", "quantity": 2}],
      "address": {"name": "Ada Lovelace", "line1": "12 St James's Square", "city": "London",
        "postalCode": "SW1Y 4JH", "country": "GB"}
      """;

  private static final RacedCommand CANCEL =
      command("CancelShipment", "{\"orderId\": \"%s\"}"::formatted)
          .does("CANCELLATION")
          .answers("ShipmentCancelled");

  private static final RacedCommand ARRANGE =
      command(
              "ArrangeShipment",
              order -> "{\"orderId\": \"%s\", %s}".formatted(order, WHAT_AND_WHERE))
          .does("BOOKING")
          .answers("ShipmentArranged")
          .refuses("ShipmentRejected");

  private static final RacedCommand CANCEL_RETURN =
      command("CancelReturn", CommandRacesTest::returnOf)
          .does("CANCELLATION")
          .answers("ReturnCancelled");

  private static final RacedCommand ARRANGE_RETURN =
      command(
              "ArrangeReturn",
              subject -> returnOf(subject).replace("}", ", %s}".formatted(WHAT_AND_WHERE)))
          .does("BOOKING")
          .answers("ReturnArranged")
          .refuses("ReturnRejected");

  /** Such commands are about the return; one that has its order's id is found in the books. */
  private static String returnOf(UUID subject) {
    return "{\"returnId\": \"%1$s\", \"orderId\": \"%1$s\"}".formatted(subject);
  }

  @Override
  protected RacedService service() {
    return SERVICE;
  }

  @Override
  protected Ledger ledger() {
    return BOOKS;
  }

  @Override
  protected List<RacedCommand> commands() {
    return List.of(
        ARRANGE.undoneBy(CANCEL),
        CANCEL.after(ARRANGE),
        ARRANGE_RETURN.undoneBy(CANCEL_RETURN),
        CANCEL_RETURN.after(ARRANGE_RETURN));
  }
}
