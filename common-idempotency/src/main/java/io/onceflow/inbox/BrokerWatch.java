package io.onceflow.inbox;

import com.rabbitmq.client.Channel;
import io.onceflow.outbox.BrokerConnection;
import java.io.IOException;
import org.jboss.logging.Logger;

/**
 * Says, once for each absence, that no messages come in and why. The connector would say it with a
 * stack trace every second, so its own voice is turned down.
 */
public final class BrokerWatch {

  private static final Logger LOG = Logger.getLogger(BrokerWatch.class);

  private final RabbitChannel channel;
  private final BrokerConnection broker;
  private boolean said;

  /**
   * @param channel that should be consuming
   * @param broker who is asked why it is not
   */
  public BrokerWatch(RabbitChannel channel, BrokerConnection broker) {
    this.channel = channel;
    this.broker = broker;
  }

  /** Looks once; to be called every few seconds, one call after the other. */
  public void look() {
    boolean away = !channel.isOpen();
    if (away && !said) {
      LOG.warnf("no messages come in: %s; trying again until they do", reason());
    }
    said = away;
  }

  private String reason() {
    try {
      Channel probe = broker.openChannel();
      probe.abort();
      return "the broker is there, but its queue cannot be consumed (log io.vertx.rabbitmq says why)";
    } catch (IOException e) {
      return "the broker cannot be reached, " + (e.getCause() == null ? e : e.getCause());
    }
  }
}
