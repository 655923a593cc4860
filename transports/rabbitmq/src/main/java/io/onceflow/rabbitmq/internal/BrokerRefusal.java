package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import io.onceflow.outbox.internal.transport.TransportRefusal;
import java.io.IOException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Why broker and service do not come together though both are there: a password, a right, a
 * certificate. It does not pass by itself, unlike a broker that is unavailable.
 */
final class BrokerRefusal extends TransportRefusal {

  private static final long serialVersionUID = 1L;

  private BrokerRefusal(String message, Throwable failure) {
    super(message);
    addSuppressed(failure);
  }

  /**
   * A line for people, in place of what the client says; or what it says, if that is no refusal.
   */
  static IOException orItself(IOException failure, ConnectionFactory factory) {
    String broker = "the broker at %s:%s".formatted(factory.getHost(), factory.getPort());
    if (failure instanceof AuthenticationFailureException
        || failure instanceof PossibleAuthenticationFailureException) {
      return new BrokerRefusal(
          "%s refuses user %s: wrong name or password, or no right to virtual host %s"
              .formatted(broker, factory.getUsername(), factory.getVirtualHost()),
          failure);
    }
    SSLException tls = causeOf(failure, SSLException.class);
    if (tls != null) {
      return new BrokerRefusal(
          "TLS with %s fails: %s".formatted(broker, oneLine(tls.getMessage())), failure);
    }
    return ofVirtualHost(failure, broker, factory);
  }

  /** With the right password but no right to the virtual host, the broker closes the connection. */
  private static IOException ofVirtualHost(
      IOException failure, String broker, ConnectionFactory factory) {
    ShutdownSignalException closed = causeOf(failure, ShutdownSignalException.class);
    boolean isSentAway =
        closed != null
            && String.valueOf(closed.getReason()).contains("NOT_ALLOWED")
            && closed.isHardError();
    return isSentAway
        ? new BrokerRefusal(
            "%s refuses user %s: no right to virtual host %s"
                .formatted(broker, factory.getUsername(), factory.getVirtualHost()),
            failure)
        : failure;
  }

  private static <T extends Throwable> @Nullable T causeOf(Throwable failure, Class<T> type) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return type.cast(cause);
      }
    }
    return null;
  }

  private static String oneLine(@Nullable String text) {
    return String.valueOf(text).lines().findFirst().orElse("");
  }

  @Override
  public String toString() {
    return getMessage();
  }
}
