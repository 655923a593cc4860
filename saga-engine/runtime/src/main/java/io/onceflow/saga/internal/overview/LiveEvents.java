package io.onceflow.saga.internal.overview;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.onceflow.internal.watchdog.PeriodicTask;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.view.SagaRevisions;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.BackPressureStrategy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Tells open pages how the sagas are, once a second: one look for all of them, and none while no
 * page is open.
 */
@ApplicationScoped
class LiveEvents {

  private static final Logger LOG = Logger.getLogger(LiveEvents.class);

  private static final Duration EVERY = Duration.ofSeconds(1);

  private final Overviews overviews;
  private final UnitOfWork unitOfWork;
  private final ObjectMapper json;
  private final Clock clock;
  private final int most;
  private final PeriodicTask task = new PeriodicTask("live-events", this::tell);
  private final Set<LiveStream> streams = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Sse sse;
  private boolean isClosed;
  private @Nullable Overview counted;
  private @Nullable ObjectNode figures;
  private @Nullable OutboundSseEvent told;

  LiveEvents(
      Overviews overviews,
      SagaRunners sagas,
      UnitOfWork unitOfWork,
      ObjectMapper json,
      Clock clock,
      LiveConfig config) {
    this.overviews = overviews;
    this.unitOfWork = sagas.transactions(unitOfWork);
    this.json = json;
    this.clock = clock;
    this.most = config.streams();
  }

  void start(@Observes StartupEvent starting) {
    task.start(EVERY, EVERY);
  }

  void stop(@Observes ShutdownEvent stopping) {
    close();
    task.close();
  }

  /**
   * A stream of its own for a caller.
   *
   * @param saga whose moves it tells, too; null for none
   * @param expires when it ends
   * @return empty when there are too many, or the process is about to stop
   */
  synchronized Optional<Multi<OutboundSseEvent>> open(
      Sse events, @Nullable UUID saga, Instant expires) {
    if (isClosed || streams.size() >= most) {
      return Optional.empty();
    }
    sse = events;
    LiveStream stream = new LiveStream(saga, clock.instant(), expires);
    streams.add(stream);
    OutboundSseEvent greeting = News.comment(events, "live");
    return Optional.of(
        Multi.createFrom()
            .<OutboundSseEvent>emitter(
                reader -> {
                  reader.onTermination(() -> streams.remove(stream));
                  stream.begin(reader, greeting);
                },
                BackPressureStrategy.BUFFER));
  }

  /** Ends all streams, and opens no more: a process that stops waits for its answers. */
  synchronized void close() {
    isClosed = true;
    streams.forEach(LiveStream::end);
    streams.clear();
  }

  private void tell() {
    Instant now = clock.instant();
    streams.stream().filter(stream -> stream.isOver(now)).toList().forEach(this::end);
    Sse events = sse;
    if (!streams.isEmpty() && events != null) {
      News news = new News(events, overview(events), revisions());
      streams.forEach(stream -> stream.tell(now, news));
    }
  }

  private void end(LiveStream stream) {
    stream.end();
    streams.remove(stream);
  }

  private @Nullable OutboundSseEvent overview(Sse events) {
    try {
      Overview now = overviews.get();
      if (now != counted) { // the same object until it is counted again
        counted = now;
        note(now, events);
      }
    } catch (SQLException | RuntimeException e) {
      LOG.debugf(e, "sagas cannot be counted for open pages");
    }
    return told;
  }

  /** That it was counted again is no news. */
  private void note(Overview now, Sse events) {
    ObjectNode tree = json.valueToTree(now);
    ObjectNode without = tree.deepCopy().without("at");
    if (!without.equals(figures)) {
      figures = without;
      told = News.event(events, "overview", tree.toString());
    }
  }

  private Map<UUID, Long> revisions() {
    List<UUID> watched =
        streams.stream().map(LiveStream::saga).filter(Objects::nonNull).distinct().toList();
    if (watched.isEmpty()) {
      return Map.of();
    }
    try {
      return unitOfWork.call(tx -> SagaRevisions.of(tx.connection(), watched));
    } catch (SQLException | RuntimeException e) {
      LOG.debugf(e, "sagas cannot be read for open pages");
      return Map.of();
    }
  }
}
