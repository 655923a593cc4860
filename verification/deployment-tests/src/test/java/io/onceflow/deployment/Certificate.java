package io.onceflow.deployment;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/** A certificate that is its own authority, and its key; both as PEM. */
record Certificate(String pem, String privateKeyPem) {

  private static final String ALIAS = "server";
  private static final String PASSWORD = "changeit";
  private static final int LINE = 64;

  /**
   * Made by the JDK's keytool.
   *
   * @param folder where it may write
   */
  static Certificate of(List<String> hosts, Path folder)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = folder.resolve("server.p12");
    String names = hosts.stream().map("dns:"::concat).collect(Collectors.joining(","));
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-dname",
                "CN=redis",
                "-ext",
                "san=" + names,
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

  private static Certificate read(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream content = Files.newInputStream(file)) {
      store.load(content, PASSWORD.toCharArray());
    }
    return new Certificate(
        pem("CERTIFICATE", store.getCertificate(ALIAS).getEncoded()),
        pem("PRIVATE KEY", store.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
  }

  private static String pem(String type, byte[] content) {
    String text = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(type, text, type);
  }
}
