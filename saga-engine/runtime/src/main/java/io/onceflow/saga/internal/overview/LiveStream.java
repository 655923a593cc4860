package io.onceflow.saga.internal.overview;

import io.smallrye.mutiny.subscription.MultiEmitter;
import jakarta.ws.rs.sse.OutboundSseEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One open stream of events, and what its reader knows. Told by one thread at a time; it may end
 * while its reader is yet to come.
 */
final class LiveStream {

  /** A proxy cuts connections that are silent for a minute; the page does so after 40 s. */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(15);

  /** By then the answer is on its way, or the caller is gone. */
  private static final Duration LONGEST_OPENING = Duration.ofSeconds(10);

  private final @Nullable UUID saga;
  private final Instant opened;
  private final Instant expires;
  private volatile @Nullable MultiEmitter<? super OutboundSseEvent> emitter;
  private @Nullable OutboundSseEvent overview;
  private @Nullable Long revision;
  private Instant told;
  private boolean isEnded;

  /**
   * @param saga whose moves are told; null for none
   * @param expires when the caller may not read any more
   */
  LiveStream(@Nullable UUID saga, Instant opened, Instant expires) {
    this.saga = saga;
    this.opened = opened;
    this.expires = expires;
    this.told = opened;
  }

  @Nullable UUID saga() {
    return saga;
  }

  synchronized void begin(
      MultiEmitter<? super OutboundSseEvent> reader, OutboundSseEvent greeting) {
    reader.emit(greeting);
    emitter = reader;
    if (isEnded) {
      reader.complete();
    }
  }

  /**
   * Tells what the reader does not know. A reader who has not taken the last events yet gets the
   * newest ones later.
   *
   * @param now what counts for the caller's token
   * @param news what there is to be told
   */
  void tell(Instant now, News news) {
    MultiEmitter<? super OutboundSseEvent> reader = emitter;
    if (reader == null || reader.requested() == 0) {
      return;
    }
    @Nullable OutboundSseEvent counted = news.overview();
    if (counted != null && !counted.equals(overview)) {
      overview = counted;
      emit(reader, counted, now);
    }
    @Nullable Long moved = saga == null ? null : news.revisions().get(saga);
    if (moved != null && !moved.equals(revision)) {
      revision = moved;
      emit(reader, news.moved(saga, moved), now);
    }
    if (!now.isBefore(told.plus(LONGEST_SILENCE))) {
      emit(reader, news.heartbeat(), now);
    }
  }

  private void emit(
      MultiEmitter<? super OutboundSseEvent> reader, OutboundSseEvent event, Instant now) {
    reader.emit(event);
    told = now;
  }

  /** Whether nobody reads it, or nobody may. */
  boolean isOver(Instant now) {
    MultiEmitter<? super OutboundSseEvent> reader = emitter;
    return !now.isBefore(expires)
        || (reader == null ? now.isAfter(opened.plus(LONGEST_OPENING)) : reader.isCancelled());
  }

  /** Ends it; the answer is complete then. */
  synchronized void end() {
    isEnded = true;
    MultiEmitter<? super OutboundSseEvent> reader = emitter;
    if (reader != null) {
      reader.complete();
    }
  }
}
