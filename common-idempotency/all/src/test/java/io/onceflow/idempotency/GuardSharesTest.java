package io.onceflow.idempotency;

import static io.onceflow.idempotency.GuardRefusesTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.idempotency.internal.execution.SharedGroups;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Requests that share a commit, with company that does them good or not. A first one is held in its
 * writer; those that come meanwhile are the next group.
 */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(60)
class GuardSharesTest extends GuardedThings {

  private static final int COMPANY = 5;

  @Inject SharedThings shared;
  @Inject SharedGroups groups;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @Override
  @BeforeEach
  void adaCalls() {
    ada = SharedThings.caller(server);
  }

  @AfterEach
  void letAllGo() {
    runs.close(SharedThings.WRITER);
    runs.open(SharedThings.WRITER);
  }

  @Test
  void allThatCameMeanwhileAreOneCommit() throws Exception {
    List<Answer> answers = inOneGroup(company());
    assertThat(answers).extracting(Answer::status).containsOnly(201);
    assertThat(answers.stream().map(Answer::text).distinct()).hasSize(COMPANY);
    assertThat(commitsOfCompany()).isEqualTo(1);
    assertCompanyIsReplayed(answers);
  }

  @Test
  void oneWhoseWriterFailsCostsOnlyItself() throws Exception {
    List<Callable<Answer>> group = company();
    String spoilt = SharedThings.SPOILT + name;
    group.add(2, () -> ada.post("/things", key, named(spoilt)));
    List<Answer> answers = inOneGroup(group);
    assertThat(answers.remove(2).status()).isEqualTo(500);
    assertThat(records()).isZero();
    assertThat(answers).extracting(Answer::status).containsOnly(201);
    assertThat(commitsOfCompany()).isEqualTo(COMPANY);
    assertCompanyIsReplayed(answers);
  }

  /** A deadlock or a serialization failure ends one transaction; the next attempt succeeds. */
  @Test
  void oneThatLosesARaceIsTriedAgainAlone() throws Exception {
    String raced = SharedThings.RACED + name;
    assertThat(ada.post("/things", key, named(raced)).status()).isEqualTo(201);
    assertThat(ORDERS.number("SELECT count(*) FROM thing WHERE name = ?", raced)).isEqualTo(1);
    assertThat(runs.of(raced)).isEqualTo(1);
  }

  @Test
  void oneThatLosesEveryRaceIsToBeRepeatedLater() throws Exception {
    Answer answer = ada.post("/things", key, named(SharedThings.ALWAYS_RACED + name));
    assertProblem(answer, 503, "store-unavailable");
    assertNothingKept();
  }

  @Test
  void oneThatCannotCommitCostsOnlyItself() throws Exception {
    List<Callable<Answer>> group = company();
    group.add(2, () -> ada.post("/things/doomed-at-commit", key, body));
    List<Answer> answers = inOneGroup(group);
    Answer doomed = answers.remove(2);
    assertThat(doomed.status()).isEqualTo(500);
    assertThat(doomed.text()).contains("IdempotencyUnusable", key);
    assertNothingKept();
    assertThat(answers).extracting(Answer::status).containsOnly(201);
    assertCompanyIsReplayed(answers);
  }

  @Test
  void oneThatIsRefusedIsNotAmongThem() throws Exception {
    List<Callable<Answer>> group = company();
    group.add(2, () -> ada.post("/things/refused-and-kept", key, body));
    List<Answer> answers = inOneGroup(group);
    Answer refused = answers.remove(2);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(List.of(things(), messages(), records())).containsExactly(0L, 0L, 1L);
    Answer again = ada.post("/things/refused-and-kept", key, body);
    assertThat(again.isReplay()).isTrue();
    assertThat(again.bytes()).isEqualTo(refused.bytes());
    assertThat(runs.of(name)).isEqualTo(1);
    assertThat(answers).extracting(Answer::status).containsOnly(201);
    assertThat(commitsOfCompany()).isEqualTo(1);
  }

  /** The outcome of the commit is unknown; each request may be repeated, and is done once. */
  @Test
  void aConnectionThatBreaksInTheMidstIsEverybodysFailure() throws Exception {
    List<Callable<Answer>> group = company();
    group.add(() -> ada.post("/things/connection-lost", key, body));
    List<Answer> answers = inOneGroup(group);
    for (Answer answer : answers) {
      assertProblem(answer, 503, "outcome-unknown");
      assertThat(answer.header("Retry-After")).isNotNull();
    }
    assertThat(companysThings()).isZero();
    assertNothingKept();
    for (Callable<Answer> one : company()) {
      assertThat(one.call().status()).isEqualTo(201);
    }
    assertThat(companysThings()).isEqualTo(COMPANY);
  }

  @Test
  void ofTwoUnderOneKeyTheFirstIsDoneAndTheOtherIsRefused() throws Exception {
    String other = body.replace("}", ",\"price\":1}");
    List<Answer> answers =
        inOneGroup(
            List.of(() -> ada.post("/things", key, body), () -> ada.post("/things", key, other)));
    assertThat(answers).extracting(Answer::status).containsExactlyInAnyOrder(201, 422);
    assertThat(runs.of(name)).isEqualTo(2);
    assertKeptOnce();
  }

  /** Another replica was faster while this one decided. */
  @Test
  void whatAnotherProcessCommittedMeanwhileIsReplayed() throws Exception {
    Answer others = ada.post("/things", key + "-others", body);
    Future<Answer> first = begin(threads, body);
    asIfAnotherProcessHadAnswered();
    runs.open(name);
    Answer answer = first.get();
    assertThat(answer.isReplay()).isTrue();
    assertThat(answer.bytes()).isEqualTo(others.bytes());
    assertKeptOnce();
  }

  @Test
  void whatAnotherProcessAnsweredDifferentlyMeanwhileIsRefused() throws Exception {
    ada.post("/things/text", key + "-others", body);
    Future<Answer> first = begin(threads, body);
    asIfAnotherProcessHadAnswered();
    runs.open(name);
    assertProblem(first.get(), 422, "idempotency-key-reused");
    assertKeptOnce();
  }

  @Test
  void whatAnotherProcessIsWorkingAtIsTold() throws Exception {
    try (Connection other = ORDERS.begin();
        Statement claim = other.createStatement()) {
      claim.execute(
          "SELECT pg_advisory_xact_lock(hashtextextended('%s', hashtext('ada')))".formatted(key));
      List<Callable<Answer>> group = company();
      group.add(() -> ada.post("/things", key, body));
      List<Answer> answers = inOneGroup(group);
      assertProblem(answers.removeLast(), 409, "request-in-progress");
      assertThat(answers).extracting(Answer::status).containsOnly(201);
      other.rollback();
    }
    assertThat(ada.post("/things", key, body).status()).isEqualTo(201);
    assertKeptOnce();
  }

  /** A transactional run would take the claim over, and so does this. */
  @Test
  void whatAnEndedLeaseHasLeftIsDoneAnew() {
    ada.post("/things", key, body);
    dieInTheMidst();
    Answer answer = ada.post("/things", key, body);
    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.isReplay()).isFalse();
    assertThat(ada.post("/things", key, body).isReplay()).isTrue();
    assertThat(things()).isEqualTo(2);
  }

  @Test
  void aReplayIsAnsweredEvenIfTodaysRulesRefuse() {
    Answer first = ada.post("/things", key, body);
    shared.outlaw(name);
    Answer second = ada.post("/things", key, body);
    assertThat(second.isReplay()).isTrue();
    assertThat(second.bytes()).isEqualTo(first.bytes());
    assertThat(runs.of(name)).isEqualTo(1);
    assertThat(ada.post("/things", key + "-new", body).status()).isEqualTo(400);
  }

  @Test
  void writesAreHandedOverOnlyWhereTheyAreAwaited() {
    Answer answer = ada.post("/things/not-shared", key, body);
    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.text()).contains("mode = SHARED");
    assertNothingKept();
  }

  private static String named(String name) {
    return "{\"name\":\"%s\"}".formatted(name);
  }

  private String companion(int i) {
    return name + "-companion-" + i;
  }

  /** Requests of no account, each under a key of its own. */
  private List<Callable<Answer>> company() {
    return new ArrayList<>(
        IntStream.range(0, COMPANY)
            .<Callable<Answer>>mapToObj(
                i -> () -> ada.post("/things", companion(i), named(companion(i))))
            .toList());
  }

  private void assertCompanyIsReplayed(List<Answer> answers) throws Exception {
    List<byte[]> bytes = answers.stream().map(Answer::bytes).toList();
    List<Callable<Answer>> company = company();
    for (int i = 0; i < COMPANY; i++) {
      Answer again = company.get(i).call();
      assertThat(again.isReplay()).isTrue();
      assertThat(again.bytes()).isEqualTo(bytes.get(i));
      assertThat(runs.of(companion(i))).isEqualTo(1);
    }
    assertThat(companysThings()).isEqualTo(COMPANY);
  }

  private long companysThings() {
    return ORDERS.number("SELECT count(*) FROM thing WHERE name LIKE ?", name + "-companion-%");
  }

  private long commitsOfCompany() {
    return ORDERS.number(
        """
        SELECT count(DISTINCT t.xmin::text || r.xmin::text)
        FROM   thing t
        JOIN   idempotency_record r ON r.key = t.name
        WHERE  t.name LIKE ?
        """,
        name + "-companion-%");
  }

  /** Sends them one after the other while a first one is held in its writer. */
  private List<Answer> inOneGroup(List<Callable<Answer>> requests) throws Exception {
    runs.close(SharedThings.WRITER);
    int before = runs.of(SharedThings.WRITER);
    String first = name + "-first";
    Future<Answer> held = threads.submit(() -> ada.post("/things", first, named(first)));
    await().until(() -> runs.of(SharedThings.WRITER) > before);
    List<Future<Answer>> sent = new ArrayList<>();
    for (Callable<Answer> request : requests) {
      sent.add(threads.submit(request));
      int count = sent.size();
      await().until(() -> groups.waiting() == count);
    }
    runs.open(SharedThings.WRITER);
    assertThat(held.get().status()).isEqualTo(201);
    List<Answer> answers = new ArrayList<>();
    for (Future<Answer> one : sent) {
      answers.add(one.get());
    }
    return answers;
  }

  /** The answer to another key becomes that to this one. */
  private void asIfAnotherProcessHadAnswered() {
    assertThat(
            ORDERS.update(
                "UPDATE idempotency_record SET key = ? WHERE key = ?", key, key + "-others"))
        .isEqualTo(1);
  }
}
