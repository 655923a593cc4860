package io.onceflow.launcher.servers;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;

/** A random secret of one installation, in a file that only its owner may read (mode 600). */
public final class SecretFile {

  /** As many as an HMAC-SHA-256 can use. */
  private static final int BYTES = 32;

  private static final SecureRandom RANDOM = new SecureRandom();

  private SecretFile() {}

  /** Reads the secret; makes it if there is none. */
  public static String readOrMake(Path file) throws IOException {
    if (!Files.exists(file)) {
      write(file, random());
    }
    return Files.readString(file).strip();
  }

  static String random() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Written aside and moved, so that the file holds a whole secret or does not exist. */
  private static void write(Path file, String secret) throws IOException {
    Path folder = Files.createDirectories(file.toAbsolutePath().getParent());
    Path whole = Files.createTempFile(folder, "secret", ".tmp", ownersOnly());
    Files.writeString(whole, secret + "\n");
    Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private static FileAttribute<?>[] ownersOnly() {
    boolean isPosix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    return isPosix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }
}
