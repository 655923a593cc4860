package io.onceflow.rabbitmq.internal;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and keys from files as OpenSSL, cert-manager and Kubernetes write them. */
final class PemFiles {

  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");

  /** The kinds of keys that servers and authorities use. */
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519");

  private PemFiles() {}

  /**
   * All certificates of a file, in its order, at least one.
   *
   * @throws IOException that names the file, when it cannot be read or holds none
   */
  static List<Certificate> certificates(Path file) throws IOException {
    try {
      Collection<? extends Certificate> read =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(bytes(file)));
      if (read.isEmpty()) {
        throw new IOException("%s holds no certificate".formatted(file));
      }
      return List.copyOf(read);
    } catch (GeneralSecurityException e) {
      throw new IOException("%s is no PEM file of certificates".formatted(file), e);
    }
  }

  /**
   * The private key of a file.
   *
   * @throws IOException that names the file, when it cannot be read or holds none
   */
  static PrivateKey key(Path file) throws IOException {
    Matcher pem = KEY.matcher(new String(bytes(file), StandardCharsets.US_ASCII));
    if (!pem.find()) {
      throw new IOException("%s holds no PKCS #8 key in PEM that is not encrypted".formatted(file));
    }
    try {
      return key(Base64.getMimeDecoder().decode(pem.group(1)));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException("%s holds no key that can be read".formatted(file), e);
    }
  }

  private static PrivateKey key(byte[] pkcs8) throws GeneralSecurityException {
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      } catch (InvalidKeySpecException e) {
        // It says itself of which kind it is, and refuses all others.
        continue;
      }
    }
    throw new InvalidKeySpecException("none of " + ALGORITHMS);
  }

  private static byte[] bytes(Path file) throws IOException {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new IOException("%s cannot be read".formatted(file), e);
    }
  }
}
