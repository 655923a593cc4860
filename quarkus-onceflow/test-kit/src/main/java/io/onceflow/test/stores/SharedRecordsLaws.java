package io.onceflow.test.stores;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.Idempotent.Mode;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.CompletedResponse;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.internal.store.SharedRecords;
import io.onceflow.idempotency.internal.store.SharedRecords.Decided;
import io.onceflow.idempotency.internal.store.SharedRecords.WriteResult;
import io.onceflow.idempotency.internal.store.StoredResponse;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a store that can share commits must do with many records at once. */
@Timeout(60)
@SuppressWarnings("this-escape") // making a request reads nothing of a subclass
public abstract class SharedRecordsLaws extends StoreUnderTest {

  private final ClaimRequest mine =
      new ClaimRequest(key, PRINT, operation, Mode.SHARED, LEASE, KEPT);

  @Test
  public void manyAreKeptAndFoundWithTheirExactBytes() throws Exception {
    List<Decided> decided = IntStream.range(0, 70).mapToObj(i -> decided("answer " + i)).toList();
    keep(decided);
    for (Decided one : decided) {
      assertThat(ask(one.request()))
          .isInstanceOfSatisfying(
              Claim.Done.class,
              done -> {
                assertThat(done.kept().response().body()).isEqualTo(one.response().body());
                assertThat(done.kept().response().headers()).isEqualTo(one.response().headers());
                assertThat(done.kept().response().status()).isEqualTo(one.response().status());
              });
    }
  }

  @Test
  public void eachHasATokenOfItsOwnAndExpiresWhenItsOperationSays() throws Exception {
    List<WriteResult> kept = keep(List.of(decided("one"), decided("two")));
    assertThat(kept.stream().map(it -> ((WriteResult.Written) it).own().token()).distinct())
        .hasSize(2);
    assertThat(kept)
        .allSatisfy(
            it -> {
              WriteResult.Written one = (WriteResult.Written) it;
              assertThat(one.response().token()).isEqualTo(one.own().token());
              assertThat(find(one.own().key()).expiresAt()).isEqualTo(one.response().expiresAt());
            });
  }

  @Test
  public void nothingIsKeptOfWhatIsRolledBack() throws Exception {
    try (OneProcess process = process()) {
      process.begin();
      assertThat(shared(process).write(List.of(decided(mine, "never sent"))))
          .hasOnlyElementsOfType(WriteResult.Written.class);
      process.rollBack();
    }
    assertThat(ask(mine)).isInstanceOf(Claim.Won.class);
  }

  @Test
  public void whatIsKnownIsToldAndTheOthersAreKept() throws Exception {
    run(Mode.TRANSACTIONAL, response("first"));
    List<WriteResult> results = keep(List.of(decided("a"), decided(mine, "late"), decided("b")));
    assertThat(results.get(0)).isInstanceOf(WriteResult.Written.class);
    assertThat(body(results.get(1))).isEqualTo("first");
    assertThat(results.get(2)).isInstanceOf(WriteResult.Written.class);
    assertThat(find(Mode.SHARED).body()).isEqualTo("first".getBytes(UTF_8));
  }

  @Test
  public void anotherRequestUnderTheKeyIsTold() throws Exception {
    run(Mode.TRANSACTIONAL, response("first"));
    Decided other = decided(request(Mode.SHARED, OTHER), "other");
    assertThat(keep(List.of(other))).containsExactly(new WriteResult.Conflict(new Claim.Reused()));
    try (OneProcess process = process()) {
      assertThat(shared(process).find(List.of(other.request())))
          .isEqualTo(Map.of(other.request(), new Claim.Reused()));
    }
  }

  /** Would not end if the group waited: both are held by one thread. */
  @Test
  public void whatOthersWorkAtIsToldWithoutWaiting() throws Exception {
    try (OneProcess other = process()) {
      Ownership own = start(other, Mode.TRANSACTIONAL);
      WriteResult before = keep(List.of(decided("a"), decided(mine, "late"))).get(1);
      other.store().complete(own, response("done, but not committed"));
      WriteResult after = keep(List.of(decided(mine, "late"), decided("b"))).getFirst();
      assertThat(List.of(before, after))
          .containsOnly(new WriteResult.Conflict(Claim.InProgress.unseen()));
    }
  }

  @Test
  public void twoGroupsWithTheSameKeysDoNotWaitForEachOther() throws Exception {
    Decided a = decided("a");
    Decided b = decided("b");
    CyclicBarrier kept = new CyclicBarrier(2);
    List<List<WriteResult>> both =
        together(
            2,
            () -> {
              try (OneProcess process = process()) {
                process.begin();
                List<WriteResult> results = shared(process).write(List.of(a, b));
                kept.await();
                process.commit();
                return results;
              }
            });
    for (int i = 0; i < 2; i++) {
      assertThat(List.of(both.get(0).get(i), both.get(1).get(i)))
          .filteredOn(WriteResult.Written.class::isInstance)
          .hasSizeLessThanOrEqualTo(1);
    }
    assertThat(both.stream().flatMap(List::stream)).anyMatch(WriteResult.Written.class::isInstance);
  }

  @Test
  public void anExpiredOneIsAsNew() throws Exception {
    run(Mode.TRANSACTIONAL, response("old"));
    expire(key);
    try (OneProcess process = process()) {
      assertThat(shared(process).find(List.of(mine))).isEmpty();
    }
    assertThat(keep(List.of(decided("a"), decided(mine, "new"))))
        .hasOnlyElementsOfType(WriteResult.Written.class);
    assertThat(find(Mode.SHARED).body()).isEqualTo("new".getBytes(UTF_8));
  }

  @Test
  public void anEndedLeaseIsTakenOver() throws Exception {
    try (OneProcess dying = process()) {
      win(dying, Mode.LEASED);
    }
    assertThat(keep(List.of(decided(mine, "too early"))))
        .singleElement()
        .isInstanceOf(WriteResult.Conflict.class);
    endLease(key);
    try (OneProcess process = process()) {
      assertThat(shared(process).find(List.of(mine))).isEmpty();
    }
    assertThat(keep(List.of(decided("a"), decided(mine, "done anew"))).get(1))
        .isInstanceOfSatisfying(
            WriteResult.Written.class, kept -> assertThat(kept.own().isTakenOver()).isTrue());
    assertThat(find(Mode.SHARED).body()).isEqualTo("done anew".getBytes(UTF_8));
  }

  @Test
  public void whatIsKnownIsFoundByOneLook() throws Exception {
    keep(List.of(decided(mine, "done")));
    ClaimRequest unknown = decided("never").request();
    try (OneProcess process = process()) {
      Map<ClaimRequest, Claim> found = shared(process).find(List.of(unknown, mine));
      assertThat(found).containsOnlyKeys(mine);
      assertThat(found.get(mine)).isInstanceOf(Claim.Done.class);
    }
  }

  public List<WriteResult> keep(List<Decided> decided) throws Exception {
    try (OneProcess process = process()) {
      process.begin();
      List<WriteResult> results = shared(process).write(decided);
      process.commit();
      return results;
    }
  }

  public static SharedRecords shared(OneProcess process) {
    return process.store().shared().orElseThrow();
  }

  private CompletedResponse find(ScopedKey its) throws Exception {
    Claim claim = ask(new ClaimRequest(its, PRINT, operation, Mode.SHARED, LEASE, KEPT));
    return ((Claim.Done) claim).kept();
  }

  private Decided decided(String body) {
    ScopedKey fresh = new ScopedKey("user", new IdempotencyKey(UUID.randomUUID().toString()));
    return decided(new ClaimRequest(fresh, PRINT, operation, Mode.SHARED, LEASE, KEPT), body);
  }

  private static Decided decided(ClaimRequest request, String body) {
    return new Decided(
        request,
        new StoredResponse(
            201, Map.of("X-Quoted", List.of("\"a\\b\"", "{ž}, NULL")), body.getBytes(UTF_8)));
  }

  private static String body(WriteResult keeping) {
    Claim claim = ((WriteResult.Conflict) keeping).claim();
    return new String(((Claim.Done) claim).kept().response().body(), UTF_8);
  }
}
