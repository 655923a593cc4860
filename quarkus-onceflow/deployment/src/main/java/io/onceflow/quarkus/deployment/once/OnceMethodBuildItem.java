package io.onceflow.quarkus.deployment.once;

import io.quarkus.builder.item.MultiBuildItem;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationValue;
import org.jboss.jandex.MethodInfo;

/** A method annotated with {@code @Once}. */
final class OnceMethodBuildItem extends MultiBuildItem {

  private final MethodInfo method;

  OnceMethodBuildItem(MethodInfo method) {
    this.method = method;
  }

  MethodInfo method() {
    return method;
  }

  String bean() {
    return method.declaringClass().name().toString();
  }

  String step() {
    return method.annotation(OnceNames.ONCE).value("step").asString();
  }

  /** Empty when the annotation does not say it. */
  String key() {
    AnnotationValue key = method.annotation(OnceNames.ONCE).value("key");
    return key == null ? "" : key.asString();
  }

  /** Empty when it has none. */
  String channel() {
    AnnotationInstance incoming = method.annotation(OnceNames.INCOMING);
    return incoming == null ? "" : incoming.value().asString();
  }

  @Override
  public String toString() {
    return method.declaringClass().simpleName() + "." + method.name();
  }
}
