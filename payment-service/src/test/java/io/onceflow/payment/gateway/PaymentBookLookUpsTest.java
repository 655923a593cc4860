package io.onceflow.payment.gateway;

import io.onceflow.launcher.testing.BookLookUpLaws;
import io.onceflow.test.TestPostgres;

class PaymentBookLookUpsTest extends BookLookUpLaws {

  PaymentBookLookUpsTest() {
    super(
        TestPostgres.database("payment_books", "db/migration"),
        "payments",
        "payments-by-order",
        "simulated-gateway");
  }
}
