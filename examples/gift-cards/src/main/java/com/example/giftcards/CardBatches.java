package com.example.giftcards;

import io.onceflow.core.IdempotencyKey;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** The table {@code card_batch}, and the cards of each. */
@ApplicationScoped
class CardBatches {

  private static final String BEGIN =
      """
      INSERT INTO card_batch (shop, order_key, request, wanted, amount)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (shop, order_key, request) DO NOTHING     -- an earlier run of it began it
      """;

  private static final String FIND =
      """
      SELECT b.id, (SELECT count(*) FROM gift_card WHERE batch = b.id) AS cards
      FROM   card_batch b
      WHERE  b.shop = ?
      AND    b.order_key = ?
      AND    b.request = ?
      """;

  private static final String PRINT =
      """
      WITH missing AS (
        SELECT id, shop, amount,
               least(?, wanted - (SELECT count(*) FROM gift_card WHERE batch = card_batch.id)) AS cards
        FROM   card_batch
        WHERE  id = ?
      )
      INSERT INTO gift_card (shop, balance, batch)
      SELECT shop, amount, id
      FROM   missing, generate_series(1, cards)
      """;

  private final DataSource database;

  CardBatches(DataSource database) {
    this.database = database;
  }

  /** Notes what is to be printed, unless that is noted already. */
  CardBatch begin(String shop, IdempotencyKey key, String request, NewBatch wanted)
      throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement insert = connection.prepareStatement(BEGIN)) {
      insert.setString(1, shop);
      insert.setString(2, key.value());
      insert.setString(3, request);
      insert.setInt(4, wanted.cards());
      insert.setLong(5, wanted.cents());
      insert.executeUpdate();
    }
    return find(shop, key, request).orElseThrow();
  }

  /** The batch that a request ordered. */
  Optional<CardBatch> find(String shop, IdempotencyKey key, String request) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(FIND)) {
      select.setString(1, shop);
      select.setString(2, key.value());
      select.setString(3, request);
      try (ResultSet row = select.executeQuery()) {
        return row.next()
            ? Optional.of(new CardBatch(row.getObject("id", UUID.class), row.getInt("cards")))
            : Optional.empty();
      }
    }
  }

  /** Prints up to {@code most} of the cards that are missing; returns how many. */
  int print(UUID batch, int most) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement insert = connection.prepareStatement(PRINT)) {
      insert.setInt(1, most);
      insert.setObject(2, batch);
      return insert.executeUpdate();
    }
  }
}
