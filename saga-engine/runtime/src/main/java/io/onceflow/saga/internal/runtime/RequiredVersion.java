package io.onceflow.saga.internal.runtime;

import java.util.UUID;

/**
 * What a deferred reply waits for: a replica that knows this version of its saga's definition, and
 * its type as a reply to it.
 *
 * @param definition that the saga follows
 */
public record RequiredVersion(UUID sagaId, String definition, int version) {

  /** Replies that a replica knows: of one type, to sagas of one version. */
  record Kind(String definition, int version, String type) {}

  /** A step, or a compensation, whose success a reply of any type tells that names its outcome. */
  record AnySuccess(String definition, int version, String step) {}
}
