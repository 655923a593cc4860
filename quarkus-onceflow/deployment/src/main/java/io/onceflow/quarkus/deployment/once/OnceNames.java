package io.onceflow.quarkus.deployment.once;

import java.util.Set;
import org.jboss.jandex.DotName;

/**
 * Names that the index is searched for. As text, since an application without Reactive Messaging
 * has none of these classes.
 */
final class OnceNames {

  static final DotName ONCE = name("io.onceflow.messaging.Once");

  static final DotName INCOMING = name("org.eclipse.microprofile.reactive.messaging.Incoming");
  static final DotName INCOMINGS = name("io.smallrye.reactive.messaging.annotations.Incomings");
  static final DotName OUTGOING = name("org.eclipse.microprofile.reactive.messaging.Outgoing");
  static final DotName OUTGOINGS = name("io.smallrye.reactive.messaging.annotations.Outgoings");
  static final DotName MESSAGE = name("org.eclipse.microprofile.reactive.messaging.Message");
  static final DotName NON_BLOCKING = name("io.smallrye.common.annotation.NonBlocking");

  /** What would make a mediator of the method: the generated subscriber is it in its place. */
  static final Set<DotName> OF_MEDIATORS =
      Set.of(
          INCOMING,
          name("org.eclipse.microprofile.reactive.messaging.Acknowledgment"),
          name("io.smallrye.reactive.messaging.annotations.Blocking"),
          name("io.smallrye.common.annotation.Blocking"),
          name("io.smallrye.common.annotation.RunOnVirtualThread"));

  private OnceNames() {}

  private static DotName name(String name) {
    return DotName.createSimple(name);
  }
}
