package io.onceflow.simulation.inbox;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.internal.DueSteps;
import io.onceflow.inbox.internal.EndedSteps;
import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.InboxStore;
import io.onceflow.inbox.internal.InboxStore.WakeResult;
import io.onceflow.inbox.internal.InboxTable;
import io.onceflow.inbox.internal.StepOutcome;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.simulation.Coverage;
import io.onceflow.simulation.Defaults;
import io.onceflow.simulation.database.Database;
import io.onceflow.simulation.database.SimulatedTransaction;
import io.onceflow.simulation.database.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code inbox_message} in memory; behaves like the SQL of {@link InboxTable}. */
public class MemoryInbox implements InboxStore {

  private final Database database;
  private final Table<InboxRow.Id, Entry> table = new Table<>();
  private final Set<InboxRow.Id> everKnown = new HashSet<>();
  private final InboxWatch watch;

  /** A row with its times. */
  record Entry(
      InboxRow row, @Nullable Instant leaseEndsAt, @Nullable Instant endedAt, long wokenToken) {

    Entry(InboxRow row, @Nullable Instant leaseEndsAt, @Nullable Instant endedAt) {
      this(row, leaseEndsAt, endedAt, 0);
    }
  }

  /**
   * @param watch is told what is committed
   */
  public MemoryInbox(Database database, InboxWatch watch) {
    this.database = database;
    this.watch = watch;
  }

  @Override
  public Map<InboxRow.Id, InboxRow> find(Connection connection, Set<InboxRow.Id> ids)
      throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    Map<InboxRow.Id, InboxRow> found = new HashMap<>();
    if (!ids.isEmpty()) {
      tx.statement(() -> "look up " + told(ids));
      for (InboxRow.Id id : ids) {
        Entry entry = table.get(tx, id);
        if (entry != null) {
          found.put(id, seen(entry));
        }
      }
    }
    return found;
  }

  /** Nobody attempts a step whose lease is over and whose message is not here. */
  private InboxRow seen(Entry entry) {
    InboxRow row = entry.row();
    Instant ends = entry.leaseEndsAt();
    boolean isAbandoned = row.envelope() == null && ends != null && ends.isBefore(database.now());
    return isAbandoned ? withResting(row) : row;
  }

  private static InboxRow withResting(InboxRow row) {
    return new InboxRow(
        row.scope(),
        row.stepKey(),
        row.fingerprint(),
        row.status(),
        row.fencingToken(),
        row.attempts(),
        row.envelope(),
        row.outcome(),
        row.pendingSince(),
        true);
  }

  @Override
  public Set<InboxRow.Id> insert(Connection connection, Map<InboxRow, Duration> leases)
      throws SQLException {
    Set<InboxRow.Id> inserted = new HashSet<>();
    Set<InboxRow> rows = leases.keySet();
    if (!rows.isEmpty()) {
      SimulatedTransaction tx = SimulatedTransaction.of(connection);
      tx.statement(() -> "take on " + told(rows.stream().map(InboxRow::id).toList()));
      for (InboxRow row : rows.stream().sorted(Comparator.comparing(InboxRow::id)).toList()) {
        if (table.putIfAbsent(tx, row.id(), fresh(row, leases.getOrDefault(row, Duration.ZERO)))) {
          inserted.add(row.id());
          tx.afterCommit(() -> everKnown.add(row.id()));
          if (row.status() == InboxRow.Status.STARTED) {
            tx.afterCommit(() -> watch.begun(row.scope(), StepKey.parse(row.stepKey())));
          }
          if (row.status() == InboxRow.Status.TOMBSTONE) {
            database.reach(Coverage.TOMBSTONE);
          }
        } else {
          database.reach(Coverage.LOST_RACE);
        }
      }
    }
    return inserted;
  }

  private Entry fresh(InboxRow row, Duration lease) {
    Instant now = database.now();
    InboxRow stored = row.isResting() ? resting(row, now) : row;
    return row.status() == InboxRow.Status.STARTED
        ? new Entry(stored, now.plus(lease), null)
        : new Entry(row, null, now);
  }

  @Override
  public Set<InboxRow.Id> complete(Connection connection, Map<InboxRow, String> outcomes)
      throws SQLException {
    Set<InboxRow.Id> completed = new HashSet<>();
    if (!outcomes.isEmpty()) {
      SimulatedTransaction tx = SimulatedTransaction.of(connection);
      tx.statement(() -> "complete " + told(outcomes.keySet().stream().map(InboxRow::id).toList()));
      for (Map.Entry<InboxRow, String> outcome : outcomes.entrySet()) {
        InboxRow own = outcome.getKey();
        table.lock(tx, own.id());
        Entry entry = table.get(tx, own.id());
        if (entry != null && isOwned(entry.row(), own)) {
          if (entry.endedAt() != null) {
            tx.afterCommit(() -> watch.completedAgain(StepKey.parse(own.stepKey())));
          }
          if (entry.row().isResting()) {
            database.reach(Coverage.PENDING_ENDED);
          }
          table.put(tx, own.id(), ended(entry.row(), outcome.getValue()));
          completed.add(own.id());
        } else {
          database.reach(Coverage.LATE_OWNER);
        }
      }
    }
    return completed;
  }

  private Entry ended(InboxRow row, String outcome) {
    return new Entry(row.ended(outcome), null, database.now());
  }

  private static List<String> told(Collection<InboxRow.Id> ids) {
    return ids.stream().map(id -> id.scope() + "/" + id.stepKey()).toList();
  }

  /** Rule 4. */
  boolean isOwned(InboxRow stored, InboxRow own) {
    return stored.status() == InboxRow.Status.STARTED
        && stored.fencingToken() == own.fencingToken();
  }

  @Override
  public Set<InboxRow.Id> store(Connection connection, Map<InboxRow, String> envelopes)
      throws SQLException {
    Set<InboxRow.Id> stored = new HashSet<>();
    if (!envelopes.isEmpty()) {
      SimulatedTransaction tx = SimulatedTransaction.of(connection);
      tx.statement(() -> "store " + told(envelopes.keySet().stream().map(InboxRow::id).toList()));
      for (InboxRow known : envelopes.keySet()) {
        table.lock(tx, known.id());
        Entry entry = table.get(tx, known.id());
        if (entry != null
            && entry.row().status() == InboxRow.Status.STARTED
            && entry.row().fencingToken() == known.fencingToken()
            && entry.row().envelope() == null) {
          InboxRow row = entry.row().withEnvelope(envelopes.get(known));
          table.put(tx, known.id(), new Entry(row, entry.leaseEndsAt(), null, entry.wokenToken()));
          stored.add(known.id());
        }
      }
    }
    return stored;
  }

  @Override
  public Set<InboxRow.Id> startAgain(Connection connection, Map<InboxRow, String> envelopes)
      throws SQLException {
    Set<InboxRow.Id> started = new HashSet<>();
    if (!envelopes.isEmpty()) {
      SimulatedTransaction tx = SimulatedTransaction.of(connection);
      tx.statement(
          () -> "start again " + told(envelopes.keySet().stream().map(InboxRow::id).toList()));
      for (InboxRow known : envelopes.keySet()) {
        table.lock(tx, known.id());
        Entry entry = table.get(tx, known.id());
        if (entry != null
            && entry.row().status() == InboxRow.Status.COMPLETED
            && entry.row().fencingToken() == known.fencingToken()) {
          InboxRow again = entry.row().startedAgain(envelopes.get(known));
          table.put(tx, known.id(), new Entry(again, database.now(), null));
          started.add(known.id());
          tx.afterCommit(() -> watch.begunAgain(StepKey.parse(known.stepKey())));
        }
      }
    }
    return started;
  }

  @Override
  public Set<InboxRow.Id> postpone(Connection connection, Map<InboxRow, Duration> pauses)
      throws SQLException {
    return putOff(
        connection,
        "postpone ",
        pauses.keySet(),
        (entry, own) ->
            new Entry(
                withMessageOf(own, entry.row()).withAttempts(own.attempts()),
                database.now().plus(pauses.get(own)),
                null,
                entry.wokenToken()));
  }

  @Override
  public Set<InboxRow.Id> rest(Connection connection, Map<InboxRow, Duration> pauses)
      throws SQLException {
    return putOff(
        connection,
        "let rest ",
        pauses.keySet(),
        (entry, own) -> atRest(entry, withMessageOf(own, entry.row()), pauses.get(own)));
  }

  private static InboxRow withMessageOf(InboxRow own, InboxRow row) {
    String message = own.envelope();
    return row.envelope() == null && message != null ? row.withEnvelope(message) : row;
  }

  private Set<InboxRow.Id> putOff(
      Connection connection, String what, Set<InboxRow> rows, BiFunction<Entry, InboxRow, Entry> to)
      throws SQLException {
    Set<InboxRow.Id> changed = new HashSet<>();
    if (!rows.isEmpty()) {
      SimulatedTransaction tx = SimulatedTransaction.of(connection);
      tx.statement(() -> what + told(rows.stream().map(InboxRow::id).toList()));
      for (InboxRow own : rows.stream().sorted(Comparator.comparing(InboxRow::id)).toList()) {
        table.lock(tx, own.id());
        Entry entry = table.get(tx, own.id());
        if (entry != null
            && entry.row().status() == InboxRow.Status.STARTED
            && isOwned(entry.row(), own)) {
          table.put(tx, own.id(), to.apply(entry, own));
          changed.add(own.id());
        }
      }
    }
    return changed;
  }

  private Entry atRest(Entry entry, InboxRow row, Duration pause) {
    Instant now = database.now();
    boolean isWoken = entry.wokenToken() == entry.row().fencingToken();
    if (isWoken) {
      database.reach(Coverage.WOKEN_WHILE_ASKED);
    }
    return new Entry(resting(row, now), isWoken ? now : now.plus(pause), null, entry.wokenToken());
  }

  private static InboxRow resting(InboxRow row, Instant now) {
    Instant since = row.pendingSince();
    return new InboxRow(
        row.scope(),
        row.stepKey(),
        row.fingerprint(),
        row.status(),
        row.fencingToken(),
        0,
        row.envelope(),
        row.outcome(),
        since == null ? now : since,
        true);
  }

  @Override
  public WakeResult wake(Connection connection, InboxRow.Id id) throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "wake " + told(Set.of(id)));
    table.lock(tx, id);
    Entry entry = table.get(tx, id);
    if (entry == null) {
      return WakeResult.UNKNOWN;
    }
    InboxRow row = entry.row();
    if (row.status() != InboxRow.Status.STARTED) {
      return WakeResult.ENDED;
    }
    Instant due = row.isResting() ? database.now() : entry.leaseEndsAt();
    table.put(tx, id, new Entry(row, due, null, row.fencingToken()));
    return row.isResting() ? WakeResult.WOKEN : WakeResult.MARKED;
  }

  @Override
  public Set<String> startedTypes(Connection connection) throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "look for the types of what is started");
    return table.all(tx).stream()
        .map(Entry::row)
        .filter(row -> row.envelope() != null)
        .map(MemoryInbox::type)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Override
  public List<InboxRow> takeOver(Connection connection, DueSteps due, Duration lease)
      throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "take over what is due");
    return takeOver(tx, firstOfEachScope(tx, due), lease);
  }

  @Override
  public List<InboxRow> takeOver(Connection connection, InboxRow.Id id, Duration lease)
      throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "take over " + told(Set.of(id)));
    Entry entry = table.tryLock(tx, id) ? table.get(tx, id) : null;
    return isDue(entry, database.now()) ? takeOver(tx, List.of(entry), lease) : List.of();
  }

  @Override
  public List<InboxRow.Id> due(Connection connection, DueSteps due) throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "look for what is due");
    return firstOfEachScope(tx, due).stream().map(entry -> entry.row().id()).toList();
  }

  @Override
  public boolean setAside(Connection connection, InboxRow.Id id, Duration pause)
      throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "set aside " + told(Set.of(id)));
    table.lock(tx, id);
    Entry entry = table.get(tx, id);
    if (!isDue(entry, database.now())) {
      return false;
    }
    Instant until = database.now().plus(pause);
    table.put(tx, id, new Entry(entry.row(), until, null, entry.wokenToken()));
    return true;
  }

  private static boolean isDue(@Nullable Entry entry, Instant now) {
    return entry != null
        && entry.row().envelope() != null
        && entry.leaseEndsAt() != null
        && entry.leaseEndsAt().isBefore(now);
  }

  private List<Entry> firstOfEachScope(SimulatedTransaction tx, DueSteps due) throws SQLException {
    List<Entry> first = new ArrayList<>();
    for (List<Entry> its : dueByScope(tx, due, database.now())) {
      its.stream()
          .sorted(Comparator.comparing(Entry::leaseEndsAt))
          .filter(entry -> table.tryLock(tx, entry.row().id()))
          .limit(due.perScope())
          .forEach(first::add);
    }
    return first;
  }

  private List<InboxRow> takeOver(SimulatedTransaction tx, List<Entry> taken, Duration lease)
      throws SQLException {
    Instant now = database.now();
    for (Entry entry : taken) {
      database.reach(Coverage.LEASE_TAKEN_OVER);
      table.put(tx, entry.row().id(), new Entry(next(entry.row()), now.plus(lease), null));
    }
    return taken.stream().map(entry -> next(entry.row())).toList();
  }

  private List<List<Entry>> dueByScope(SimulatedTransaction tx, DueSteps due, Instant now) {
    SortedMap<String, List<Entry>> byScope = new TreeMap<>(Comparator.reverseOrder());
    String before = due.before();
    for (Entry entry : table.all(tx)) {
      Instant ends = entry.leaseEndsAt();
      String scope = entry.row().scope();
      if (ends != null
          && ends.isBefore(now)
          && entry.row().envelope() != null
          && type(entry.row()).equals(due.type())
          && (before == null || scope.compareTo(before) < 0)
          && !due.without().contains(scope)) {
        byScope.computeIfAbsent(scope, its -> new ArrayList<>()).add(entry);
      }
    }
    return byScope.values().stream().limit(due.scopes()).toList();
  }

  private static String type(InboxRow row) {
    try {
      return Defaults.JSON.readTree(row.envelope()).path("type").asText();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static InboxRow next(InboxRow row) {
    return new InboxRow(
        row.scope(),
        row.stepKey(),
        row.fingerprint(),
        row.status(),
        row.fencingToken() + 1,
        row.attempts() + 1,
        row.envelope(),
        row.outcome(),
        row.pendingSince(),
        false);
  }

  /** When the first lease is over; null when there is none. */
  public @Nullable Instant firstDue() {
    Instant first = null;
    for (Entry entry : table.rows()) {
      Instant ends = entry.leaseEndsAt();
      if (ends != null
          && entry.row().envelope() != null
          && (first == null || ends.isBefore(first))) {
        first = ends;
      }
    }
    return first;
  }

  /** Whether the step of a message has ever had a row, as committed. */
  public boolean hasKnown(Delivery delivery, String step) {
    return everKnown.contains(id(delivery, step));
  }

  /** Whether the step of a message has ended, as committed. */
  public boolean hasEnded(Delivery delivery, String step) {
    Entry entry = table.row(id(delivery, step));
    return entry != null && entry.row().status() != InboxRow.Status.STARTED;
  }

  private static InboxRow.Id id(Delivery delivery, String step) {
    InboundMessage message = InboundMessage.read(delivery);
    return InboxRow.Id.of(message, new StepKey(message.rootKey(), step, message.origin()));
  }

  /** Steps that have not ended, as committed. */
  public Set<String> running() {
    Set<String> running = new TreeSet<>();
    for (Entry entry : table.rows()) {
      if (entry.row().status() == InboxRow.Status.STARTED) {
        running.add(entry.row().stepKey());
      }
    }
    return running;
  }

  /** When a step was stored as done, as committed; null if it was not. */
  public @Nullable Instant doneAt(String scope, String stepKey) {
    Entry entry = table.row(new InboxRow.Id(scope, stepKey));
    String outcome = entry == null ? null : entry.row().outcome();
    return outcome != null
            && StepOutcome.stored(outcome, Defaults.JSON).result() == ReplyOutcome.DONE
        ? entry.endedAt()
        : null;
  }

  /** When the first ended step may be forgotten; null when none has ended. */
  public @Nullable Instant firstExpired(Duration retention) {
    Instant first = null;
    for (Entry entry : table.rows()) {
      Instant ended = entry.endedAt();
      if (ended != null && (first == null || ended.isBefore(first))) {
        first = ended;
      }
    }
    return first == null ? null : first.plus(retention);
  }

  /** Deletes steps that ended longer ago than the retention, as {@link EndedSteps} does. */
  public void deleteExpired(Connection connection, Duration retention) throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "delete ended steps");
    List<Entry> all = table.all(tx);
    Set<String> running = new HashSet<>();
    for (Entry entry : all) {
      if (entry.row().envelope() != null) {
        running.add(saga(entry.row()));
      }
    }
    Instant oldest = database.now().minus(retention);
    for (Entry entry : all) {
      Instant ended = entry.endedAt();
      if (ended != null
          && !ended.isAfter(oldest)
          && !running.contains(saga(entry.row()))
          && table.tryLock(tx, entry.row().id())) {
        table.remove(tx, entry.row().id());
      }
    }
  }

  private static String saga(InboxRow row) {
    return row.scope() + "/" + row.stepKey().substring(0, row.stepKey().lastIndexOf(':'));
  }
}
