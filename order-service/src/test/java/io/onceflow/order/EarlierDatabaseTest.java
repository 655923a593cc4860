package io.onceflow.order;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.quickstart.testing.ServersResource;
import io.onceflow.quickstart.testing.TestTokens;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** An upgrade from the time before the product's migrations had a history of their own. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    restrictToAnnotatedClass = true,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@QuarkusTestResource(value = EarlierDatabase.class, restrictToAnnotatedClass = true)
class EarlierDatabaseTest {

  @Inject DataSource database;

  @Test
  void isTakenOverAsItIs() throws SQLException {
    List<String> product = scripts("onceflow_schema_history");
    List<String> both = scripts("flyway_schema_history");

    assertThat(both).anyMatch(script -> script.endsWith("V001__create_orders.sql"));
    assertThat(product)
        .anyMatch(script -> script.endsWith("V0_4_1__create_saga_instance.sql"))
        .anyMatch(script -> script.endsWith("V0_5_1__create_reconciliation.sql"))
        .noneMatch(script -> script.endsWith("V001__create_orders.sql"))
        .filteredOn(script -> !script.endsWith("reconciliation.sql")) // which came later
        .isSubsetOf(both);
    given().auth().oauth2(TestTokens.token("ada")).get("/orders").then().statusCode(200);
  }

  private List<String> scripts(String history) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement select = connection.createStatement();
        ResultSet rows =
            select.executeQuery("SELECT script FROM %s WHERE type = 'SQL'".formatted(history))) {
      List<String> scripts = new ArrayList<>();
      while (rows.next()) {
        scripts.add(rows.getString(1));
      }
      return scripts;
    }
  }
}
