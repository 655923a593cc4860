package io.onceflow.core.internal;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * SHA-256 of a whole request or message: two that differ anywhere have different fingerprints. Kept
 * beside the key, so that a key used for something else is noticed instead of answered.
 */
public final class Fingerprint {

  private final byte[] sha256;

  private Fingerprint(byte[] sha256) {
    this.sha256 = sha256;
  }

  /**
   * The fingerprint of these parts in this order. A length is hashed before each part, so that no
   * two lists of parts run together into the same bytes.
   */
  public static Fingerprint of(byte[]... parts) {
    MessageDigest digest = sha256();
    for (byte[] part : parts) {
      digest.update(lengthOf(part));
      digest.update(part);
    }
    return new Fingerprint(digest.digest());
  }

  /** A fingerprint read back from where it was stored. */
  public static Fingerprint stored(byte[] sha256) {
    return new Fingerprint(sha256.clone());
  }

  /** The 32 bytes to store. */
  public byte[] bytes() {
    return sha256.clone();
  }

  /** All of it, as 64 hexadecimal digits. */
  public String hex() {
    return HexFormat.of().formatHex(sha256);
  }

  private static byte[] lengthOf(byte[] part) {
    int n = part.length;
    return new byte[] {(byte) (n >>> 24), (byte) (n >>> 16), (byte) (n >>> 8), (byte) n};
  }

  /** Of nothing as yet. */
  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform must have SHA-256", e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Fingerprint f && Arrays.equals(sha256, f.sha256);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(sha256);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(sha256, 0, Math.min(6, sha256.length)) + "…";
  }
}
