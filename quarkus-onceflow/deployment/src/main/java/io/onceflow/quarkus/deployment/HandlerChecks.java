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
    handlers.forEach(checks::callsOutWithoutATransaction);
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

  /** What a handler writes commits with its step, unless it calls out. */
  private void writesWithItsStep(HandlerMethodBuildItem handler) {
    if (handler.method().hasAnnotation(Names.CALLS_OUT)) {
      return;
    }
    TransactionType.of(handler.method(), index)
        .filter(TransactionType.APART::contains)
        .ifPresent(
            type ->
                wrong.add(
                    "%s is annotated with @Transactional(%s); what it writes would not commit with its step, so remove that"
                        .formatted(handler, type)));
  }

  /** It would hold a connection and its locks for as long as the other system takes. */
  private void callsOutWithoutATransaction(HandlerMethodBuildItem handler) {
    if (!handler.method().hasAnnotation(Names.CALLS_OUT)) {
      return;
    }
    TransactionType.of(handler.method(), index)
        .filter(type -> !TransactionType.NONE.contains(type))
        .ifPresent(
            type ->
                wrong.add(
                    "%s is annotated with @CallsOut and, by itself or by its class, with @Transactional(%s); no transaction is to be open during a call, so remove that, and write by Answer.save or by another bean"
                        .formatted(handler, type)));
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
