package io.onceflow.simulation.inbox;

import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.internal.DueSteps;
import io.onceflow.inbox.internal.EndedSteps;
import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.InboxStore;
import io.onceflow.inbox.internal.InboxTable;
import io.onceflow.inbox.internal.StepOutcome;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.participant.PendingSteps;
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
  private final Table<InboxRow.Id, InboxEntry> table = new Table<>();
  private final Set<InboxRow.Id> everKnown = new HashSet<>();
  private final InboxWatch watch;

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
        InboxEntry entry = table.get(tx, id);
        if (entry != null) {
          found.put(id, entry.seen(database.now()));
        }
      }
    }
    return found;
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
        Duration lease = leases.getOrDefault(row, Duration.ZERO);
        if (table.putIfAbsent(tx, row.id(), InboxEntry.fresh(row, lease, database.now()))) {
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
        InboxEntry entry = table.get(tx, own.id());
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

  private InboxEntry ended(InboxRow row, String outcome) {
    return new InboxEntry(row.ended(outcome), null, database.now());
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
        InboxEntry entry = table.get(tx, known.id());
        if (entry != null
            && entry.row().status() == InboxRow.Status.STARTED
            && entry.row().fencingToken() == known.fencingToken()
            && !entry.isStored()) {
          table.put(tx, known.id(), entry.stored(envelopes.get(known)));
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
        InboxEntry entry = table.get(tx, known.id());
        if (entry != null
            && entry.row().status() == InboxRow.Status.COMPLETED
            && entry.row().fencingToken() == known.fencingToken()) {
          InboxRow again = entry.row().startedAgain(envelopes.get(known));
          table.put(tx, known.id(), new InboxEntry(again, database.now(), null));
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
        (entry, own) -> entry.postponed(own, database.now().plus(pauses.get(own))));
  }

  @Override
  public Set<InboxRow.Id> rest(Connection connection, Map<InboxRow, Duration> pauses)
      throws SQLException {
    return putOff(
        connection,
        "let rest ",
        pauses.keySet(),
        (entry, own) -> atRest(entry, own, pauses.get(own)));
  }

  private Set<InboxRow.Id> putOff(
      Connection connection,
      String what,
      Set<InboxRow> rows,
      BiFunction<InboxEntry, InboxRow, InboxEntry> to)
      throws SQLException {
    Set<InboxRow.Id> changed = new HashSet<>();
    if (!rows.isEmpty()) {
      SimulatedTransaction tx = SimulatedTransaction.of(connection);
      tx.statement(() -> what + told(rows.stream().map(InboxRow::id).toList()));
      for (InboxRow own : rows.stream().sorted(Comparator.comparing(InboxRow::id)).toList()) {
        table.lock(tx, own.id());
        InboxEntry entry = table.get(tx, own.id());
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

  private InboxEntry atRest(InboxEntry entry, InboxRow own, Duration pause) {
    Instant now = database.now();
    boolean isWoken = entry.wokenToken() == entry.row().fencingToken();
    if (isWoken) {
      database.reach(Coverage.WOKEN_WHILE_ASKED);
    }
    return entry.atRest(own, isWoken ? now : now.plus(pause), now);
  }

  @Override
  public PendingSteps.Result wake(Connection connection, InboxRow.Id id) throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "wake " + told(Set.of(id)));
    table.lock(tx, id);
    InboxEntry entry = table.get(tx, id);
    if (entry == null) {
      return PendingSteps.Result.UNKNOWN;
    }
    InboxRow row = entry.row();
    if (row.status() != InboxRow.Status.STARTED) {
      return PendingSteps.Result.ENDED;
    }
    Instant due = row.isResting() ? database.now() : entry.leaseEndsAt();
    table.put(tx, id, new InboxEntry(row, due, null, row.fencingToken()));
    return row.isResting() ? PendingSteps.Result.WOKEN : PendingSteps.Result.UNDER_WAY;
  }

  @Override
  public Set<String> startedTypes(Connection connection) throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "look for the types of what is started");
    return table.all(tx).stream()
        .filter(InboxEntry::isStored)
        .map(InboxEntry::type)
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
    InboxEntry entry = table.tryLock(tx, id) ? table.get(tx, id) : null;
    return entry != null && entry.isDue(database.now())
        ? takeOver(tx, List.of(entry), lease)
        : List.of();
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
    InboxEntry entry = table.get(tx, id);
    if (entry == null || !entry.isDue(database.now())) {
      return false;
    }
    table.put(tx, id, entry.until(database.now().plus(pause)));
    return true;
  }

  private List<InboxEntry> firstOfEachScope(SimulatedTransaction tx, DueSteps due)
      throws SQLException {
    List<InboxEntry> first = new ArrayList<>();
    for (List<InboxEntry> its : dueByScope(tx, due, database.now())) {
      its.stream()
          .sorted(Comparator.comparing(InboxEntry::leaseEndsAt))
          .filter(entry -> table.tryLock(tx, entry.row().id()))
          .limit(due.perScope())
          .forEach(first::add);
    }
    return first;
  }

  private List<InboxRow> takeOver(SimulatedTransaction tx, List<InboxEntry> due, Duration lease)
      throws SQLException {
    Instant ends = database.now().plus(lease);
    List<InboxRow> taken = new ArrayList<>();
    for (InboxEntry entry : due) {
      database.reach(Coverage.LEASE_TAKEN_OVER);
      InboxEntry next = entry.taken(ends);
      table.put(tx, next.row().id(), next);
      taken.add(next.row());
    }
    return taken;
  }

  private List<List<InboxEntry>> dueByScope(SimulatedTransaction tx, DueSteps due, Instant now) {
    SortedMap<String, List<InboxEntry>> byScope = new TreeMap<>(Comparator.reverseOrder());
    String before = due.before();
    for (InboxEntry entry : table.all(tx)) {
      String scope = entry.row().scope();
      if (entry.isDue(now)
          && entry.type().equals(due.type())
          && (before == null || scope.compareTo(before) < 0)
          && !due.without().contains(scope)) {
        byScope.computeIfAbsent(scope, its -> new ArrayList<>()).add(entry);
      }
    }
    return byScope.values().stream().limit(due.scopes()).toList();
  }

  /** When the first lease is over; null when there is none. */
  public @Nullable Instant firstDue() {
    Instant first = null;
    for (InboxEntry entry : table.rows()) {
      Instant ends = entry.leaseEndsAt();
      if (ends != null && entry.isStored() && (first == null || ends.isBefore(first))) {
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
    InboxEntry entry = table.row(id(delivery, step));
    return entry != null && entry.row().status() != InboxRow.Status.STARTED;
  }

  private static InboxRow.Id id(Delivery delivery, String step) {
    InboundMessage message = InboundMessage.read(delivery);
    return InboxRow.Id.of(message, new StepKey(message.rootKey(), step, message.origin()));
  }

  /** Steps that have not ended, as committed. */
  public Set<String> running() {
    Set<String> running = new TreeSet<>();
    for (InboxEntry entry : table.rows()) {
      if (entry.row().status() == InboxRow.Status.STARTED) {
        running.add(entry.row().stepKey());
      }
    }
    return running;
  }

  /** When a step was stored as done, as committed; null if it was not. */
  public @Nullable Instant doneAt(String scope, String stepKey) {
    InboxEntry entry = table.row(new InboxRow.Id(scope, stepKey));
    String outcome = entry == null ? null : entry.row().outcome();
    return outcome != null
            && StepOutcome.stored(outcome, Defaults.JSON).result() == ReplyOutcome.DONE
        ? entry.endedAt()
        : null;
  }

  /** When the first ended step may be forgotten; null when none has ended. */
  public @Nullable Instant firstExpired(Duration retention) {
    Instant first = null;
    for (InboxEntry entry : table.rows()) {
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
    List<InboxEntry> all = table.all(tx);
    Set<String> running = new HashSet<>();
    for (InboxEntry entry : all) {
      if (entry.isStored()) {
        running.add(entry.saga());
      }
    }
    Instant oldest = database.now().minus(retention);
    for (InboxEntry entry : all) {
      Instant ended = entry.endedAt();
      if (ended != null
          && !ended.isAfter(oldest)
          && !running.contains(entry.saga())
          && table.tryLock(tx, entry.row().id())) {
        table.remove(tx, entry.row().id());
      }
    }
  }
}
