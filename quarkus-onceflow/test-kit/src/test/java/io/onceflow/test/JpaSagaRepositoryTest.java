package io.onceflow.test;

import io.onceflow.saga.SagaRepository;
import io.onceflow.saga.internal.jpa.JpaSagaRepository;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;
import javax.sql.DataSource;

/** Subjects that are JPA entities are kept by the same laws as those that an application writes. */
class JpaSagaRepositoryTest extends SagaRepositoryLaws<JpaSagaRepositoryTest.ParcelEntity> {

  private static final DataSource DATABASE = TestPostgres.database("parcels", "db/parcels");

  private static final SagaRepository<ParcelEntity> REPOSITORY =
      new JpaSagaRepository<>(JpaEntities.on(DATABASE, ParcelEntity.class).of(ParcelEntity.class));

  /** An entity as an application writes one. */
  @Entity
  @Table(name = "parcel")
  static class ParcelEntity {
    @Id UUID id = UUID.randomUUID();
    long weight = 250;
    String status = "NEW";
  }

  @Override
  protected SagaRepository<ParcelEntity> repository() {
    return REPOSITORY;
  }

  @Override
  protected DataSource database() {
    return DATABASE;
  }

  @Override
  protected ParcelEntity newSubject() {
    return new ParcelEntity();
  }

  @Override
  protected ParcelEntity changed(ParcelEntity parcel) {
    parcel.weight++;
    parcel.status = "WEIGHED";
    return parcel;
  }
}
