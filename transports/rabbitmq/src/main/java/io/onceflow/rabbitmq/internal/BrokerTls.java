package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Makes connections to the broker go by TLS, and has the host's name verified. */
final class BrokerTls {

  /** The key lies in memory alone. */
  private static final char[] NO_PASSWORD = {};

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
    if (!config.enabled()) {
      return;
    }
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keyManagers(), trustManagers(), null);
      factory.useSslProtocol(context);
      factory.enableHostnameVerification();
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
    }
  }

  /** Null stands for those of the Java runtime. */
  private TrustManager @Nullable [] trustManagers() throws GeneralSecurityException, IOException {
    if (config.ca().isEmpty()) {
      return null;
    }
    KeyStore trusted = emptyStore();
    List<Certificate> authorities = PemFiles.certificates(config.ca().get());
    for (int i = 0; i < authorities.size(); i++) {
      trusted.setCertificateEntry("ca-" + i, authorities.get(i));
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    return factory.getTrustManagers();
  }

  /** Null stands for none. */
  private KeyManager @Nullable [] keyManagers() throws GeneralSecurityException, IOException {
    if (config.certificate().isEmpty() || config.key().isEmpty()) {
      return null;
    }
    Path key = config.key().get();
    Certificate[] chain =
        PemFiles.certificates(config.certificate().get()).toArray(Certificate[]::new);
    KeyStore own = emptyStore();
    own.setKeyEntry("onceflow", PemFiles.key(key), NO_PASSWORD, chain);
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(own, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }
}
