package com.example.rental;

import io.onceflow.participant.Answer;
import io.onceflow.participant.Handles;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Query;
import java.util.UUID;

/**
 * Warehouse, bank, courier and mail, which may be applications of their own. What a method writes
 * commits with the step.
 */
@ApplicationScoped
public class RentalParticipants {

  private final EntityManager database;

  RentalParticipants(EntityManager database) {
    this.database = database;
  }

  @Handles
  Answer reserve(ReserveItem command) {
    return run(
                "UPDATE stock SET on_hand = on_hand - 1 WHERE sku = ?1 AND on_hand > 0",
                command.sku())
            == 1
        ? Answer.done(new ItemReserved(command.sku()))
        : Answer.refused(new ItemMissing(command.sku()));
  }

  @Handles
  void release(ReleaseItem command) {
    run("UPDATE stock SET on_hand = on_hand + 1 WHERE sku = ?1", command.sku());
  }

  @Handles
  void take(TakeDeposit command) {
    run(
        "INSERT INTO deposit (rental_id, cents) VALUES (?1, ?2)",
        command.rentalId(),
        command.cents());
  }

  @Handles
  void giveBack(ReturnDeposit command) {
    run("DELETE FROM deposit WHERE rental_id = ?1", command.rentalId());
  }

  @Handles
  void announce(Notify command) {
    send(command.rentalId(), "It is ready, " + command.customer());
  }

  @Handles
  void deliver(DeliverItems command) {
    run(
        "INSERT INTO delivery (rental_id, address) VALUES (?1, ?2)",
        command.rentalId(),
        command.address());
  }

  @Handles
  void remind(Remind command) {
    send(command.rentalId(), "Please return it, " + command.customer());
  }

  private void send(UUID rental, String text) {
    run("INSERT INTO letter (rental_id, text) VALUES (?1, ?2)", rental, text);
  }

  private int run(String sql, Object... parameters) {
    Query query = database.createNativeQuery(sql);
    for (int i = 0; i < parameters.length; i++) {
      query.setParameter(i + 1, parameters[i]);
    }
    return query.executeUpdate();
  }
}
