package io.onceflow.test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.outbox.Outbox.Transaction;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A repository that breaks a law fails the test of that law. */
class SagaRepositoryLawsCanFailTest {

  @Test
  void aRepositoryThatLocksNothingFails() {
    ParcelLaws laws =
        new ParcelLaws(
            new Parcel.Table() {
              @Override
              public Map<UUID, Parcel> load(Transaction tx, Set<UUID> ids) throws SQLException {
                return load(tx, ids, LOAD.replace("FOR UPDATE", ""));
              }
            });

    assertFails(laws::whatIsLoadedIsLockedUntilTheTransactionEnds);
  }

  @Test
  void aRepositoryThatForgetsAColumnFails() {
    ParcelLaws laws =
        new ParcelLaws(
            new Parcel.Table() {
              @Override
              public void save(Transaction tx, Collection<Parcel> changed) throws SQLException {
                write(
                    tx,
                    "UPDATE parcel SET weight = coalesce(weight, ?), status = ? WHERE id = ?",
                    changed);
              }
            });

    assertFails(laws::whatIsSavedIsLoaded);
  }

  @Test
  void aRepositoryThatSavesEveryRowFails() {
    ParcelLaws laws =
        new ParcelLaws(
            new Parcel.Table() {
              @Override
              public void save(Transaction tx, Collection<Parcel> changed) throws SQLException {
                write(
                    tx,
                    "UPDATE parcel SET weight = ?, status = ? WHERE ?::uuid IS NOT NULL",
                    changed);
              }
            });

    assertFails(laws::onlyWhatIsSavedIsChanged);
  }

  @Test
  void aRepositoryThatCommitsByItselfFails() {
    ParcelLaws laws =
        new ParcelLaws(
            new Parcel.Table() {
              @Override
              public void insert(Transaction tx, Collection<Parcel> subjects) throws SQLException {
                super.insert(tx, subjects);
                tx.connection().commit();
              }
            });

    assertFails(laws::whatIsRolledBackIsNotStored);
  }

  /** Seen red: it passed all laws. */
  @Test
  void aRepositoryThatCommitsWhatItSavesFails() {
    ParcelLaws laws =
        new ParcelLaws(
            new Parcel.Table() {
              @Override
              public void save(Transaction tx, Collection<Parcel> changed) throws SQLException {
                super.save(tx, changed);
                tx.connection().commit();
              }
            });

    assertFails(laws::whatIsSavedAndRolledBackIsAsItWas);
  }

  @Test
  void aRepositoryThatInventsMissingSubjectsFails() {
    ParcelLaws laws =
        new ParcelLaws(
            new Parcel.Table() {
              @Override
              public Map<UUID, Parcel> load(Transaction tx, Set<UUID> ids) throws SQLException {
                Map<UUID, Parcel> loaded = super.load(tx, ids);
                ids.forEach(id -> loaded.putIfAbsent(id, new Parcel(id, 0, "UNKNOWN")));
                return loaded;
              }
            });

    assertFails(laws::subjectsThatDoNotExistAreLeftOut);
  }

  private static void assertFails(ThrowingCallable law) {
    assertThatExceptionOfType(AssertionError.class).isThrownBy(law);
  }
}
