package io.onceflow.stripedouble;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How often requests fail, as shares from 0 to 1, and how long they take. Safe to change at run
 * time.
 */
public final class Faults {

  private volatile long latencyMillis;
  private volatile double tooManyRequests;
  private volatile double errorsAfterEffect;
  private volatile double lostAnswers;
  private volatile Optional<ResponseDefinition> otherAnswer = Optional.empty();
  private volatile String refundError = "";
  private volatile String refundStatus = "succeeded";

  private final RequestGate beforeEffect = new RequestGate();
  private final RequestGate beforeAnswer = new RequestGate();

  /** None. */
  public Faults() {}

  /** Requests that change something pass it before they are carried out. */
  public RequestGate beforeEffect() {
    return beforeEffect;
  }

  /** Requests that change something pass it after they were carried out. */
  public RequestGate beforeAnswer() {
    return beforeAnswer;
  }

  /** Each request takes this long. */
  public Faults latencyMillis(long latency) {
    this.latencyMillis = latency;
    return this;
  }

  /** So many requests are answered 429 before they are looked at. */
  public Faults tooManyRequests(double share) {
    this.tooManyRequests = share;
    return this;
  }

  /** So many requests that change something are answered 500 though they have done it. */
  public Faults errorsAfterEffect(double share) {
    this.errorsAfterEffect = share;
    return this;
  }

  /** So many requests that change something are carried out, and their connection is reset. */
  public Faults lostAnswers(double share) {
    this.lostAnswers = share;
    return this;
  }

  /** A proxy in front answers each request in its place. */
  public Faults answersOtherwise(int status, String body) {
    this.otherAnswer =
        Optional.of(
            new ResponseDefinitionBuilder()
                .withStatus(status)
                .withHeader("Content-Type", "application/json")
                .withBody(body)
                .build());
    return this;
  }

  /**
   * Refunds are not made, and Stripe saves that answer.
   *
   * @param code of the error, such as {@code charge_disputed}; {@code api_error} is a 500
   */
  public Faults refusesRefunds(String code) {
    this.refundError = code;
    return this;
  }

  /** Refunds are made with this status, such as {@code failed}. */
  public Faults refundStatus(String status) {
    this.refundStatus = status;
    return this;
  }

  /** No faults from now on. */
  public void none() {
    latencyMillis(0).tooManyRequests(0).errorsAfterEffect(0).lostAnswers(0);
    otherAnswer = Optional.empty();
    refundError = "";
    refundStatus = "succeeded";
    beforeEffect.open();
    beforeAnswer.open();
  }

  Optional<ResponseDefinition> otherAnswer() {
    return otherAnswer;
  }

  String refundError() {
    return refundError;
  }

  String refundStatus() {
    return refundStatus;
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
