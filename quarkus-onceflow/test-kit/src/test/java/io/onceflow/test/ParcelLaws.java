package io.onceflow.test;

import io.onceflow.saga.SagaRepository;
import java.util.UUID;
import javax.sql.DataSource;

/** The laws, for a repository of parcels. */
class ParcelLaws extends SagaRepositoryLaws<Parcel> {

  private static final DataSource DATABASE = TestPostgres.database("parcels", "db/parcels");

  private final SagaRepository<Parcel> repository;

  ParcelLaws(SagaRepository<Parcel> repository) {
    this.repository = repository;
  }

  @Override
  protected SagaRepository<Parcel> repository() {
    return repository;
  }

  @Override
  protected DataSource database() {
    return DATABASE;
  }

  @Override
  protected Parcel newSubject() {
    return new Parcel(UUID.randomUUID(), 250, "NEW");
  }

  @Override
  protected Parcel changed(Parcel subject) {
    return new Parcel(subject.id(), subject.weight() + 1, "WEIGHED");
  }
}
