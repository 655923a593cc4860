package io.onceflow.test;

/** A repository that keeps the laws passes them. */
class SagaRepositoryLawsTest extends ParcelLaws {

  SagaRepositoryLawsTest() {
    super(new Parcel.Table());
  }
}
