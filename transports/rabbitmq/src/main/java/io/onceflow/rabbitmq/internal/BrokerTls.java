package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.ConnectionFactory;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Makes connections to the broker go by TLS, and has the host's name verified. */
final class BrokerTls {

  private final BrokerConfig.Tls config;

  BrokerTls(BrokerConfig.Tls config) {
    if (config.certificate().isPresent() != config.key().isPresent()) {
      throw new IllegalArgumentException(
          "onceflow.broker.tls.certificate and onceflow.broker.tls.key belong together: set both,"
              + " or neither");
    }
    this.config = config;
  }

  /**
   * Reads the files, for the connections that follow; does nothing when TLS is off.
   *
   * @throws IOException that says which file is wrong
   */
  synchronized void applyTo(ConnectionFactory factory) throws IOException {
    SSLContext context = context();
    if (context != null) {
      factory.useSslProtocol(context);
      factory.enableHostnameVerification();
    }
  }

  /**
   * The same for other clients of the broker; null when TLS is off.
   *
   * @throws IOException that says which file is wrong
   */
  @Nullable SSLContext context() throws IOException {
    if (!config.enabled()) {
      return null;
    }
    try {
      // Of the JDK, since the client's sockets are; Netty reads the PEM files.
      SslContextBuilder tls = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
      config.ca().ifPresent(file -> tls.trustManager(file.toFile()));
      config
          .certificate()
          .ifPresent(file -> tls.keyManager(file.toFile(), config.key().orElseThrow().toFile()));
      return ((JdkSslContext) tls.build()).context();
    } catch (IllegalArgumentException | SSLException e) {
      throw new IOException("TLS cannot be set up: " + e.getMessage());
    }
  }
}
