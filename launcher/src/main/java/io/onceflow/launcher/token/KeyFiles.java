package io.onceflow.launcher.token;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/**
 * A folder with the key pair of one installation: {@code privateKey.pem}, which signs tokens and
 * which only its owner can read, and {@code publicKey.pem}, for the services.
 */
public record KeyFiles(Path folder) {

  private static final Base64.Encoder PEM_LINES =
      Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

  /** The file with the private key, PKCS #8. */
  public Path privateKey() {
    return folder.resolve("privateKey.pem");
  }

  /** The file with the public key, X.509 SubjectPublicKeyInfo. */
  public Path publicKey() {
    return folder.resolve("publicKey.pem");
  }

  /**
   * Makes the key pair unless it is there.
   *
   * @return whether it was made now
   */
  public boolean create() throws IOException {
    if (Files.exists(privateKey()) && Files.exists(publicKey())) {
      return false;
    }
    Files.createDirectories(folder);
    KeyPair keys = Tokens.newKeys();
    // The private key comes last: where it is, both are, even after a crash in between.
    write(publicKey(), "PUBLIC KEY", keys.getPublic().getEncoded(), "rw-r--r--");
    write(privateKey(), "PRIVATE KEY", keys.getPrivate().getEncoded(), "rw-------");
    return true;
  }

  /**
   * Reads the private key.
   *
   * @throws IOException if there is none, or it is no RSA key in PKCS #8 form
   */
  public PrivateKey readPrivateKey() throws IOException {
    String pem = Files.readString(privateKey());
    try {
      byte[] encoded = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
      return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(encoded));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException(privateKey() + " holds no RSA key in PKCS #8 form", e);
    }
  }

  private void write(Path file, String label, byte[] key, String permissions) throws IOException {
    String pem =
        "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
            .formatted(label, PEM_LINES.encodeToString(key));
    Path whole = Files.createTempFile(folder, "key", ".tmp", attributes(permissions));
    Files.writeString(whole, pem);
    Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private static FileAttribute<?>[] attributes(String permissions) {
    boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }
}
