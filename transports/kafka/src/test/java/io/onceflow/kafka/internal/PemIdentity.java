package io.onceflow.kafka.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * Who somebody is, as Strimzi's secrets have it: a certificate, which is its own authority here,
 * and its key (PKCS #8), both as PEM. Made by the JDK's keytool.
 */
record PemIdentity(String certificate, String key) {

  private static final String ALIAS = "it";
  private static final String PASSWORD = "changeit";
  private static final int LINE = 64;

  /** With the common name, which is also the host's. */
  static PemIdentity of(String name, Path folder)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=dns:" + name,
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes());
    if (keytool.waitFor() != 0) {
      throw new IOException(said);
    }
    return read(store);
  }

  private static PemIdentity read(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream content = Files.newInputStream(file)) {
      store.load(content, PASSWORD.toCharArray());
    }
    return new PemIdentity(
        pem("CERTIFICATE", store.getCertificate(ALIAS).getEncoded()),
        pem("PRIVATE KEY", store.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
  }

  private static String pem(String type, byte[] content) {
    String text = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(type, text, type);
  }
}
