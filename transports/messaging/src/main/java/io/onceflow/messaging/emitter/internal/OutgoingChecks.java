package io.onceflow.messaging.emitter.internal;

import static io.onceflow.messaging.settings.internal.ChannelNames.OUTGOING;

import io.onceflow.messaging.MessageAttributesWriter;
import io.onceflow.messaging.settings.internal.ConnectorSettings;
import io.onceflow.outbox.internal.OutboxTable;
import io.quarkus.arc.All;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.Config;
import org.jboss.logging.Logger;

/** Refuses to start where a message of an {@code OutboxEmitter} could not be sent, or be lost. */
@Singleton
class OutgoingChecks {

  private static final Logger LOG = Logger.getLogger(OutgoingChecks.class);

  /** The connectors are started at {@link Interceptor.Priority#LIBRARY_BEFORE}. */
  private static final int BEFORE_CONNECTORS = Interceptor.Priority.LIBRARY_BEFORE - 100;

  private static final String UNDEFINED_TABLE = "42P01";

  private final Config config;
  private final List<MessageAttributesWriter> writers;
  private final DataSource database;

  OutgoingChecks(Config config, @All List<MessageAttributesWriter> writers, DataSource database) {
    this.config = config;
    this.writers = writers;
    this.database = database;
  }

  void check(@Observes @Priority(BEFORE_CONNECTORS) StartupEvent starting) {
    List<String> wrong = new ArrayList<>();
    for (String channel : OutgoingChannelNames.all()) {
      Optional<String> connector = connector(channel);
      if (connector.isEmpty()) {
        wrong.add(
            "channel %s has an OutboxEmitter and no connector to send by; set %s"
                .formatted(channel, OUTGOING.property(channel, "connector")));
      } else if (find(connector.get()).isEmpty()) {
        wrong.add(
            ("channel %s has an OutboxEmitter and goes by %s, which nothing gives the message's id"
                    + " and headers; add a bean of type MessageAttributesWriter for that connector")
                .formatted(channel, connector.get()));
      }
    }
    if (!wrong.isEmpty()) {
      throw new IllegalStateException(String.join("\n", wrong));
    }
    ConnectorSettings.check(config, OUTGOING, OutgoingChannelNames.all());
  }

  /** How the attributes of a channel's messages are given to its connector. */
  MessageAttributesWriter writer(String channel) {
    return connector(channel)
        .flatMap(this::find)
        .orElseThrow(() -> new IllegalStateException("channel %s was checked".formatted(channel)));
  }

  private Optional<String> connector(String channel) {
    return config.getOptionalValue(OUTGOING.property(channel, "connector"), String.class);
  }

  private Optional<MessageAttributesWriter> find(String connector) {
    return writers.stream().filter(writer -> writer.connector().equals(connector)).findFirst();
  }

  /** Such as after a channel was renamed: its messages would wait for ever, without notice. */
  void warnOfChannelsThatAreGone() {
    List<String> served = OutgoingChannelNames.all();
    try (Connection connection = database.getConnection()) {
      OutboxTable.channelsWaitedFor(connection).stream()
          .filter(channel -> !served.contains(channel))
          .forEach(
              channel ->
                  LOG.warnf(
                      "messages wait in the outbox for channel %s, to which nothing in this"
                          + " application sends; add an OutboxEmitter for it, or delete them",
                      channel));
    } catch (SQLException e) {
      if (!served.isEmpty() && UNDEFINED_TABLE.equals(e.getSQLState())) {
        throw new IllegalStateException(
            "an OutboxEmitter records in the table outbox_message, which is not there; it comes"
                + " with quarkus-onceflow, or with the migrations of onceflow-outbox",
            e);
      }
      LOG.debug("the outbox was not searched for removed channels", e);
    }
  }
}
