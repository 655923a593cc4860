package io.onceflow.easypostdouble;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How often requests fail, as shares from 0 to 1, and how long they take. Safe to change at run
 * time.
 */
public final class EasyPostFaults {

  private volatile long latencyMillis;
  private volatile double tooManyRequests;
  private volatile double errorsAfterEffect;
  private volatile double lostAnswers;
  private volatile Optional<ResponseDefinition> otherAnswer = Optional.empty();
  private volatile String refundStatus = "";
  private volatile boolean refusesRefunds;

  EasyPostFaults() {}

  /** Each request takes this long before it has an effect. */
  public EasyPostFaults latencyMillis(long latency) {
    this.latencyMillis = latency;
    return this;
  }

  /** This share of the requests is answered 429, without an effect. */
  public EasyPostFaults tooManyRequests(double share) {
    this.tooManyRequests = share;
    return this;
  }

  /** This share of the requests that change something is answered 500 after the change. */
  public EasyPostFaults errorsAfterEffect(double share) {
    this.errorsAfterEffect = share;
    return this;
  }

  /** This share of the requests that change something loses its connection after the change. */
  public EasyPostFaults lostAnswers(double share) {
    this.lostAnswers = share;
    return this;
  }

  /** A proxy in front answers each request in its place. */
  public EasyPostFaults answersOtherwise(int status, String body) {
    this.otherAnswer =
        Optional.of(
            new ResponseDefinitionBuilder()
                .withStatus(status)
                .withHeader("Content-Type", "application/json")
                .withBody(body)
                .build());
    return this;
  }

  /** Refunds get this status, such as {@code rejected}, whatever the postal code asks for. */
  public EasyPostFaults refundStatus(String status) {
    this.refundStatus = status;
    return this;
  }

  /** Refunds are answered 422, without an effect. */
  public EasyPostFaults refusesRefunds(boolean refuses) {
    this.refusesRefunds = refuses;
    return this;
  }

  /** No faults from now on. */
  public void none() {
    latencyMillis(0).tooManyRequests(0).errorsAfterEffect(0).lostAnswers(0).refusesRefunds(false);
    otherAnswer = Optional.empty();
    refundStatus = "";
  }

  boolean refusesRefunds() {
    return refusesRefunds;
  }

  String refundStatus() {
    return refundStatus;
  }

  Optional<ResponseDefinition> otherAnswer() {
    return otherAnswer;
  }

  void takeTime() throws InterruptedException {
    if (latencyMillis > 0) {
      Thread.sleep(latencyMillis);
    }
  }

  boolean refusesAsTooMany() {
    return happens(tooManyRequests);
  }

  boolean failsAfterEffect() {
    return happens(errorsAfterEffect);
  }

  boolean losesAnswer() {
    return happens(lostAnswers);
  }

  private static boolean happens(double share) {
    return share > 0 && ThreadLocalRandom.current().nextDouble() < share;
  }
}
