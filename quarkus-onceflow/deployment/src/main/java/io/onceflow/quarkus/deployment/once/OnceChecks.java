package io.onceflow.quarkus.deployment.once;

import io.onceflow.quarkus.deployment.TransactionType;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.MethodInfo;
import org.jboss.jandex.Type;

/** What is wrong with methods annotated with {@code @Once}, each in a sentence. */
final class OnceChecks {

  private static final Pattern STEP = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private static final Pattern KEY =
      Pattern.compile("|record-key|message-id|topic-partition-offset|header:\\S+");

  private final IndexView index;
  private final List<String> wrong = new ArrayList<>();

  private OnceChecks(IndexView index) {
    this.index = index;
  }

  static List<String> of(IndexView index, List<OnceMethodBuildItem> methods) {
    OnceChecks checks = new OnceChecks(index);
    Map<String, OnceMethodBuildItem> byStep = new HashMap<>();
    for (OnceMethodBuildItem method : methods) {
      checks.stepIsItsOwn(method, byStep);
      checks.namesAreWellFormed(method);
      checks.readsAChannel(method);
      checks.returnsNothing(method);
      checks.takesMessages(method);
      checks.runsInATransaction(method);
    }
    return checks.wrong;
  }

  private void stepIsItsOwn(OnceMethodBuildItem method, Map<String, OnceMethodBuildItem> byStep) {
    OnceMethodBuildItem other = byStep.putIfAbsent(method.step(), method);
    if (other != null) {
      say(
          "%s and %s are both annotated with @Once(step = \"%s\"); a message that one has handled would not be handled by the other",
          other, method, method.step());
    }
  }

  private void namesAreWellFormed(OnceMethodBuildItem method) {
    if (!STEP.matcher(method.step()).matches()) {
      say(
          "%s has the step \"%s\"; step keys are parsed from their last colon, so it is 1 to 64 letters, digits and . _ -",
          method, method.step());
    }
    if (!KEY.matcher(method.key()).matches()) {
      say(
          "%s reads its key from \"%s\"; it is record-key, message-id, topic-partition-offset, or header: and the name of a header",
          method, method.key());
    }
  }

  private void readsAChannel(OnceMethodBuildItem method) {
    if (method.method().hasAnnotation(OnceNames.INCOMINGS)) {
      say(
          "%s has several @Incoming; an @Once method has one, since its key is the channel's",
          method);
    } else if (method.channel().isEmpty()) {
      say("%s is annotated with @Once, but not with @Incoming; add the channel it reads", method);
    }
  }

  private void returnsNothing(OnceMethodBuildItem method) {
    MethodInfo declared = method.method();
    if (declared.hasAnnotation(OnceNames.OUTGOING) || declared.hasAnnotation(OnceNames.OUTGOINGS)) {
      say(
          "%s is annotated with @Once and @Outgoing; what it returned would be sent before the commit, so it sends by an OutboxEmitter",
          method);
    } else if (declared.returnType().kind() != Type.Kind.VOID) {
      say(
          "%s returns %s; an @Once method ends when its work is written, so it returns nothing",
          method, full(declared.returnType()));
    }
  }

  private void takesMessages(OnceMethodBuildItem method) {
    MethodInfo declared = method.method();
    if (Modifier.isPrivate(declared.flags()) || Modifier.isStatic(declared.flags())) {
      say("%s is private or static; an @Once method is neither", method);
    }
    if (declared.parametersCount() != 1) {
      say(
          "%s has %s parameters; an @Once method takes one: a payload, a Message, or a List of them",
          method, declared.parametersCount());
    } else if (!isSupported(declared.parameterType(0))) {
      say(
          "%s takes %s; an @Once method takes a payload, a Message with the payload's type, or a List of them",
          method, full(declared.parameterType(0)));
    }
  }

  private static boolean isSupported(Type given) {
    Type one = given.name().equals(DotName.createSimple(List.class)) ? argument(given) : given;
    Type payload = one.name().equals(OnceNames.MESSAGE) ? argument(one) : one;
    String name = payload.name().toString();
    return switch (payload.kind()) {
      case CLASS -> !payload.name().equals(OnceNames.MESSAGE) && !isStream(name);
      case PARAMETERIZED_TYPE -> !isStream(name);
      case ARRAY -> name.equals("[B");
      default -> false;
    };
  }

  private static Type argument(Type generic) {
    return generic.kind() == Type.Kind.PARAMETERIZED_TYPE
        ? generic.asParameterizedType().arguments().getFirst()
        : Type.create(OnceNames.MESSAGE, Type.Kind.CLASS);
  }

  private static boolean isStream(String name) {
    return name.startsWith("io.smallrye.mutiny.")
        || name.startsWith("org.reactivestreams.")
        || name.startsWith("java.util.concurrent.")
        || name.startsWith("org.apache.kafka.clients.");
  }

  private void runsInATransaction(OnceMethodBuildItem method) {
    if (method.method().hasAnnotation(OnceNames.NON_BLOCKING)) {
      say(
          "%s is annotated with @NonBlocking; an @Once method runs in a transaction, on a thread that may block",
          method);
    }
    TransactionType.of(method.method(), index)
        .filter(TransactionType.APART::contains)
        .ifPresent(
            type ->
                say(
                    "%s is annotated with @Transactional(%s); what it writes would not commit with its inbox row, so remove that",
                    method, type));
  }

  private static String full(Type type) {
    return type.name().toString();
  }

  private void say(String sentence, Object... words) {
    wrong.add(sentence.formatted(words));
  }
}
