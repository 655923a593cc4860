package io.onceflow.quarkus.deployment.emitter;

import io.quarkus.builder.item.MultiBuildItem;
import java.util.Optional;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.DotName;
import org.jboss.jandex.Type;

/** An injected {@code OutboxEmitter}: a field or a parameter with {@code @Channel}. */
final class OutboxEmitterBuildItem extends MultiBuildItem {

  private final AnnotationInstance channel;

  OutboxEmitterBuildItem(AnnotationInstance channel) {
    this.channel = channel;
  }

  /** Whether what is annotated with {@code @Channel} is such an emitter. */
  static boolean isOne(AnnotationInstance channel) {
    return type(channel.target()).map(Type::name).filter(EmitterNames.EMITTER::equals).isPresent();
  }

  private static Optional<Type> type(AnnotationTarget target) {
    return switch (target.kind()) {
      case FIELD -> Optional.of(target.asField().type());
      case METHOD_PARAMETER -> Optional.of(target.asMethodParameter().type());
      default -> Optional.empty();
    };
  }

  String channel() {
    return channel.value().asString();
  }

  /** Empty where it is not said. */
  Optional<Type> payload() {
    return type(channel.target())
        .filter(type -> type.kind() == Type.Kind.PARAMETERIZED_TYPE)
        .map(type -> type.asParameterizedType().arguments().getFirst());
  }

  boolean isAnnotatedWith(DotName annotation) {
    return channel.target().declaredAnnotations().stream()
        .anyMatch(it -> it.name().equals(annotation));
  }

  @Override
  public String toString() {
    return channel.target().kind() == AnnotationTarget.Kind.FIELD
        ? "%s.%s"
            .formatted(
                channel.target().asField().declaringClass().simpleName(),
                channel.target().asField().name())
        : "the emitter of channel %s in %s"
            .formatted(
                channel(),
                channel.target().asMethodParameter().method().declaringClass().simpleName());
  }
}
