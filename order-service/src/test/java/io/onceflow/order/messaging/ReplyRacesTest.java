package io.onceflow.order.messaging;

import static io.onceflow.order.messaging.RacedReplies.CANCEL;
import static io.onceflow.order.messaging.RacedReplies.COMPENSATE;
import static io.onceflow.order.messaging.RacedReplies.RETURN;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.inbox.TestParticipants;
import io.onceflow.inbox.internal.consumer.IdempotentReceiver;
import io.onceflow.order.saga.SagasApart;
import io.onceflow.outbox.PlainUnitOfWork;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.messaging.TestReplies;
import io.onceflow.test.races.Gates;
import io.onceflow.test.races.MessageRaces;
import io.onceflow.test.races.RacedReply;
import io.onceflow.test.races.RacedService;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Every reply that the order service consumes goes through all races. */
class ReplyRacesTest extends MessageRaces {

  /** As Quarkus makes it. */
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .findAndAddModules()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .build();

  /** On a database that no application of these tests uses: its relay would publish our rows. */
  private static final TestDatabase APART =
      TestDatabase.apart("payments", "onceflow/saga", "migration");

  private static final UnitOfWork UNIT_OF_WORK = PlainUnitOfWork.on(APART.source());
  private static final SagasApart SAGAS = new SagasApart(JSON, UNIT_OF_WORK);

  /** None of the others is an answer that is yet to be asked for: it would count when it is. */
  private static final List<RacedReplies.Line> LINES =
      List.of(
          line("PaymentProcessed", "PaymentRefunded"),
          line("PaymentDeclined", "PaymentRefunded"),
          line("PaymentRefunded", "ShipmentCancelled", "PaymentProcessed", "ShipmentRejected"),
          line("ShipmentArranged", "PaymentRefunded", "PaymentProcessed"),
          line("ShipmentRejected", "ShipmentCancelled", "PaymentProcessed"),
          line(
              "ShipmentCancelled",
              "PaymentProcessed",
              "PaymentProcessed",
              CANCEL,
              "ShipmentArranged"),
          line("ReturnArranged", "ReturnCancelled", "PaymentProcessed", "ShipmentArranged", RETURN),
          line("ReturnRejected", "ReturnCancelled", "PaymentProcessed", "ShipmentArranged", RETURN),
          line(
              "ReturnCancelled",
              "ReturnArranged",
              "PaymentProcessed",
              "ShipmentArranged",
              RETURN,
              COMPENSATE),
          line(
              "PaymentReturned",
              "ReturnCancelled",
              "PaymentProcessed",
              "ShipmentArranged",
              RETURN,
              "ReturnArranged"));

  private static RacedReplies.Line line(String type, String other, String... before) {
    return RacedReplies.Line.of(type, other, before);
  }

  /** The service as it consumes replies. */
  private static final class Consuming implements RacedService {

    @Override
    public DataSource database() {
      return APART.source();
    }

    @Override
    public Consumer start(DataSource database, Gates gates) {
      IdempotentReceiver settler =
          new IdempotentReceiver(
              PlainUnitOfWork.on(database),
              TestParticipants.parking(JSON),
              TestReplies.receiver(JSON, SAGAS.all));
      return RacedService.consumer(settler, database, JSON);
    }
  }

  @Override
  protected RacedService service() {
    return new Consuming();
  }

  @Override
  protected List<RacedReply> messages() {
    return LINES.stream()
        .map(
            line ->
                new RacedReply(
                    line.type(), scope -> new RacedSaga(SAGAS, UNIT_OF_WORK, scope, line)))
        .toList();
  }

  @Test
  void everyReplyOfTheServiceIsInTheRaces() {
    assertThat(messages())
        .extracting(RacedReply::name)
        .containsExactlyInAnyOrderElementsOf(SAGAS.all.replies().keySet());
  }
}
