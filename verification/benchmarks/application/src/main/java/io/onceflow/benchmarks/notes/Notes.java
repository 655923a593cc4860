package io.onceflow.benchmarks.notes;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.Response;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The table {@code note}. */
@ApplicationScoped
class Notes {

  private static final String INSERT = "INSERT INTO note (subject) VALUES (?) RETURNING id";

  private final DataSource database;

  Notes(DataSource database) {
    this.database = database;
  }

  /** The whole business of this application: one INSERT. */
  Response take(NewNote wanted) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setString(1, wanted.subject());
      try (ResultSet row = insert.executeQuery()) {
        row.next();
        return Response.status(Response.Status.CREATED)
            .entity(new Note(row.getLong("id"), wanted.subject()))
            .build();
      }
    }
  }
}
