package io.onceflow.order.api;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;

import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;

/** Places orders of a customer that no other test has, and counts what is stored of them. */
abstract class OrderRequests {

  static final String ORDER =
      """
      {"currency": "EUR",
       "items": [{"sku": "BOOK-42", "quantity": 2, "unitAmount": 1250}],
       "paymentMethod": "pm_card_visa",
       "shippingAddress": {"name": "Ada Lovelace", "line1": "12 St James's Square",
         "city": "London", "postalCode": "SW1Y 4JH", "country": "GB"}}
      """;

  final String customer = "customer-" + UUID.randomUUID();

  @Inject DataSource database;

  final Response place(String body, String key) {
    return as(customer)
        .contentType(ContentType.JSON)
        .header("Idempotency-Key", key)
        .body(body)
        .post("/orders");
  }

  static RequestSpecification as(String user) {
    return given().auth().oauth2(token(user));
  }

  final long rows(String countOfCustomer) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement count = connection.prepareStatement(countOfCustomer)) {
      count.setString(1, customer);
      try (ResultSet row = count.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }
}
