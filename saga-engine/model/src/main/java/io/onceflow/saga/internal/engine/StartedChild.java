package io.onceflow.saga.internal.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onceflow.saga.Saga;
import java.time.Instant;
import java.util.UUID;

/**
 * A saga that another one starts, and whose end it waits for.
 *
 * @param step of the saga that starts it
 * @param saga which one is started
 * @param subject what it is about
 */
public record StartedChild<C>(String step, UUID id, Class<? extends Saga<C>> saga, C subject) {

  private static final int VERSION_7 = 0x7000;

  /** An id in the order of time, as those of all sagas; the same for the same event. */
  static UUID id(UUID parent, String step, Instant now) {
    UUID name = UUID.nameUUIDFromBytes((parent + "/" + step).getBytes(UTF_8));
    long random = name.getMostSignificantBits() & 0xFFF;
    return new UUID(now.toEpochMilli() << 16 | VERSION_7 | random, name.getLeastSignificantBits());
  }
}
