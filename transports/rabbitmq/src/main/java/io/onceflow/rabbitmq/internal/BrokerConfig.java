package io.onceflow.rabbitmq.internal;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The connection to the broker, beside {@code rabbitmq-host}, {@code rabbitmq-port}, {@code
 * rabbitmq-username}, {@code rabbitmq-password} and {@code rabbitmq-virtual-host}.
 */
@ConfigMapping(prefix = "onceflow.broker")
public interface BrokerConfig {

  /**
   * Whether the service makes exchanges, queues and bindings itself, for which its user needs the
   * permission to configure them: for development and tests. By default an administrator has made
   * them, and the service only looks whether they are there.
   */
  @WithDefault("false")
  boolean declare();

  /**
   * The largest message in bytes that this service's connections take. The same as the broker's own
   * {@code max_message_size}: the client closes a connection by which a larger one comes. 1 MiB.
   */
  @WithDefault("1048576")
  int maxMessageSize();

  /**
   * The routing keys that this service sends, by exchange without its {@code onceflow.}, such as
   * {@code onceflow.broker.sends.events=order.#}. By default an application with handlers sends
   * replies ({@code replies=*.payment-service}), and one that leads sagas all commands that it has
   * ({@code commands=payment.#,shipping.#}). The permissions of its broker user are generated from
   * it when the application is built; exchanges that are named here are looked for at start.
   */
  Map<String, List<String>> sends();

  /**
   * The address of the broker's management API, such as {@code http://broker:15672}. The service
   * then reads there, each minute, under which policy its queues are and whether they are bound,
   * which AMQP does not tell; its user needs the tag {@code management}. Without it the service
   * notices a policy by what the broker dead-letters, and a missing binding not at all.
   */
  Optional<URI> management();

  /** Encryption, and the certificates of broker and service. */
  Tls tls();

  /** Files are read at every attempt to connect, so that what is renewed needs no restart. */
  interface Tls {

    /**
     * Whether to connect by TLS: 1.3, or 1.2 with a broker that has no more. The certificate has to
     * be for {@code rabbitmq-host}, by its subject's alternative names. The broker listens for TLS
     * on another port, usually 5671: set {@code rabbitmq-port} too. Off by default, as it is in an
     * unconfigured broker.
     */
    @WithDefault("false")
    boolean enabled();

    /**
     * A PEM file with the certificates of the authorities that may have signed the broker's. By
     * default those that the Java runtime trusts, which are the public ones.
     */
    Optional<Path> ca();

    /**
     * A PEM file with this service's certificate, followed by those between it and its authority.
     * By default it has none. The password is still needed. Set together with {@link #key()}.
     */
    Optional<Path> certificate();

    /** A PEM file with the key of {@link #certificate()}: RSA or EC, PKCS #8, not encrypted. */
    Optional<Path> key();
  }
}
