package com.example.giftcards;

import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** The table {@code gift_card}. Writes join the transaction that the guard has started. */
@ApplicationScoped
class GiftCards {

  private static final String SELL =
      "INSERT INTO gift_card (balance, shop) VALUES (?, ?) RETURNING code, balance";

  private static final String FIND =
      "SELECT code, balance FROM gift_card WHERE shop = ? AND code = ?";

  private static final String CHANGE =
      """
      UPDATE gift_card
      SET    balance = balance + ?
      WHERE  shop = ?
      AND    code = ?
      AND    balance + ? >= 0
      RETURNING code, balance
      """;

  private final DataSource database;

  GiftCards(DataSource database) {
    this.database = database;
  }

  GiftCard sell(String shop, Amount amount) throws SQLException {
    return ask(SELL, amount.cents(), shop).orElseThrow();
  }

  Optional<GiftCard> find(String shop, String code) throws SQLException {
    return ask(FIND, shop, code);
  }

  /** Empty when the shop has no such card, or too little is left on it. */
  Optional<GiftCard> redeem(String shop, String code, Amount amount) throws SQLException {
    return ask(CHANGE, -amount.cents(), shop, code, -amount.cents());
  }

  /** Empty when the shop has no such card. */
  Optional<GiftCard> topUp(String shop, String code, Amount amount) throws SQLException {
    return ask(CHANGE, amount.cents(), shop, code, amount.cents());
  }

  private Optional<GiftCard> ask(String sql, Object... arguments) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setObject(i + 1, arguments[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(new GiftCard(row.getString("code"), row.getLong("balance")))
            : Optional.empty();
      }
    }
  }
}
