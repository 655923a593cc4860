package io.onceflow.kafka.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Topics that Kafka does not let the service see, and a poll loop that meets anything. */
class KafkaTopicsTest {

  private static final Duration AT_MOST = Duration.ofSeconds(5);
  private static final String TOPIC = "onceflow.events.order";

  private final KafkaState state = new KafkaState();
  private final Cluster cluster = new Cluster();
  private final KafkaTopics topics = new KafkaTopics(cluster, state, new TestKafkaConfig(false, 1));

  /** Were it taken for one that is not there, an event for it would be done with. */
  @Test
  void aTopicThatTheServiceMayNotSeeIsNeitherThereNorMissing() {
    cluster.refusal = new TopicAuthorizationException(Set.of(TOPIC));

    assertThatThrownBy(() -> topics.takes(TOPIC, false, AT_MOST))
        .isInstanceOfSatisfying(KafkaRefusal.class, it -> assertThat(it.isOfOneTopic()).isTrue());

    assertThat(state.refusal().orElseThrow()).contains("Kafka refuses this service", TOPIC);
  }

  @Test
  void theServiceIsReadyAgainOnceItMaySeeTheTopic() throws Exception {
    cluster.refusal = new TopicAuthorizationException(Set.of(TOPIC));
    assertThatThrownBy(() -> topics.takes(TOPIC, true, AT_MOST)).isInstanceOf(KafkaRefusal.class);
    cluster.refusal = null;

    assertThat(topics.takes(TOPIC, true, AT_MOST)).isTrue();

    assertThat(state.refusal()).isEmpty();
  }

  /** The sender of one command chose it: the participant was unready for five minutes. */
  @Test
  void aForeignTopicForRepliesKeepsNoServiceFromBeingReadyThatAnswersOthers() throws Exception {
    String own = "onceflow.replies.order-service";
    String foreign = "onceflow.replies.elsewhere";
    topics.takes(own, true, AT_MOST);
    cluster.refusal = new TopicAuthorizationException(Set.of(foreign));
    assertThatThrownBy(() -> topics.takes(foreign, true, AT_MOST)).isInstanceOf(KafkaRefusal.class);

    topics.refuseReplies(foreign);

    assertThat(state.refusal()).isEmpty();
  }

  /** No reply can be sent at all: an operator has to correct its rights. */
  @Test
  void aServiceThatMaySendNoRepliesAtAllIsNotReady() {
    String only = "onceflow.replies.order-service";
    cluster.refusal = new TopicAuthorizationException(Set.of(only));
    assertThatThrownBy(() -> topics.takes(only, true, AT_MOST)).isInstanceOf(KafkaRefusal.class);

    topics.refuseReplies(only);

    assertThat(state.refusal()).isPresent();
  }

  /** Messages for it were deleted, so it is not asked for again: the service was never ready. */
  @Test
  void aTopicThatNothingIsSentToAnyMoreKeepsNoServiceFromBeingReady() {
    AtomicLong nanos = new AtomicLong();
    KafkaState aged = new KafkaState(nanos::get);
    cluster.refusal = new TopicAuthorizationException(Set.of(TOPIC));
    KafkaTopics asked = new KafkaTopics(cluster, aged, new TestKafkaConfig(false, 1));
    assertThatThrownBy(() -> asked.takes(TOPIC, true, AT_MOST)).isInstanceOf(KafkaRefusal.class);
    nanos.addAndGet(KafkaState.BELIEVED_FOR.toNanos());
    assertThat(aged.refusal()).isPresent();

    nanos.incrementAndGet();

    assertThat(aged.refusal()).isEmpty();
  }

  /** Before, a queue with many topics sent as many requests, one after the other. */
  @Test
  void looksForAllTopicsOfAQueueByOneRequest() throws Exception {
    Set<String> names = Set.of(TOPIC, "onceflow.events.payment", "onceflow.events.shipment");

    assertThat(topics.look("q", names, AT_MOST)).containsOnlyKeys(names);

    assertThat(cluster.requests.get()).isEqualTo(1);
  }

  /** Such as a thread that the machine does not give it: the queue would have no consumer. */
  @Test
  void aLoopThatMeetsAnErrorBeginsAnew() {
    AtomicInteger begun = new AtomicInteger();
    Function<Map<String, Uuid>, GroupMember> failing =
        ids -> {
          begun.incrementAndGet();
          throw new OutOfMemoryError("unable to create native thread");
        };
    PollLoop loop = new PollLoop("q", Set.of(TOPIC), topics, state, failing);
    loop.start();
    try {
      await().until(() -> begun.get() > 1);
    } finally {
      loop.cancel();
      loop.close();
    }
  }

  /** That its topics are there says nothing of its group; it was ready for a moment each second. */
  @Test
  void aServiceThatMayNotReadAsItsGroupIsNotReadyInBetween() {
    List<Boolean> readyAtEachTry = new CopyOnWriteArrayList<>();
    Function<Map<String, Uuid>, GroupMember> refused =
        ids -> {
          readyAtEachTry.add(state.refusal().isEmpty());
          throw new GroupAuthorizationException("q");
        };
    PollLoop loop = new PollLoop("q", Set.of(TOPIC), topics, state, refused);
    loop.start();
    try {
      await().until(() -> readyAtEachTry.size() > 2);
    } finally {
      loop.cancel();
      loop.close();
    }
    assertThat(readyAtEachTry).startsWith(true, false, false);
  }

  /** Describes every topic, unless it refuses to. */
  private static final class Cluster extends KafkaClients {

    private final AtomicInteger requests = new AtomicInteger();
    private volatile @Nullable RuntimeException refusal;

    Cluster() {
      super(Map.of("bootstrap.servers", "localhost:1"), new TestKafkaConfig(false, 1));
    }

    @Override
    synchronized Admin admin() {
      return (Admin)
          Proxy.newProxyInstance(
              Admin.class.getClassLoader(),
              new Class<?>[] {Admin.class},
              (proxy, method, arguments) -> described((Collection<?>) arguments[0]));
    }

    private DescribeTopicsResult described(Collection<?> names) {
      requests.incrementAndGet();
      Map<String, KafkaFuture<TopicDescription>> answers = new HashMap<>();
      names.forEach(name -> answers.put(name.toString(), described(name.toString())));
      return new DescribeTopicsResult(null, answers) {};
    }

    private KafkaFuture<TopicDescription> described(String name) {
      KafkaFutureImpl<TopicDescription> answer = new KafkaFutureImpl<>();
      RuntimeException why = refusal;
      if (why == null) {
        answer.complete(new TopicDescription(name, false, List.of(), Set.of(), Uuid.randomUuid()));
      } else {
        answer.completeExceptionally(why);
      }
      return answer;
    }
  }
}
