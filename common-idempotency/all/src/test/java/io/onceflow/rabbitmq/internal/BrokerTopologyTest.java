package io.onceflow.rabbitmq.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.rabbitmq.client.Channel;
import io.onceflow.outbox.BrokerShipping;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In production an administrator makes queues, and a service says which is missing. */
@Timeout(60)
class BrokerTopologyTest {

  private final BrokerShipping shipping = new BrokerShipping();
  private final BrokerTopology topology = new BrokerTopology(false, List.of());
  private final String queue = "test-" + UUID.randomUUID();

  @AfterEach
  void close() {
    shipping.close();
  }

  @Test
  void aQueueThatIsMissingIsNamedAndNotMade() throws Exception {
    assertThatIOException().isThrownBy(this::look);
    assertThat(topology.missing()).get().asString().contains(queue).contains("administrator");
    assertThatIOException().as("it was not made").isThrownBy(this::look);
  }

  @Test
  void allIsWellOnceAnAdministratorHasMadeIt() throws Exception {
    assertThatIOException().isThrownBy(this::look);
    Channel administrator = shipping.broker.openChannel();
    administrator.queueDeclare(queue, false, false, true, null);
    look();
    assertThat(topology.missing()).isEmpty();
    administrator.queueDelete(queue);
  }

  private void look() throws Exception {
    Channel channel = shipping.broker.openChannel();
    topology.ensure(channel, "queue " + queue, it -> it.queueDeclarePassive(queue));
  }
}
