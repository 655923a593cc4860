package io.onceflow.inbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.inbox.internal.DueSteps;
import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.InboxStore;
import io.onceflow.inbox.internal.InboxTable;
import io.onceflow.inbox.internal.call.CallBackoff;
import io.onceflow.inbox.internal.call.LaneCallExecutor;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.inbox.internal.participant.ParticipantDependencies;
import io.onceflow.outbox.LeakyUnitOfWork;
import io.onceflow.outbox.PlainUnitOfWork;
import io.onceflow.participant.PendingSteps;
import io.onceflow.participant.internal.HandlerMethods;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Participants with one guard taken out each, for kits to find out. */
public final class BrokenParticipants {

  private static final Instant BEFORE_ALL_EXPIRY = Instant.parse("2001-01-01T00:00:00Z");

  private BrokenParticipants() {}

  /** Makes one. */
  @FunctionalInterface
  public interface Make {

    /** As {@link TestParticipants#on}. */
    Participant on(DataSource database, ObjectMapper json, HandlerMethods handlers);
  }

  /** Rule 4 taken out: completes whatever is started, whoever has the lease. */
  public static Participant withoutFence(
      DataSource database, ObjectMapper json, HandlerMethods handlers) {
    return on(database, json, handlers, new WithoutFence(database));
  }

  /** Rules 5 and 12 taken out: takes everything for new. */
  public static Participant forgetful(
      DataSource database, ObjectMapper json, HandlerMethods handlers) {
    return on(database, json, handlers, new Forgetful(database));
  }

  /** Rule 6 taken out: leaves nothing in the place of an action that has not come. */
  public static Participant withoutTombstones(
      DataSource database, ObjectMapper json, HandlerMethods handlers) {
    return on(database, json, handlers, new WithoutTombstones(database));
  }

  /** Rule 6 taken out: takes an action that is under way for one that will never happen. */
  public static Participant impatient(
      DataSource database, ObjectMapper json, HandlerMethods handlers) {
    return on(database, json, handlers, new Impatient(database));
  }

  /** Rule 1 taken out: replies are committed by themselves. */
  public static Participant leaky(DataSource database, ObjectMapper json, HandlerMethods handlers) {
    return new Participant(
        TestParticipants.environment(LeakyUnitOfWork.on(database), json, Clock.systemUTC()),
        handlers);
  }

  /** Rule 11 taken out: to its clock nothing has expired yet. */
  public static Participant patient(
      DataSource database, ObjectMapper json, HandlerMethods handlers) {
    Clock clock = Clock.fixed(BEFORE_ALL_EXPIRY, ZoneOffset.UTC);
    return new Participant(
        TestParticipants.environment(PlainUnitOfWork.on(database), json, clock), handlers);
  }

  private static Participant on(
      DataSource database, ObjectMapper json, HandlerMethods handlers, InboxStore inbox) {
    Participant.Environment environment =
        TestParticipants.environment(PlainUnitOfWork.on(database), json, Clock.systemUTC());
    ParticipantDependencies dependencies =
        ParticipantDependencies.of(
            environment,
            handlers,
            inbox,
            new CallBackoff(TestParticipants.CONFIG.callOut()),
            System::nanoTime);
    return new Participant(
        environment,
        dependencies,
        participant ->
            new LaneCallExecutor(
                TestParticipants.CONFIG,
                participant.consumer()::accept,
                new SimpleMeterRegistry()));
  }

  private static class Delegating implements InboxStore {

    private final InboxTable table;

    Delegating(DataSource database) {
      table = new InboxTable(database);
    }

    @Override
    public Map<InboxRow.Id, InboxRow> find(Connection connection, Set<InboxRow.Id> ids)
        throws SQLException {
      return table.find(connection, ids);
    }

    @Override
    public Set<InboxRow.Id> insert(Connection connection, Map<InboxRow, Duration> leases)
        throws SQLException {
      return table.insert(connection, leases);
    }

    @Override
    public Set<InboxRow.Id> complete(Connection connection, Map<InboxRow, String> outcomes)
        throws SQLException {
      return table.complete(connection, outcomes);
    }

    @Override
    public Set<InboxRow.Id> store(Connection connection, Map<InboxRow, String> envelopes)
        throws SQLException {
      return table.store(connection, envelopes);
    }

    @Override
    public Set<InboxRow.Id> startAgain(Connection connection, Map<InboxRow, String> envelopes)
        throws SQLException {
      return table.startAgain(connection, envelopes);
    }

    @Override
    public Set<InboxRow.Id> postpone(Connection connection, Map<InboxRow, Duration> pauses)
        throws SQLException {
      return table.postpone(connection, pauses);
    }

    @Override
    public Set<InboxRow.Id> rest(Connection connection, Map<InboxRow, Duration> pauses)
        throws SQLException {
      return table.rest(connection, pauses);
    }

    @Override
    public PendingSteps.Result wake(Connection connection, InboxRow.Id id) throws SQLException {
      return table.wake(connection, id);
    }

    @Override
    public Set<String> startedTypes(Connection connection) throws SQLException {
      return table.startedTypes(connection);
    }

    @Override
    public List<InboxRow> takeOver(Connection connection, DueSteps due, Duration lease)
        throws SQLException {
      return table.takeOver(connection, due, lease);
    }

    @Override
    public List<InboxRow.Id> due(Connection connection, DueSteps due) throws SQLException {
      return table.due(connection, due);
    }

    @Override
    public List<InboxRow> takeOver(Connection connection, InboxRow.Id id, Duration lease)
        throws SQLException {
      return table.takeOver(connection, id, lease);
    }

    @Override
    public boolean setAside(Connection connection, InboxRow.Id id, Duration pause)
        throws SQLException {
      return table.setAside(connection, id, pause);
    }
  }

  private static final class WithoutFence extends Delegating {

    WithoutFence(DataSource database) {
      super(database);
    }

    private static final String COMPLETE =
        """
        UPDATE inbox_message
        SET    status = 'COMPLETED', outcome = ?::json, completed_at = now(),
               lease_expires_at = NULL, envelope = NULL
        WHERE  scope = ?
        AND    step_key = ?
        AND    status = 'STARTED'
        """;

    @Override
    public Set<InboxRow.Id> complete(Connection connection, Map<InboxRow, String> outcomes)
        throws SQLException {
      Set<InboxRow.Id> completed = new HashSet<>();
      try (PreparedStatement update = connection.prepareStatement(COMPLETE)) {
        for (var outcome : outcomes.entrySet()) {
          update.setString(1, outcome.getValue());
          update.setString(2, outcome.getKey().scope());
          update.setString(3, outcome.getKey().stepKey());
          if (update.executeUpdate() == 1) {
            completed.add(outcome.getKey().id());
          }
        }
      }
      return completed;
    }
  }

  private static final class WithoutTombstones extends Delegating {

    WithoutTombstones(DataSource database) {
      super(database);
    }

    @Override
    public Set<InboxRow.Id> insert(Connection connection, Map<InboxRow, Duration> leases)
        throws SQLException {
      Map<InboxRow, Duration> others = new LinkedHashMap<>(leases);
      others.keySet().removeIf(row -> row.status() == InboxRow.Status.TOMBSTONE);
      Set<InboxRow.Id> inserted = new HashSet<>(super.insert(connection, others));
      leases.keySet().stream()
          .filter(row -> row.status() == InboxRow.Status.TOMBSTONE)
          .forEach(row -> inserted.add(row.id()));
      return inserted;
    }
  }

  private static final class Impatient extends Delegating {

    Impatient(DataSource database) {
      super(database);
    }

    @Override
    public Map<InboxRow.Id, InboxRow> find(Connection connection, Set<InboxRow.Id> ids)
        throws SQLException {
      Map<InboxRow.Id, InboxRow> found = new HashMap<>(super.find(connection, ids));
      found.replaceAll(
          (id, row) -> row.status() == InboxRow.Status.STARTED ? InboxRow.tombstone(id) : row);
      return found;
    }
  }

  private static final class Forgetful extends Delegating {

    Forgetful(DataSource database) {
      super(database);
    }

    @Override
    public Map<InboxRow.Id, InboxRow> find(Connection connection, Set<InboxRow.Id> ids) {
      return Map.of();
    }

    @Override
    public Set<InboxRow.Id> insert(Connection connection, Map<InboxRow, Duration> leases)
        throws SQLException {
      super.insert(connection, leases);
      return leases.keySet().stream().map(InboxRow::id).collect(Collectors.toSet());
    }

    @Override
    public Set<InboxRow.Id> complete(Connection connection, Map<InboxRow, String> outcomes)
        throws SQLException {
      super.complete(connection, outcomes);
      return outcomes.keySet().stream().map(InboxRow::id).collect(Collectors.toSet());
    }
  }
}
