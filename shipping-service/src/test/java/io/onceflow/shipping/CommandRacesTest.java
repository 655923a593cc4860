package io.onceflow.shipping;

import static io.onceflow.inbox.races.RacedCommand.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.inbox.StrictJson;
import io.onceflow.inbox.races.CommandRaces;
import io.onceflow.inbox.races.Ledger;
import io.onceflow.inbox.races.RacedCommand;
import io.onceflow.inbox.races.RacedService;
import io.onceflow.participant.internal.HandlerMethods;
import io.onceflow.participant.internal.RowKinds;
import io.onceflow.shipping.carrier.BooksInSight;
import io.onceflow.shipping.domain.Shipment;
import java.time.Clock;
import java.util.List;
import java.util.UUID;

/** Every command of the shipping service goes through all races, against the carrier's books. */
class CommandRacesTest extends CommandRaces {

  private static final ObjectMapper JSON =
      StrictJson.of(JsonMapper.builder().findAndAddModules().build());

  /** On a database that no application of these tests uses: its relay would publish our rows. */
  private static final TestDatabase APART = TestDatabase.apart("payments", "migration");

  private static final BooksInSight BOOKS = new BooksInSight(APART.source());

  private static final RowKinds ROWS = new RowKinds().with(Shipment.class, new ShipmentTable());

  private static final RacedService SERVICE =
      RacedService.of(
          APART.source(),
          JSON,
          ROWS,
          HandlerMethods.of(ROWS, JSON, new Shipments(BOOKS.carrier(), Clock.systemUTC())));

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
