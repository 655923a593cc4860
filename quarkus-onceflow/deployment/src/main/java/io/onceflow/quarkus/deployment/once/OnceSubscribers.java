package io.onceflow.quarkus.deployment.once;

import io.quarkus.gizmo.ClassCreator;
import io.quarkus.gizmo.ClassOutput;
import io.quarkus.gizmo.MethodCreator;
import io.quarkus.gizmo.MethodDescriptor;
import io.quarkus.gizmo.ResultHandle;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletionStage;

/**
 * Generates the subscribers of {@code @Once} methods: beans with a method that has the
 * {@code @Incoming} of the method that it stands for, takes any message, and is asked for the next
 * one as fast as the inbox settles them.
 */
final class OnceSubscribers {

  private static final String BASE = "io.onceflow.messaging.once.internal.OnceSubscriber";

  private static final String STAGE = CompletionStage.class.getName();

  private static final String SIGNATURE =
      "(Lorg/eclipse/microprofile/reactive/messaging/Message<*>;)"
          + "Ljava/util/concurrent/CompletionStage<Ljava/lang/Void;>;";

  private OnceSubscribers() {}

  static void generate(OnceMethodBuildItem method, ClassOutput output) {
    String name = "%s_%s_Once".formatted(method.bean(), method.method().name());
    try (ClassCreator type =
        ClassCreator.builder().classOutput(output).className(name).superClass(BASE).build()) {
      type.addAnnotation(Singleton.class);
      constructor(type, method);
      subscription(type, method);
    }
  }

  private static void constructor(ClassCreator type, OnceMethodBuildItem method) {
    try (MethodCreator constructor = type.getMethodCreator("<init>", void.class)) {
      constructor.invokeSpecialMethod(
          MethodDescriptor.ofConstructor(BASE, String.class, String.class, String.class),
          constructor.getThis(),
          constructor.load(method.bean()),
          constructor.load(method.step()),
          constructor.load(method.channel()));
      constructor.returnVoid();
    }
  }

  private static void subscription(ClassCreator type, OnceMethodBuildItem method) {
    String message = OnceNames.MESSAGE.toString();
    try (MethodCreator receive = type.getMethodCreator("receive", STAGE, message)) {
      receive.setSignature(SIGNATURE);
      receive.addAnnotation(OnceNames.INCOMING.toString()).addValue("value", method.channel());
      ResultHandle next =
          receive.invokeSpecialMethod(
              MethodDescriptor.ofMethod(BASE, "accept", STAGE, message),
              receive.getThis(),
              receive.getMethodParam(0));
      receive.returnValue(next);
    }
  }
}
