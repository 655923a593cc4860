package com.example.giftcards;

import static com.example.giftcards.Till.cents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.example.giftcards.Till.Answer;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each kind of guarded operation, as a till sees it. */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@WithTestResource(BankResource.class)
@Timeout(60)
class GiftCardsTest {

  @TestHTTPResource("/")
  URI application;

  FakeBank bank;

  private final String key = UUID.randomUUID().toString();
  private Till till;

  @BeforeEach
  void openTill() {
    till = new Till(application, "north/1");
  }

  @Test
  void sellsOneCardHoweverOftenItIsAskedFor() {
    Answer first = till.post("/gift-cards", key, cents(5000));
    Answer again = till.post("/gift-cards", key, cents(5000));
    assertThat(first.status()).isEqualTo(201);
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(again.isReplayed()).isTrue();
    assertThat(first.isReplayed()).isFalse();
  }

  @Test
  void refusesAKeyOfAnotherSale() {
    till.post("/gift-cards", key, cents(5000));
    assertThat(till.post("/gift-cards", key, cents(1)).status()).isEqualTo(422);
  }

  @Test
  void sellsTwoCardsToWhoeverAsksUnderTwoKeys() {
    Answer first = till.post("/gift-cards", key, cents(5000));
    Answer second = till.post("/gift-cards", key + "-second", cents(5000));
    assertThat(second.isReplayed()).isFalse();
    assertThat(second.body()).isNotEqualTo(first.body());
  }

  @Test
  void sharesKeysBetweenTheTillsOfAShop() {
    Answer first = till.post("/gift-cards", key, cents(5000));
    Answer atTheNext = new Till(application, "north/2").post("/gift-cards", key, cents(5000));
    Answer elsewhere = new Till(application, "south/1").post("/gift-cards", key, cents(5000));
    assertThat(atTheNext.body()).isEqualTo(first.body());
    assertThat(elsewhere.body()).isNotEqualTo(first.body());
  }

  @Test
  void takesACardOnceHoweverManyAskAtOnce() {
    String code = till.buyCard(5000);
    List<CompletableFuture<Answer>> all =
        Stream.generate(() -> till.begin("/gift-cards/" + code + "/redemptions", key, cents(1200)))
            .limit(20)
            .toList();
    assertThat(all)
        .map(CompletableFuture::join)
        .allMatch(answer -> answer.status() == 200)
        .allMatch(answer -> answer.json().get("balance").longValue() == 3800);
    assertThat(till.balance(code)).isEqualTo(3800);
  }

  @Test
  void takesUnderTheSameKeyWhatItRefusedBeforeTheTopUp() {
    String code = till.buyCard(100);
    String redemptions = "/gift-cards/" + code + "/redemptions";
    assertThat(till.post(redemptions, key, cents(300)).status()).isEqualTo(409);
    till.post("/gift-cards/" + code + "/top-ups", key + "-top-up", cents(500));
    assertThat(till.post(redemptions, key, cents(300)).status()).isEqualTo(200);
    assertThat(till.balance(code)).isEqualTo(300);
  }

  @Test
  void chargesATopUpOnce() {
    String code = till.buyCard(100);
    int before = bank.charges();
    Answer first = till.post("/gift-cards/" + code + "/top-ups", key, cents(900));
    Answer again = till.post("/gift-cards/" + code + "/top-ups", key, cents(900));
    assertThat(first.status()).isEqualTo(200);
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(bank.charges() - before).isEqualTo(1);
    assertThat(till.balance(code)).isEqualTo(1000);
  }

  @Test
  void refusesToTopUpTwiceAtOnce() {
    String code = till.buyCard(100);
    String topUps = "/gift-cards/" + code + "/top-ups";
    int calls = bank.calls();
    bank.holdAnswers();
    CompletableFuture<Answer> first = till.begin(topUps, key, cents(900));
    await().until(() -> bank.calls() > calls);
    Answer second = till.post(topUps, key, cents(900));
    bank.letAnswersGo();
    assertThat(second.status()).isEqualTo(409);
    assertThat(first.join().status()).isEqualTo(200);
    assertThat(till.balance(code)).isEqualTo(1000);
  }

  @Test
  void topsUpUnderTheSameKeyOnceTheBankIsBack() {
    String code = till.buyCard(100);
    String topUps = "/gift-cards/" + code + "/top-ups";
    bank.failOnce();
    assertThat(till.post(topUps, key, cents(900)).status()).isEqualTo(503);
    assertThat(till.balance(code)).isEqualTo(100);
    assertThat(till.post(topUps, key, cents(900)).status()).isEqualTo(200);
    assertThat(till.balance(code)).isEqualTo(1000);
  }

  @Test
  void printsABatchInTheBackground() {
    String order = "{\"cards\":250,\"cents\":1000}";
    assertThat(till.post("/card-batches", key, order).status()).isEqualTo(202);
    await()
        .until(
            () -> till.get("/idempotency-keys/" + key).json().path("status").textValue(),
            "COMPLETED"::equals);
    Answer done = till.post("/card-batches", key, order);
    assertThat(done.status()).isEqualTo(201);
    assertThat(done.json().get("cards").intValue()).isEqualTo(250);
  }

  @Test
  void tellsAnotherShopNothingOfAKey() {
    till.post("/gift-cards", key, cents(5000));
    String path = "/idempotency-keys/" + key;
    assertThat(till.get(path).json().get("response").get("status").intValue()).isEqualTo(201);
    assertThat(new Till(application, "south/1").get(path).status()).isEqualTo(404);
  }

  @Test
  void letsNobodyInWhoIsNoTill() {
    assertThat(new Till(application, "nobody").post("/gift-cards", key, cents(1)).status())
        .isEqualTo(401);
  }
}
