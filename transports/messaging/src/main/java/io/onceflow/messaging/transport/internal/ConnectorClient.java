package io.onceflow.messaging.transport.internal;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.NoOpMetricsCollector;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connection and the channel that the connector has opened. It shows neither, so they are
 * learned from its client's metrics.
 */
final class ConnectorClient extends NoOpMetricsCollector {

  private final Consumer<String> onLoss;
  private volatile @Nullable Connection connection;
  private volatile @Nullable Channel channel;

  /**
   * @param onLoss is told why a channel has closed, on a thread of the client; must not block
   */
  ConnectorClient(Consumer<String> onLoss) {
    this.onLoss = onLoss;
  }

  @Override
  public void newConnection(Connection opened) {
    connection = opened;
  }

  @Override
  public void newChannel(Channel opened) {
    channel = opened;
    opened.addShutdownListener(cause -> onLoss.accept(String.valueOf(cause.getMessage())));
  }

  /** The channel by which messages come and go; null before the connector has connected. */
  @Nullable Channel channel() {
    return channel;
  }

  /** Closes the connection; the connector opens no other one for what was received by this one. */
  void abort(int withinMillis) {
    Connection open = connection;
    if (open != null) {
      open.abort(withinMillis);
    }
  }
}
