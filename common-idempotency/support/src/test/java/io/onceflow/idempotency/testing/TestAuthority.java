package io.onceflow.idempotency.testing;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Signs certificates that last for an hour, and writes them as an administrator would. */
public final class TestAuthority {

  private static final Duration VALID_FOR = Duration.ofHours(1);

  private final KeyPair keys = newKeys();
  private final X500Name name;
  private final X509CertificateHolder certificate;

  public TestAuthority(String name) {
    this.name = new X500Name("CN=" + name);
    this.certificate = signed(this.name, keys.getPublic(), true, "authority");
  }

  /** A certificate with its key, each as PEM. */
  public record Identity(String certificate, String key) {

    /** Writes both to a folder, as {@code NAME.crt} and {@code NAME.pem}. */
    public Identity writeTo(Path folder, String name) {
      write(folder.resolve(name + ".crt"), certificate);
      Path own = folder.resolve(name + ".pem");
      write(own, key);
      onlyMine(own.toFile());
      return this;
    }
  }

  /** Its own certificate, by which those that it has signed are trusted. */
  public String pem() {
    return pem(certificate);
  }

  /** Writes its own certificate to a file. */
  public Path writeTo(Path file) {
    write(file, pem());
    return file;
  }

  /** A new key with a certificate for a host or a name. */
  public Identity sign(String subject) {
    KeyPair fresh = newKeys();
    X509CertificateHolder holder =
        signed(new X500Name("CN=" + subject), fresh.getPublic(), false, subject);
    return new Identity(pem(holder), pkcs8(fresh.getPrivate()));
  }

  private X509CertificateHolder signed(
      X500Name subject, PublicKey key, boolean isAuthority, String host) {
    Instant now = Instant.now();
    try {
      return new JcaX509v3CertificateBuilder(
              name,
              new BigInteger(64, new SecureRandom()),
              Date.from(now.minus(VALID_FOR)),
              Date.from(now.plus(VALID_FOR)),
              subject,
              key)
          .addExtension(Extension.basicConstraints, true, new BasicConstraints(isAuthority))
          .addExtension(
              Extension.subjectAlternativeName,
              false,
              new GeneralNames(new GeneralName(GeneralName.dNSName, host)))
          .build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (OperatorCreationException e) {
      throw new IllegalStateException("Every JDK signs with ECDSA", e);
    }
  }

  private static String pkcs8(PrivateKey key) {
    try {
      return pem(new JcaPKCS8Generator(key, null));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String pem(Object object) {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(object);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The driver of PostgreSQL refuses a key that others can read. */
  private static void onlyMine(File file) {
    boolean isMine =
        file.setReadable(false, false)
            && file.setReadable(true, true)
            && file.setWritable(false, false)
            && file.setWritable(true, true);
    if (!isMine) {
      throw new IllegalStateException("Others can read " + file);
    }
  }

  private static KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every JDK has elliptic curves", e);
    }
  }
}
