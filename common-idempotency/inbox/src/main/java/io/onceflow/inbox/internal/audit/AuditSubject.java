package io.onceflow.inbox.internal.audit;

import java.util.UUID;

/**
 * What an operator acted on.
 *
 * @param kind such as {@code saga}
 * @param id that it has among its kind
 */
public record AuditSubject(String kind, String id) {

  public static AuditSubject saga(UUID id) {
    return new AuditSubject("saga", id.toString());
  }

  /** A repair of many sagas. */
  public static AuditSubject repair(UUID id) {
    return new AuditSubject("repair", id.toString());
  }

  /**
   * All sagas of a definition.
   *
   * @param name of the definition
   */
  public static AuditSubject definition(String name) {
    return new AuditSubject("definition", name);
  }

  public static AuditSubject parkedMessage(UUID id) {
    return new AuditSubject("parked-message", id.toString());
  }

  /** A redrive or deletion of a group of parked messages. */
  public static AuditSubject parkedJob(UUID id) {
    return new AuditSubject("parked-job", id.toString());
  }

  /**
   * A service, as the handler of commands.
   *
   * @param name of the application
   */
  public static AuditSubject participant(String name) {
    return new AuditSubject("participant", name);
  }
}
