package io.onceflow.payment;

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
import io.onceflow.payment.domain.Payment;
import io.onceflow.payment.gateway.BooksInSight;
import java.time.Clock;
import java.util.List;

/** Every command of the payment service goes through all races, against the gateway's books. */
class CommandRacesTest extends CommandRaces {

  private static final ObjectMapper JSON =
      StrictJson.of(JsonMapper.builder().findAndAddModules().build());

  /** On a database that no application of these tests uses: its relay would publish our rows. */
  private static final TestDatabase APART = TestDatabase.apart("shipping", "migration");

  private static final BooksInSight BOOKS = new BooksInSight(APART.source());

  private static final RowKinds ROWS = new RowKinds().with(Payment.class, new PaymentTable());

  private static final RacedService SERVICE =
      RacedService.of(
          APART.source(),
          JSON,
          ROWS,
          HandlerMethods.of(ROWS, JSON, new Payments(BOOKS.gateway(), Clock.systemUTC())));

  private static final RacedCommand REFUND =
      command("RefundPayment", "{\"orderId\": \"%s\"}"::formatted)
          .does("REFUND")
          .answers("PaymentRefunded");

  private static final RacedCommand PROCESS =
      command(
              "ProcessPayment",
              """
              {"orderId": "%s", "amount": 2500, "currency": "EUR", "paymentMethod": "pm_card_visa"}
              """
                  ::formatted)
          .does("CHARGE")
          .answers("PaymentProcessed")
          .refuses("PaymentDeclined");

  private static final RacedCommand RETURN =
      command("ReturnPayment", "{\"orderId\": \"%s\"}"::formatted)
          .does("REFUND")
          .answers("PaymentReturned");

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
        PROCESS.undoneBy(REFUND), //
        REFUND.after(PROCESS), //
        RETURN.afterEarlier(PROCESS));
  }
}
