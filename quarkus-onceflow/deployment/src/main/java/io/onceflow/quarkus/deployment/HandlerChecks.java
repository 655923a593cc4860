package io.onceflow.quarkus.deployment;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.MethodInfo;
import org.jboss.jandex.Type;
import org.jspecify.annotations.Nullable;

/** What is wrong with how an application's handlers answer and write, each in a sentence. */
final class HandlerChecks {

  /** They end, or do without, the transaction that the step is recorded in. */
  private static final Set<String> OTHER_TRANSACTIONS =
      Set.of("REQUIRES_NEW", "NOT_SUPPORTED", "NEVER");

  private final IndexView index;
  private final List<HandlerMethodBuildItem> handlers;
  private final List<String> wrong = new ArrayList<>();

  private HandlerChecks(IndexView index, List<HandlerMethodBuildItem> handlers) {
    this.index = index;
    this.handlers = handlers;
  }

  static List<String> of(IndexView index, List<HandlerMethodBuildItem> handlers) {
    HandlerChecks checks = new HandlerChecks(index, handlers);
    handlers.forEach(checks::answersItsOwnCommand);
    handlers.forEach(checks::writesWithItsStep);
    checks.fallbackRepliesAreBesideHandlers();
    return checks.wrong;
  }

  /** A saga parks a reply to another command than it has sent, and the step stays unanswered. */
  private void answersItsOwnCommand(HandlerMethodBuildItem handler) {
    DotName returned = handler.method().returnType().name();
    Set<DotName> answered = answeredBy(index.getClassByName(returned));
    if (!answered.isEmpty() && !answered.contains(handler.command())) {
      wrong.add(
          "%s handles %s and returns %s, which is a reply to %s; return a reply to %s"
              .formatted(
                  handler,
                  simple(handler.command()),
                  simple(returned),
                  simple(answered),
                  simple(handler.command())));
    }
  }

  private static Set<DotName> answeredBy(@Nullable ClassInfo reply) {
    return Stream.of(Names.DONE, Names.REFUSED)
        .flatMap(
            name ->
                reply == null ? Stream.empty() : Stream.ofNullable(reply.declaredAnnotation(name)))
        .flatMap(annotation -> Stream.of(annotation.value().asClassArray()))
        .map(Type::name)
        .collect(Collectors.toSet());
  }

  /** A handler that calls out runs between the transactions of its step, and has none to keep. */
  private void writesWithItsStep(HandlerMethodBuildItem handler) {
    MethodInfo method = handler.method();
    AnnotationInstance transactional =
        method.hasAnnotation(Names.TRANSACTIONAL)
            ? method.annotation(Names.TRANSACTIONAL)
            : method.declaringClass().declaredAnnotation(Names.TRANSACTIONAL);
    if (!method.hasAnnotation(Names.CALLS_OUT)
        && transactional != null
        && transactional.value() != null
        && OTHER_TRANSACTIONS.contains(transactional.value().asEnum())) {
      wrong.add(
          "%s is annotated with @Transactional(%s); what it writes would not commit with its step, so remove that"
              .formatted(handler, transactional.value().asEnum()));
    }
  }

  /** Only in the class of a handler, and in those that it extends, are they looked for. */
  private void fallbackRepliesAreBesideHandlers() {
    Set<DotName> searched =
        handlers.stream()
            .flatMap(handler -> withSuperclasses(handler.method().declaringClass()))
            .collect(Collectors.toSet());
    for (AnnotationInstance annotation : index.getAnnotations(Names.ANSWERS_UNHANDLED)) {
      MethodInfo method = annotation.target().asMethod();
      if (!searched.contains(method.declaringClass().name())) {
        wrong.add(
            "%s.%s is annotated with @FallbackReply, but its class handles no command; move it to the class of the command's @Handles method"
                .formatted(method.declaringClass().simpleName(), method.name()));
      }
    }
  }

  private Stream<DotName> withSuperclasses(@Nullable ClassInfo type) {
    return type == null
        ? Stream.empty()
        : Stream.concat(
            Stream.of(type.name()),
            type.superName() == null
                ? Stream.empty()
                : withSuperclasses(index.getClassByName(type.superName())));
  }

  private static String simple(Collection<DotName> names) {
    return names.stream().map(HandlerChecks::simple).sorted().collect(Collectors.joining(", "));
  }

  private static String simple(DotName name) {
    return MessageChecks.simple(name);
  }
}
