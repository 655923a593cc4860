package io.onceflow.saga.internal.runtime;

import io.onceflow.core.internal.Fingerprint;
import java.util.Arrays;
import java.util.Base64;

/** What a saga's step remembers of a reply or a signal, by which a copy of it is known. */
public final class MemoryHash {

  private static final int BYTES = 8;

  private MemoryHash() {}

  /** Of its parts in this order: 64 bits tell the few replies to one step apart. */
  public static String of(byte[]... parts) {
    byte[] sha256 = Fingerprint.of(parts).bytes();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(sha256, BYTES));
  }
}
