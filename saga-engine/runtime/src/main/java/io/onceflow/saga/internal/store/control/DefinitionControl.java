package io.onceflow.saga.internal.store.control;

import io.onceflow.saga.SagaView.Hold;
import java.time.Instant;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * What operators have set for a definition.
 *
 * @param hold of all its sagas; null for none
 * @param resuming who and why, while its sagas are being resumed; else null
 * @param start which version its new sagas follow; null as configured
 */
public record DefinitionControl(
    String definition, @Nullable Hold hold, @Nullable String resuming, @Nullable StartShare start) {

  /**
   * A version for a share of the new sagas; the others follow the configured one.
   *
   * @param share in a hundred
   * @param by who has set it: the subject of the token
   * @param reason in the operator's words; null when nothing was said
   */
  @Schema(name = "SagaStartShare")
  public record StartShare(
      int version, int share, String by, @Nullable String reason, Instant since) {

    private static final int ALL = 100;

    /** For readers who may not see an operator's words. */
    public StartShare withoutReason() {
      return new StartShare(version, share, by, null, since);
    }

    /** Whether a new saga of this id is of the share; the random part of the id decides. */
    boolean has(UUID saga) {
      return Long.remainderUnsigned(saga.getLeastSignificantBits() << 2 >>> 2, ALL) < share;
    }
  }

  /** One of which nothing is set. */
  public static DefinitionControl none(String definition) {
    return new DefinitionControl(definition, null, null, null);
  }

  /**
   * The version that a new saga follows.
   *
   * @param configured for those that are not of the share
   */
  public int startVersion(UUID saga, int configured) {
    return start != null && start.has(saga) ? start.version() : configured;
  }
}
