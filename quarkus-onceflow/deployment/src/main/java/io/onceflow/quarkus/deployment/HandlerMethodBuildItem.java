package io.onceflow.quarkus.deployment;

import io.quarkus.builder.item.MultiBuildItem;
import org.jboss.jandex.DotName;
import org.jboss.jandex.MethodInfo;

/** A method annotated with {@code @Handles}. */
final class HandlerMethodBuildItem extends MultiBuildItem {

  private final MethodInfo method;

  HandlerMethodBuildItem(MethodInfo method) {
    this.method = method;
  }

  MethodInfo method() {
    return method;
  }

  String bean() {
    return method.declaringClass().name().toString();
  }

  /** An interface is one, too. */
  boolean isInAbstractClass() {
    return method.declaringClass().isAbstract();
  }

  /** The type of its first parameter. */
  DotName command() {
    return method.parametersCount() == 0
        ? DotName.createSimple("nothing")
        : method.parameterType(0).name();
  }

  @Override
  public String toString() {
    return method.declaringClass().simpleName() + "." + method.name();
  }
}
