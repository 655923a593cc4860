package io.onceflow.easypostdouble;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A certificate for {@code localhost} that the double signs itself, made again at each start.
 * Clients have to be told to trust it.
 *
 * @param keys a file with the private key
 * @param trust a file with the certificate alone
 */
record DoubleCertificate(Path keys, Path trust) {

  static final String PASSWORD = "easypost-double";

  private static final String ALIAS = "easypost-double";
  private static final long MADE_WITHIN_SECONDS = 60;

  /** Makes both files in a folder. */
  static DoubleCertificate make(Path folder) {
    try {
      Files.createDirectories(folder);
      DoubleCertificate made =
          new DoubleCertificate(folder.resolve("keys.p12"), folder.resolve("trust.p12"));
      Files.deleteIfExists(made.keys);
      made.makeKeys();
      made.writeTrust();
      return made;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("No certificate can be made in " + folder, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while a certificate was made", e);
    }
  }

  /** By the JDK's own tool: it has no API for that. */
  private void makeKeys() throws IOException, InterruptedException {
    Process tool =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    // It ends before the optimizing compiler would pay.
                    "-J-XX:TieredStopAtLevel=1",
                    "-J-XX:+UseSerialGC",
                    "-genkeypair",
                    "-alias",
                    ALIAS,
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=localhost",
                    "-ext",
                    "SAN=dns:localhost,ip:127.0.0.1",
                    "-validity",
                    "365",
                    "-storetype",
                    "PKCS12",
                    "-keystore",
                    keys.toString(),
                    "-storepass",
                    PASSWORD))
            .redirectErrorStream(true)
            .redirectOutput(keys.resolveSibling("keytool.log").toFile())
            .start();
    if (!tool.waitFor(MADE_WITHIN_SECONDS, TimeUnit.SECONDS) || tool.exitValue() != 0) {
      tool.destroyForcibly();
      throw new IOException("keytool failed; see " + keys.resolveSibling("keytool.log"));
    }
  }

  private void writeTrust() throws IOException, GeneralSecurityException {
    KeyStore own = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keys)) {
      own.load(in, PASSWORD.toCharArray());
    }
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(ALIAS, own.getCertificate(ALIAS));
    try (OutputStream out = Files.newOutputStream(trust)) {
      trusted.store(out, PASSWORD.toCharArray());
    }
  }
}
