package io.onceflow.quarkus.parked;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.quarkus.trip.TripApplication;
import io.quarkus.builder.Version;
import io.quarkus.gizmo.ClassCreator;
import io.quarkus.gizmo.MethodCreator;
import io.quarkus.gizmo.MethodDescriptor;
import io.quarkus.maven.dependency.Dependency;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.shrinkwrap.api.asset.ByteArrayAsset;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application's own reader of tokens takes the place of the product's. */
@Tag("nightly")
class OwnTokenReaderTest {

  private static final String READER = "io.onceflow.quarkus.parked.RefusesEveryToken";
  private static final String TOKENS = "io.smallrye.jwt.auth.principal.";

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on("payments")
          .overrideConfigKey("quarkus.http.test-port", "0")
          .overrideConfigKey("mp.jwt.verify.audiences", "trips")
          .setForcedDependencies(
              List.of(Dependency.of("io.quarkus", "quarkus-smallrye-jwt", Version.getVersion())))
          .withApplicationRoot(jar -> addReader(jar.addClasses(TripApplication.class)));

  @TestHTTPResource("/parked-messages")
  URI parkedMessages;

  @ConfigProperty(name = "onceflow.dev-tokens.operator")
  String operator;

  @Test
  void isAskedAboutATokenThatTheProductWouldAccept() throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest get =
          HttpRequest.newBuilder(parkedMessages)
              .header("Authorization", "Bearer " + operator)
              .build();

      assertThat(http.send(get, BodyHandlers.discarding()).statusCode()).isEqualTo(401);
    }
  }

  /** As bytes: the library that it extends is on the application's class path alone. */
  private static void addReader(JavaArchive jar) {
    ClassCreator.Builder reader =
        ClassCreator.builder()
            .className(READER)
            .superClass(TOKENS + "JWTCallerPrincipalFactory")
            .classOutput(
                (name, bytes) -> jar.add(new ByteArrayAsset(bytes), "/" + name + ".class"));
    try (ClassCreator bean = reader.build()) {
      bean.addAnnotation(ApplicationScoped.class);
      bean.addAnnotation(Alternative.class);
      bean.addAnnotation(Priority.class).addValue("value", 1);
      MethodCreator parse =
          bean.getMethodCreator(
              "parse",
              TOKENS + "JWTCallerPrincipal",
              String.class.getName(),
              TOKENS + "JWTAuthContextInfo");
      parse.addException(TOKENS + "ParseException");
      parse.throwException(
          parse.newInstance(
              MethodDescriptor.ofConstructor(TOKENS + "ParseException", String.class),
              parse.load("not read here")));
    }
  }
}
