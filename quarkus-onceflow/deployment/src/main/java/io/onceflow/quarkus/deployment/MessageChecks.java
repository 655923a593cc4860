package io.onceflow.quarkus.deployment;

import static io.onceflow.quarkus.deployment.Names.COMMAND;
import static io.onceflow.quarkus.deployment.Names.DONE;
import static io.onceflow.quarkus.deployment.Names.REFUSED;
import static io.onceflow.quarkus.deployment.Names.UNDOES;

import io.onceflow.participant.Answer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.MethodInfo;
import org.jboss.jandex.Type;

/** What is wrong with an application's handlers and messages, each in a sentence. */
final class MessageChecks {

  /** Also what says nothing of it. */
  private static final Set<DotName> ANSWERS =
      Stream.of(
              Answer.class,
              Answer.Reply.class,
              Answer.Pending.class,
              Answer.Call.class,
              Record.class,
              Object.class)
          .map(DotName::createSimple)
          .collect(Collectors.toSet());

  private final IndexView index;
  private final List<HandlerMethodBuildItem> handlers;
  private final List<String> wrong = new ArrayList<>();

  private MessageChecks(IndexView index, List<HandlerMethodBuildItem> handlers) {
    this.index = index;
    this.handlers = handlers;
  }

  static List<String> of(IndexView index, List<HandlerMethodBuildItem> handlers) {
    MessageChecks checks = new MessageChecks(index, handlers);
    handlers.forEach(checks::handlesACommand);
    handlers.forEach(checks::returnsAnAnswer);
    checks.eachCommandHasOneHandler();
    checks.commandsAreRecords();
    Stream.of(DONE, REFUSED).forEach(checks::answersACommand);
    checks.compensationsUndoWhatIsHandled();
    return checks.wrong;
  }

  private void handlesACommand(HandlerMethodBuildItem handler) {
    if (!isCommand(handler.command())) {
      wrong.add(
          "%s is annotated with @Handles, but its first parameter is %s, which %s"
              .formatted(handler, simple(handler.command()), whyNoCommand(handler.command())));
    }
    MethodInfo method = handler.method();
    if (java.lang.reflect.Modifier.isPrivate(method.flags())
        || java.lang.reflect.Modifier.isStatic(method.flags())) {
      wrong.add("%s is private or static; a handler is neither".formatted(handler));
    }
  }

  /**
   * A record that does not say whether it is a refusal would be answered as done. An interface may
   * be what the application's replies have in common, and what no index has is not known here.
   */
  private void returnsAnAnswer(HandlerMethodBuildItem handler) {
    Type returned = handler.method().returnType();
    if (returned.kind() == Type.Kind.VOID || ANSWERS.contains(returned.name())) {
      return;
    }
    ClassInfo type = index.getClassByName(returned.name());
    if (type != null && type.isRecord()) {
      if (!type.hasDeclaredAnnotation(DONE) && !type.hasDeclaredAnnotation(REFUSED)) {
        wrong.add(
            "%s returns %s, which is annotated with neither @Done nor @Refused; say which by one"
                .formatted(handler, simple(returned.name())));
      }
    } else if (isOfMutiny(returned) || (type == null ? isOfJava(returned) : !type.isInterface())) {
      wrong.add(
          "%s returns %s; a handler returns an Answer, a record annotated with @Done or @Refused, or nothing"
              .formatted(handler, simple(returned.name())));
    }
  }

  private static boolean isOfJava(Type type) {
    return type.kind() == Type.Kind.PRIMITIVE
        || type.kind() == Type.Kind.ARRAY
        || isOfJava(type.name());
  }

  private static boolean isOfJava(DotName type) {
    return type.toString().startsWith("java.");
  }

  /** A handler is called on a thread that may block; nothing would subscribe to what it returns. */
  private static boolean isOfMutiny(Type type) {
    return type.name().toString().startsWith("io.smallrye.mutiny.");
  }

  private void eachCommandHasOneHandler() {
    Map<String, HandlerMethodBuildItem> first = new HashMap<>();
    for (HandlerMethodBuildItem handler : handlers) {
      HandlerMethodBuildItem other = first.putIfAbsent(simple(handler.command()), handler);
      if (other != null) {
        wrong.add(
            other.command().equals(handler.command())
                ? "%s and %s both handle %s; a command has one handler"
                    .formatted(other, handler, simple(handler.command()))
                : "%s handles %s and %s handles %s; a command's type is the record's name without its package, so rename one"
                    .formatted(other, other.command(), handler, handler.command()));
      }
    }
  }

  private void commandsAreRecords() {
    for (AnnotationInstance annotation : index.getAnnotations(COMMAND)) {
      ClassInfo type = annotation.target().asClass();
      if (!type.isRecord()) {
        wrong.add("%s is annotated with @Command, but is no record".formatted(simple(type.name())));
      }
      if (!annotation.value().asString().matches("[A-Za-z0-9_-]+([.][A-Za-z0-9_-]+)+")) {
        wrong.add(
            "%s has the routing key \"%s\"; it has to be words with dots between them, such as flight.reserve"
                .formatted(simple(type.name()), annotation.value().asString()));
      }
    }
  }

  private void answersACommand(DotName reply) {
    for (AnnotationInstance annotation : index.getAnnotations(reply)) {
      for (Type command : annotation.value().asClassArray()) {
        if (!isCommand(command.name())) {
          wrong.add(
              "%s is annotated with @%s(%s.class), which %s"
                  .formatted(
                      simple(annotation.target().asClass().name()),
                      simple(reply),
                      simple(command.name()),
                      whyNoCommand(command.name())));
        }
      }
    }
  }

  /** Only the service that carried out an action can know whether there is anything to undo. */
  private void compensationsUndoWhatIsHandled() {
    Set<DotName> handled =
        handlers.stream().map(HandlerMethodBuildItem::command).collect(Collectors.toSet());
    for (AnnotationInstance annotation : index.getAnnotations(UNDOES)) {
      DotName action = annotation.value().asClass().name();
      DotName compensation = annotation.target().asClass().name();
      if (!isCommand(action)) {
        wrong.add(
            "%s is annotated with @Undoes(%s.class), which %s"
                .formatted(simple(compensation), simple(action), whyNoCommand(action)));
      } else if (handled.contains(compensation) && !handled.contains(action)) {
        wrong.add(
            "%s undoes %s, which no method of this application handles; both belong to one participant"
                .formatted(simple(compensation), simple(action)));
      }
    }
  }

  private boolean isCommand(DotName name) {
    ClassInfo type = index.getClassByName(name);
    return type != null && type.hasDeclaredAnnotation(COMMAND);
  }

  /** The build sees the annotations of the classes in its index alone. */
  private String whyNoCommand(DotName name) {
    return index.getClassByName(name) != null || isOfJava(name) || !isQualified(name)
        ? "is no record annotated with @Command"
        : "is in none of the libraries that the build reads; add an empty META-INF/beans.xml or a Jandex index to its library, or name that by quarkus.index-dependency";
  }

  /** A primitive is not, nor is an array, nor the name of a parameter that is missing. */
  private static boolean isQualified(DotName name) {
    return name.toString().contains(".") && !name.toString().startsWith("[");
  }

  static String simple(DotName name) {
    String[] words = name.withoutPackagePrefix().split("[$]");
    return Arrays.stream(words).reduce((before, last) -> last).orElse(name.toString());
  }
}
