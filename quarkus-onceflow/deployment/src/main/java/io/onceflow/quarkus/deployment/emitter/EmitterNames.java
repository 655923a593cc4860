package io.onceflow.quarkus.deployment.emitter;

import org.jboss.jandex.DotName;

/**
 * Names that the index is searched for. As text, since an application without Reactive Messaging
 * has none of these classes.
 */
final class EmitterNames {

  static final DotName EMITTER = name("io.onceflow.messaging.OutboxEmitter");

  static final DotName CHANNEL = name("org.eclipse.microprofile.reactive.messaging.Channel");
  static final DotName MESSAGE = name("org.eclipse.microprofile.reactive.messaging.Message");
  static final DotName ON_OVERFLOW = name("org.eclipse.microprofile.reactive.messaging.OnOverflow");
  static final DotName BROADCAST = name("io.smallrye.reactive.messaging.annotations.Broadcast");

  private EmitterNames() {}

  private static DotName name(String name) {
    return DotName.createSimple(name);
  }
}
