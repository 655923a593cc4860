package io.onceflow.order.messaging;

import com.rabbitmq.client.Channel;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Leaves a database with orders under way, and records it: for {@link ReleasedDatabaseTest}, and of
 * a release for all later builds ({@code docs/internals/releasing.md}).
 */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    restrictToAnnotatedClass = true,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@QuarkusTestResource(
    value = ReleasedDatabase.class,
    restrictToAnnotatedClass = true,
    initArgs = @ResourceArg(name = "empty", value = "true"))
@Tag("nightly")
class ReleaseRecordTest {

  // The customers, by what their order waits for.
  static final String PAYING = "paying";
  static final String SHIPPING = "shipping";
  static final String CANCELLING = "cancelling";
  static final String CONFIRMED = "confirmed";

  @Inject BrokerConnection broker;
  @Inject DataSource database;

  @Test
  void recordsWhatThisBuildLeaves() throws Exception {
    try (Channel channel = broker.openChannel()) {
      PlayedOrder.place(PAYING).awaitStep("process-payment", "WAITING");
      paid(SHIPPING, channel);
      PlayedOrder cancelled = paid(CANCELLING, channel);
      cancelled.shipmentRejected(channel);
      cancelled.awaitStep("process-payment", "COMPENSATING");
      PlayedOrder confirmed = paid(CONFIRMED, channel);
      confirmed.shipmentArranged(channel);
      confirmed.awaitStatus("CONFIRMED");
    }

    ReleaseRecord.next().record(database);
  }

  private static PlayedOrder paid(String customer, Channel channel) throws IOException {
    PlayedOrder order = PlayedOrder.place(customer);
    order.paymentProcessed(channel);
    order.awaitStep("arrange-shipment", "WAITING");
    return order;
  }
}
