package io.onceflow.payment;

import static io.onceflow.test.races.RacedCommand.command;

import io.onceflow.payment.domain.Payment;
import io.onceflow.payment.gateway.BooksInSight;
import io.onceflow.test.TestPostgres;
import io.onceflow.test.races.CommandRaces;
import io.onceflow.test.races.Ledger;
import io.onceflow.test.races.RacedCommand;
import io.onceflow.test.races.RacedParticipants;
import io.onceflow.test.races.RacedService;
import java.time.Clock;
import java.util.List;
import javax.sql.DataSource;

/** Every command of the payment service goes through all races, against the gateway's books. */
class CommandRacesTest extends CommandRaces {

  private static final DataSource DATABASE = TestPostgres.database("payment_races", "db/migration");

  private static final BooksInSight BOOKS = new BooksInSight(DATABASE);

  private static final RacedService SERVICE =
      RacedParticipants.on(DATABASE)
          .with(Payment.class, new PaymentTable())
          .of(new Payments(BOOKS.gateway(), Clock.systemUTC()));

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
