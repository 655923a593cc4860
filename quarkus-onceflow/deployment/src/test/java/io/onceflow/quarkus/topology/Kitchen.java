package io.onceflow.quarkus.topology;

import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;

import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.participant.Handles;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Duration;
import java.util.UUID;

/** A restaurant whose meals are sagas; it cooks by itself, and another application delivers. */
final class Kitchen {

  private Kitchen() {}

  @Command("meal.cook")
  record CookMeal(UUID mealId) {}

  @Done(CookMeal.class)
  record MealCooked(UUID mealId) {}

  @Command("courier.deliver")
  record DeliverMeal(UUID mealId) {}

  @Done(DeliverMeal.class)
  record MealDelivered(UUID mealId) {}

  @Entity
  static class Meal {

    @Id UUID id;
    String status = "ORDERED";

    CookMeal cook() {
      return new CookMeal(id);
    }

    void cooked(MealCooked reply) {
      status = "COOKED";
    }

    DeliverMeal deliver() {
      return new DeliverMeal(id);
    }

    void delivered(MealDelivered reply) {
      status = "DELIVERED";
    }

    void close() {
      status += " AND PAID";
    }
  }

  @ApplicationScoped
  static class ServeMeal implements Saga<Meal> {

    @Override
    public SagaDefinition<Meal> definition() {
      return saga(
          "serve-meal",
          1,
          step("cook")
              .send(CookMeal.class, Meal::cook)
              .on(MealCooked.class, Meal::cooked)
              .replyWithin(Duration.ofSeconds(1)),
          step("deliver")
              .send(DeliverMeal.class, Meal::deliver)
              .on(MealDelivered.class, Meal::delivered)
              .replyWithin(Duration.ofSeconds(1)),
          pivot("close").run(Meal::close));
    }
  }

  @ApplicationScoped
  static class Cook {

    @Handles
    MealCooked cook(CookMeal command) {
      return new MealCooked(command.mealId());
    }
  }
}
