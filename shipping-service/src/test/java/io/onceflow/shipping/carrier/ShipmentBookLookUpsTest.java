package io.onceflow.shipping.carrier;

import io.onceflow.launcher.testing.BookLookUpLaws;
import io.onceflow.test.TestPostgres;

class ShipmentBookLookUpsTest extends BookLookUpLaws {

  ShipmentBookLookUpsTest() {
    super(
        TestPostgres.database("shipment_books", "db/migration"),
        "shipments",
        "shipments-by-order",
        "simulated-carrier");
  }
}
