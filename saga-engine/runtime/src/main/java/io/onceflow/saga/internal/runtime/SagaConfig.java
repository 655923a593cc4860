package io.onceflow.saga.internal.runtime;

import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.RetryPolicy;
import io.onceflow.saga.internal.store.ReplyPolicy;
import io.onceflow.saga.internal.store.failure.FailurePolicy;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Timers and limits of sagas. The time limits of single steps are in the saga's definition. */
@ConfigMapping(prefix = "onceflow.saga")
public interface SagaConfig {

  /**
   * How often each replica looks for sagas whose timer fell due: a step is resent at most this much
   * later than its time. The look costs one statement for all definitions when nothing is due.
   * After one that finds no timer of the next five intervals, it looks again after five of them; a
   * timer that is set meanwhile and falls due before fires then.
   */
  @WithDefault("PT1S")
  Duration timerInterval();

  /**
   * How long after the start a replica first looks. While it was down its timers fell due and
   * replies gathered in the queue; those are taken first, so that nothing is requested again, or
   * timed out, that is answered already. Five seconds is enough for some thousands of replies.
   */
  @WithDefault("PT5S")
  Duration firstSweepAfter();

  /**
   * The longest wait between two attempts at a step; the waits double up to it. A participant that
   * was unavailable for hours gets the message within this time after its return. At one message
   * per saga in five minutes, ten thousand waiting sagas cost 33 messages a second.
   */
  @WithDefault("PT5M")
  Duration longestWait();

  /**
   * How often a compensation, or a step past the pivot, is sent before its saga shows as STUCK. Ten
   * attempts take about half an hour, so shorter outages raise no alert.
   */
  @WithDefault("10")
  int stuckAfter();

  /**
   * How long a stuck saga waits between two attempts. A stuck saga needs an operator more than it
   * needs another attempt; but if the cause disappears by itself, the saga ends within this time.
   */
  @WithDefault("PT30M")
  Duration stuckWait();

  /**
   * How often in a row handling a saga may fail when its timer is due, because a function of its
   * definition throws or a row cannot be read, before it is in quarantine: then nothing takes it up
   * until it is retried or answered. With the pauses between the attempts this takes half a minute:
   * enough for a replica to start or for a row to be written, while a bug remains.
   */
  @WithDefault("5")
  int quarantineAfter();

  /**
   * Sagas that may be under way, of all replicas together, before new ones are shed; those that are
   * STUCK, in quarantine, or have nothing to do for ten minutes, since a step of theirs is pending,
   * do not count. With so many sagas the last one ends after this number divided by the sagas that
   * the services complete in a second. That time should stay near the first step's reply time, ten
   * seconds: if it is longer, commands that only wait for their turn are resent. The default fits a
   * thousand sagas a second and limits the waiting rows to some tens of megabytes.
   */
  @WithDefault("10000")
  long mostUnderWay();

  /**
   * How long a saga is kept after its end, with its steps and its history; then it is deleted, and
   * beans of {@code Sagas.Archive} get it first. Zero keeps all sagas. Sagas that have not ended
   * are never deleted. The subjects, such as orders, are the application's and stay.
   */
  @WithDefault("P90D")
  Duration retention();

  /**
   * How long after the end of a saga its root key counts as used, also when the saga is deleted: a
   * saga that starts under the same key gets other step keys. Must be at least {@code
   * onceflow.inbox.retention} and {@code onceflow.inbox.longest-redrive-age} together, so that
   * participants have forgotten the steps. The default is longer than most payment providers
   * remember an idempotency key. A remembered key takes about eighty bytes.
   */
  @WithDefault("P400D")
  Duration rootKeyRetention();

  /**
   * The limits after which a failing saga is in quarantine; the pauses are no longer than other
   * waits.
   */
  default FailurePolicy failurePolicy() {
    return new FailurePolicy(quarantineAfter(), Duration.ofSeconds(2), longestWait());
  }

  /**
   * How long it is kept what sagas did by minute: how many started and ended, how long those took,
   * which steps failed. A definition under load takes some 400 bytes a minute, 8 MB in the default
   * time; one that stands still takes none. Zero keeps nothing and counts nothing.
   */
  @WithDefault("P14D")
  Duration minutesRetention();

  /**
   * Which version of a definition new sagas follow, by the definition's name; the highest that this
   * build knows unless it is named here. So a version is known before it is started: ship the code
   * with {@code onceflow.saga.start-version."place-order"=1}, and remove that once every replica
   * runs it and it need not be rolled back any more.
   */
  Map<String, Integer> startVersion();

  /** Which replies are accepted. */
  Replies replies();

  /**
   * Where a trace is shown, for a link beside each saga: a URL with {@code {traceId}} in it, such
   * as {@code https://jaeger.example/trace/{traceId}}. Without one there is no link.
   */
  Optional<String> traceUrl();

  /** Which replies are accepted. */
  interface Replies {

    /**
     * Which participant gets the commands whose routing key starts with a word, such as {@code
     * "payment"=billing}. Without an entry it is the one that a command of them names by {@code
     * of}, else that word followed by {@code -service}.
     */
    Map<String, String> participants();
  }

  /** The same rule in the form that the engine uses. */
  default ReplyPolicy replyPolicy(String replyTo, List<? extends SagaDefinition<?>> definitions) {
    return ReplyPolicy.of(replyTo, definitions, replies().participants());
  }

  /** The engine's form of it. */
  default RetryPolicy retryPolicy() {
    return new RetryPolicy(longestWait(), stuckAfter(), stuckWait());
  }
}
