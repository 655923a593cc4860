package io.onceflow.saga.internal.store.view;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.view.SagaFilter.Attribute;
import io.onceflow.saga.internal.store.view.SagaFilter.Business;
import io.onceflow.saga.internal.store.view.SagaFilter.Definition;
import io.onceflow.saga.internal.store.view.SagaFilter.Page;
import io.onceflow.saga.internal.store.view.SagaFilter.Started;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A filter with one part changed, and what it finds. */
record Wanted(SagaFilter filter) {

  private static final Started ANY_TIME = new Started(null, null, null);
  private static final Page NEWEST = new Page(null, true, 10);

  static List<UUID> found(Wanted wanted) throws SQLException {
    return find(wanted).stream().map(SagaSummary::id).toList();
  }

  static List<SagaSummary> find(Wanted wanted) throws SQLException {
    return SagaDatabase.inTransaction(tx -> SagaList.find(tx, wanted.filter()));
  }

  static int count(Wanted wanted) throws SQLException {
    return SagaDatabase.inTransaction(tx -> SagaList.count(tx, wanted.filter()));
  }

  static Wanted any() {
    return new Wanted(
        new SagaFilter(
            null,
            new Definition(null, null),
            null,
            null,
            null,
            false,
            ANY_TIME,
            Business.ANY,
            NEWEST));
  }

  Wanted status(@Nullable SagaStatus status) {
    return with(it -> copy(it, status, it.definition(), it.step(), it.reason(), it.overdue()));
  }

  Wanted definition(Definition definition) {
    return with(it -> copy(it, it.status(), definition, it.step(), it.reason(), it.overdue()));
  }

  Wanted step(String step) {
    return with(it -> copy(it, it.status(), it.definition(), step, it.reason(), it.overdue()));
  }

  Wanted reason(String reason) {
    return with(it -> copy(it, it.status(), it.definition(), it.step(), reason, it.overdue()));
  }

  Wanted attribute(String nameAndValue) {
    return attribute(Attribute.of(nameAndValue).orElseThrow());
  }

  Wanted attribute(Attribute attribute) {
    return business(new Business(null, null, attribute));
  }

  Wanted overdue() {
    return with(it -> copy(it, it.status(), it.definition(), it.step(), it.reason(), true));
  }

  Wanted started(Started started) {
    return with(it -> parts(it, started, it.business(), it.page()));
  }

  Wanted business(Business business) {
    return with(it -> parts(it, it.started(), business, it.page()));
  }

  Wanted page(Page page) {
    return with(it -> parts(it, it.started(), it.business(), page));
  }

  private Wanted with(UnaryOperator<SagaFilter> change) {
    return new Wanted(change.apply(filter));
  }

  private static SagaFilter copy(
      SagaFilter it,
      @Nullable SagaStatus status,
      Definition definition,
      @Nullable String step,
      @Nullable String reason,
      boolean overdue) {
    return new SagaFilter(
        status,
        definition,
        step,
        reason,
        it.quarantined(),
        overdue,
        it.started(),
        it.business(),
        it.page());
  }

  private static SagaFilter parts(SagaFilter it, Started started, Business business, Page page) {
    return new SagaFilter(
        it.status(),
        it.definition(),
        it.step(),
        it.reason(),
        it.quarantined(),
        it.overdue(),
        started,
        business,
        page);
  }
}
