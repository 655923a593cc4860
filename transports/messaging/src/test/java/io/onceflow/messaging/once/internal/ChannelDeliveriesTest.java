package io.onceflow.messaging.once.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.messaging.Once;
import java.util.List;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.junit.jupiter.api.Test;

/** Connectors are asked for bytes; one that is told otherwise brings what it likes. */
class ChannelDeliveriesTest {

  private final ChannelDeliveries deliveries =
      new ChannelDeliveries(
          OnceMethod.of(Visits.class, "count-visit"),
          "visits",
          KeySource.of(Once.MESSAGE_ID),
          List.of(),
          new ObjectMapper());

  /** What a channel's messages are given to. */
  static class Visits {
    @Once(step = "count-visit")
    void count(Visit visit) {}
  }

  /** A payload. */
  public record Visit(String page) {}

  /** It holds itself, so JSON has no end for it. */
  public static final class Endless {
    /** Read by Jackson. */
    public Endless getSelf() {
      return this;
    }
  }

  @Test
  void anObjectIsRenderedAsJson() {
    Delivery delivery = delivered(new Visit("/prices"));

    assertThat(new String(delivery.body())).isEqualTo("{\"page\":\"/prices\"}");
    assertThat(delivery.fault()).isNull();
  }

  /** Thrown, it would end the channel; so it is parked, and the channel goes on. */
  @Test
  void whatCannotBeRenderedHasAFault() {
    Delivery delivery = delivered(new Endless());

    assertThat(delivery.body()).isEmpty();
    assertThat(delivery.fault()).contains("visits").contains("Endless").contains("as JSON");
  }

  private Delivery delivered(Object payload) {
    return deliveries.of(new ChannelReceipt(Message.of(payload), () -> {}, new Room(1)));
  }
}
