package io.onceflow.order.saga;

import io.onceflow.launcher.testing.BookLookUpLaws;
import io.onceflow.test.TestPostgres;

class OrderBookLookUpsTest extends BookLookUpLaws {

  OrderBookLookUpsTest() {
    super(
        TestPostgres.database("order_books", "db/migration"),
        "orders-and-payments",
        "orders-and-shipments");
  }
}
