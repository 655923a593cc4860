package io.onceflow.saga;

import static io.onceflow.saga.Retry.attempts;
import static io.onceflow.saga.SagaDefinition.approval;
import static io.onceflow.saga.SagaDefinition.await;
import static io.onceflow.saga.SagaDefinition.choice;
import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.sleep;
import static io.onceflow.saga.SagaDefinition.step;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;

import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.message.Refused;
import io.onceflow.message.Undoes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Equipment that is rented: the definition of the guide, word for word. */
final class Rental {

  static final SagaDefinition<Rental> DEFINITION =
      saga(
              "rent-equipment",
              2,
              step("reserve")
                  .forEach(Rental::items, Item::sku)
                  .atOnce(2)
                  .send(ReserveItem.class, Rental::reserveItem)
                  .compensateWith(ReleaseItem.class, Rental::releaseItem)
                  .on(ItemReserved.class, Rental::reserved),
              choice("deposit")
                  .when(
                      "large",
                      Rental::isLarge,
                      approval("credit").by("clerk").within(ofDays(1)),
                      step("take-deposit")
                          .send(TakeDeposit.class, Rental::deposit)
                          .compensateWith(ReturnDeposit.class, Rental::returnDeposit))
                  .otherwise(),
              await("contract-signed").within(ofDays(2)).on(ContractSigned.class, Rental::signed),
              step("notify").send(Notify.class, Rental::notice).bestEffort(),
              pivot("confirm").run(Rental::confirm),
              sleep("return-due", Rental::returnDate),
              step("remind")
                  .send(Remind.class, Rental::reminder)
                  .retry(attempts(20).backoff(ofMinutes(1), ofHours(6))))
          .onCompensated(Rental::cancelled);

  private final List<Item> items;
  private final boolean isLarge;
  private final List<String> reserved = new ArrayList<>();
  private final Instant returnDate;
  private @Nullable String signedBy;
  private @Nullable String cancelledFor;
  private boolean isConfirmed;

  Rental(boolean isLarge, Instant returnDate, String... skus) {
    this.isLarge = isLarge;
    this.returnDate = returnDate;
    this.items = List.of(skus).stream().map(Item::new).toList();
  }

  record Item(String sku) {}

  @Command("warehouse.reserve")
  record ReserveItem(String sku) {}

  @Undoes(ReserveItem.class)
  @Command("warehouse.release")
  record ReleaseItem(String sku) {}

  @Done(ReserveItem.class)
  record ItemReserved(String sku) {}

  @Refused(ReserveItem.class)
  record ItemMissing(String sku) {}

  @Command("bank.take-deposit")
  record TakeDeposit(int cents) {}

  @Undoes(TakeDeposit.class)
  @Command("bank.return-deposit")
  record ReturnDeposit(int cents) {}

  record ContractSigned(String by) {}

  @Command("mail.notify")
  record Notify(String text) {}

  @Command("mail.remind")
  record Remind(String text) {}

  List<Item> items() {
    return items;
  }

  ReserveItem reserveItem(Item item) {
    return new ReserveItem(item.sku());
  }

  ReleaseItem releaseItem(Item item) {
    return new ReleaseItem(item.sku());
  }

  void reserved(ItemReserved reply) {
    reserved.add(reply.sku());
  }

  boolean isLarge() {
    return isLarge;
  }

  TakeDeposit deposit() {
    return new TakeDeposit(50_00);
  }

  ReturnDeposit returnDeposit() {
    return new ReturnDeposit(50_00);
  }

  void signed(ContractSigned contract) {
    signedBy = contract.by();
  }

  Notify notice() {
    return new Notify("ready, " + signedBy);
  }

  void confirm() {
    isConfirmed = true;
  }

  Instant returnDate() {
    return returnDate;
  }

  Remind reminder() {
    return new Remind("please return it");
  }

  void cancelled(String reason) {
    cancelledFor = reason;
  }

  boolean isConfirmed() {
    return isConfirmed;
  }

  List<String> whatIsReserved() {
    return reserved;
  }

  @Nullable String signedBy() {
    return signedBy;
  }

  @Nullable String cancelledFor() {
    return cancelledFor;
  }
}
