package io.onceflow.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.outbox.PlainUnitOfWork;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.SagaRepository;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every {@link SagaRepository} must do. A repository that an application writes itself, on
 * JDBC, passes by a subclass of this:
 *
 * <pre>{@code
 * class TripRepositoryTest extends SagaRepositoryLaws<Trip> {
 *   private static final DataSource DATABASE = TestPostgres.database("trips", "db/migration");
 *   …
 * }
 * }</pre>
 *
 * @param <D> the subject; two that say the same of themselves are the same, field by field
 */
@Timeout(60)
public abstract class SagaRepositoryLaws<D> {

  /** SQLSTATE {@code lock_not_available}. */
  private static final String LOCKED = "55P03";

  /** The repository. */
  protected abstract SagaRepository<D> repository();

  /** Its database. */
  protected abstract DataSource database();

  /** A subject with an id that no other has, not stored yet. */
  protected abstract D newSubject();

  /** The subject after a reply has changed it; the same one where it is changed in place. */
  protected abstract D changed(D subject);

  @Test
  void whatIsInsertedIsLoaded() throws Exception {
    D subject = inserted();

    assertSame(load(subject), subject);
  }

  @Test
  void whatIsSavedIsLoaded() throws Exception {
    D subject = changed(inserted());

    save(List.of(subject));

    assertSame(load(subject), subject);
  }

  @Test
  void subjectsAreLoadedTogether() throws Exception {
    List<D> subjects = List.of(inserted(), inserted(), inserted());

    Map<UUID, D> loaded = load(ids(subjects));

    assertThat(loaded).containsOnlyKeys(ids(subjects));
    subjects.forEach(it -> assertSame(loaded.get(id(it)), it));
  }

  @Test
  void subjectsThatDoNotExistAreLeftOut() throws Exception {
    D stored = inserted();
    Set<UUID> both = Set.of(id(stored), id(newSubject()));

    assertThat(load(both)).containsOnlyKeys(id(stored));
  }

  @Test
  void onlyWhatIsSavedIsChanged() throws Exception {
    D saved = inserted();
    D other = inserted();

    save(List.of(changed(saved)));

    assertSame(load(other), other);
  }

  @Test
  void emptySetsAreNoError() throws Exception {
    assertThat(load(Set.of())).isEmpty();
    insert(List.of());
    save(List.of());
  }

  @Test
  void whatIsRolledBackIsNotStored() throws Exception {
    D subject = newSubject();

    assertThatThrownBy(
            () ->
                in(
                    tx -> {
                      repository().insert(tx, List.of(subject));
                      throw new IllegalStateException("rolled back");
                    }))
        .hasMessage("rolled back");

    assertThat(load(Set.of(id(subject)))).isEmpty();
  }

  @Test
  void whatIsSavedAndRolledBackIsAsItWas() throws Exception {
    D subject = inserted();
    D before = load(subject);

    assertThatThrownBy(
            () ->
                in(
                    tx -> {
                      repository().save(tx, List.of(changed(subject)));
                      throw new IllegalStateException("rolled back");
                    }))
        .hasMessage("rolled back");

    assertSame(load(subject), before);
  }

  @Test
  void whatIsLoadedIsLockedUntilTheTransactionEnds() throws Exception {
    D subject = inserted();

    assertThatThrownBy(
            () ->
                in(
                    tx -> {
                      repository().load(tx, Set.of(id(subject)));
                      return elsewhere(() -> loadWithoutWaiting(subject));
                    }))
        .as("a second transaction that loads the subject waits for the first")
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(LOCKED));

    assertThat(loadWithoutWaiting(subject)).containsOnlyKeys(id(subject));
  }

  private Map<UUID, D> loadWithoutWaiting(D subject) throws SQLException {
    return in(
        tx -> {
          try (Statement statement = tx.connection().createStatement()) {
            statement.execute("SET LOCAL lock_timeout = '50ms'");
          }
          return repository().load(tx, Set.of(id(subject)));
        });
  }

  /**
   * On another thread; what it throws has an {@link SQLException} as its cause, or it has failed.
   */
  private static <T> T elsewhere(Callable<T> work) throws SQLException {
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      return thread.submit(work).get();
    } catch (ExecutionException e) {
      for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
        if (cause instanceof SQLException refused) {
          throw refused;
        }
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private D inserted() throws SQLException {
    D subject = newSubject();
    insert(List.of(subject));
    return subject;
  }

  private void insert(Collection<D> subjects) throws SQLException {
    in(
        tx -> {
          repository().insert(tx, subjects);
          return tx;
        });
  }

  private void save(Collection<D> subjects) throws SQLException {
    in(
        tx -> {
          repository().save(tx, subjects);
          return tx;
        });
  }

  private D load(D subject) throws SQLException {
    Map<UUID, D> loaded = load(Set.of(id(subject)));
    assertThat(loaded).containsOnlyKeys(id(subject));
    return loaded.get(id(subject));
  }

  private Map<UUID, D> load(Set<UUID> ids) throws SQLException {
    return in(tx -> repository().load(tx, ids));
  }

  private <T> T in(UnitOfWork.Work<T> work) throws SQLException {
    return PlainUnitOfWork.on(database()).call(work);
  }

  private UUID id(D subject) {
    return repository().id(subject);
  }

  private Set<UUID> ids(Collection<D> subjects) {
    return subjects.stream().map(this::id).collect(Collectors.toSet());
  }

  private void assertSame(D loaded, D expected) {
    assertThat(loaded).usingRecursiveComparison().isEqualTo(expected);
  }
}
