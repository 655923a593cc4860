package io.onceflow.payment.messaging;

import com.rabbitmq.client.Channel;
import io.onceflow.outbox.BrokerConnection;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import org.jboss.logging.Logger;

/**
 * Says, once for each absence, that no commands come in and why. The connector would say it with a
 * stack trace every second, so its own voice is turned down.
 */
@ApplicationScoped
class BrokerWatch {

  private static final Logger LOG = Logger.getLogger(BrokerWatch.class);

  private final CommandChannel commands;
  private final BrokerConnection broker;
  private boolean said;

  BrokerWatch(CommandChannel commands, BrokerConnection broker) {
    this.commands = commands;
    this.broker = broker;
  }

  /** A connector that has not connected after this long has met more than a restart. */
  @Scheduled(every = "5s", delayed = "5s", concurrentExecution = ConcurrentExecution.SKIP)
  void look() {
    boolean away = !commands.isOpen();
    if (away && !said) {
      LOG.warnf("no commands come in: %s; trying again until they do", reason());
    }
    said = away;
  }

  private String reason() {
    try {
      Channel channel = broker.openChannel();
      channel.abort();
      return "the broker is there, but its queue cannot be consumed (log io.vertx.rabbitmq says why)";
    } catch (IOException e) {
      return "the broker cannot be reached, " + (e.getCause() == null ? e : e.getCause());
    }
  }
}
