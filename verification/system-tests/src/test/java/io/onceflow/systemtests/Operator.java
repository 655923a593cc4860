package io.onceflow.systemtests;

import static io.restassured.RestAssured.given;

import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.List;

/** An operator of sagas and parked messages. */
record Operator(Stack stack) {

  /** The ids of the sagas that stand there. */
  List<String> listsSagas(String status) {
    return asThemselves()
        .get(stack.orders().url() + "/sagas?limit=500&status=" + status)
        .path("sagas.id");
  }

  /** Has a saga send at once what it waits for. */
  Response retriesSaga(String id, String why) {
    return asThemselves()
        .contentType(ContentType.JSON)
        .body("{\"why\": \"%s\"}".formatted(why))
        .post(stack.orders().url() + "/sagas/" + id + "/retry");
  }

  /** Has a service take up a message again that it has parked. */
  Response redrives(ServiceProcess service, String parkedId) {
    return asThemselves().post(service.url() + "/parked-messages/" + parkedId + "/redrive");
  }

  /** Has a service take commands again, if it was paused. */
  Response resumes(ServiceProcess service, String why) {
    return asThemselves()
        .contentType(ContentType.JSON)
        .body("{\"reason\": \"%s\"}".formatted(why))
        .post(service.url() + "/participant/resume");
  }

  private RequestSpecification asThemselves() {
    return given().auth().oauth2(stack.issuer().operator());
  }
}
