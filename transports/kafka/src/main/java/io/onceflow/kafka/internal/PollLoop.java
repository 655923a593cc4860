package io.onceflow.kafka.internal;

import io.onceflow.inbox.internal.consumer.MessageSource.Subscription;
import io.onceflow.internal.watchdog.LoopWatch;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.common.Uuid;
import org.jboss.logging.Logger;

/**
 * Takes a queue's messages for as long as it is not closed. While a topic is missing or Kafka
 * refuses the service, it retries each second; while Kafka is only away, its client does. It looks
 * at the topics every few seconds: one that is deleted is told, and one that was deleted and made
 * again has other records, though a consumer would continue at its offset.
 */
final class PollLoop implements Subscription {

  private static final Logger LOG = Logger.getLogger(PollLoop.class);

  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(5);
  private static final Duration LOOK_WITHIN = Duration.ofSeconds(5);
  private static final Duration LOOK_AGAIN_WITHIN = Duration.ofSeconds(2);
  private static final Duration CANCEL_WITHIN = Duration.ofSeconds(1);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(6);

  private final String queue;
  private final Set<String> names;
  private final KafkaTopics topics;
  private final KafkaState state;
  private final Function<Map<String, Uuid>, GroupMember> members;
  private final Thread thread;
  private final LoopWatch watch;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final CountDownLatch takesNoMore = new CountDownLatch(1);
  private volatile boolean cancelled;
  private boolean awaySaid;

  /**
   * @param names the queue's topics
   * @param members makes one for each time that it has to start again, of topics with their ids
   */
  PollLoop(
      String queue,
      Set<String> names,
      KafkaTopics topics,
      KafkaState state,
      Function<Map<String, Uuid>, GroupMember> members) {
    this.queue = queue;
    this.names = names;
    this.topics = topics;
    this.state = state;
    this.members = members;
    this.watch = LoopWatch.idle("kafka-" + queue, LOOK_WITHIN);
    this.thread = Thread.ofPlatform().name("consumer-" + queue).daemon().unstarted(this::run);
  }

  @Override
  public void start() {
    thread.start();
  }

  @Override
  public void cancel() {
    cancelled = true;
    awaitQuietly(() -> takesNoMore.await(CANCEL_WITHIN.toMillis(), TimeUnit.MILLISECONDS));
    LOG.infof("receives no more messages of %s", queue);
  }

  /** Waits for the thread, which commits what has been settled by now. */
  @Override
  public void close() {
    closed.countDown();
    if (thread.getState() != Thread.State.NEW) {
      awaitQuietly(() -> thread.join(STOP_WITHIN));
    }
  }

  private interface Waiting {
    void run() throws InterruptedException;
  }

  private static void awaitQuietly(Waiting waiting) {
    try {
      waiting.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    watch.begin();
    try {
      while (!isClosed()) {
        watch.turned();
        attempt();
        awaitQuietly(() -> closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS));
      }
      watch.close();
    } finally {
      takesNoMore.countDown();
    }
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  private void attempt() {
    try {
      Map<String, Uuid> found = topics.look(queue, names, LOOK_WITHIN);
      if (!found.isEmpty()) {
        consume(found);
      }
    } catch (IOException | RuntimeException | Error e) {
      // Whatever it is: without this thread nothing would take the queue's messages.
      failed(e);
    }
  }

  private void consume(Map<String, Uuid> found) {
    try (GroupMember member = members.apply(found)) {
      member.join();
      LOG.infof("receives messages of %s from Kafka", queue);
      awaySaid = false;
      long lookedAt = System.nanoTime();
      while (!isClosed()) {
        if (System.nanoTime() - lookedAt >= BETWEEN_LOOKS.toNanos()) {
          if (!areStill(found)) {
            member.abandon();
            return;
          }
          lookedAt = System.nanoTime();
        }
        boolean takesMore = !cancelled;
        member.turn(takesMore);
        if (member.isProven()) {
          state.accepted(group());
        }
        watch.turned();
        if (!takesMore) {
          takesNoMore.countDown();
        }
      }
    }
  }

  /** Whether the topics are the same; true as well while Kafka does not say. */
  private boolean areStill(Map<String, Uuid> found) {
    try {
      boolean areSame = topics.look(queue, names, LOOK_AGAIN_WITHIN).equals(found);
      if (!areSame) {
        LOG.warnf("topics of %s were deleted or created again: %s", queue, found.keySet());
      } else if (awaySaid) {
        LOG.infof("receives messages of %s from Kafka again", queue);
        awaySaid = false;
      }
      return areSame;
    } catch (IOException e) {
      failed(e);
      return true;
    }
  }

  /** Apart from what is found of its topics: that they are there does not say it may read them. */
  private String group() {
    return "group " + queue;
  }

  private void failed(Throwable e) {
    if (KafkaRefusal.is(e)) {
      state.refused(group(), new KafkaRefusal(e).getMessage());
    } else if (!(e instanceof KafkaRefusal) && !awaySaid && !isClosed()) {
      LOG.warnf("receives no messages of %s: %s; retrying", queue, e);
      awaySaid = true;
    }
  }
}
