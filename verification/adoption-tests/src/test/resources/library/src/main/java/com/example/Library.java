package com.example;

import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.message.Refused;
import io.onceflow.message.Undoes;
import io.onceflow.participant.Answer;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import io.quarkus.hibernate.orm.panache.PanacheEntity;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.Entity;
import jakarta.persistence.LockModeType;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.util.UUID;

/** Participants whose handlers query by Panache; their entities have numbers as ids. */
final class Library {

  private Library() {}

  @Command("book.lend")
  record LendBook(UUID number, String isbn) {}

  @Done(LendBook.class)
  record BookLent(UUID number) {}

  @Refused(LendBook.class)
  record BookNotLent(UUID number) {}

  @Command("book.return")
  @Undoes(LendBook.class)
  record ReturnBook(UUID number, String isbn) {}

  @Command("loan.approve")
  record ApproveLoan(UUID number) {}

  @Done(ApproveLoan.class)
  record LoanApproved(UUID number) {}

  @Entity(name = "book")
  public static class Book extends PanacheEntity {
    public String isbn;
    public int copies;

    static Book of(String isbn) {
      return Book.<Book>find("isbn", isbn).withLock(LockModeType.PESSIMISTIC_WRITE).firstResult();
    }
  }

  @Entity(name = "loan")
  public static class Loan extends PanacheEntity {
    public UUID number;
    public String entry;

    static Loan of(UUID number, String entry) {
      Loan loan = new Loan();
      loan.number = number;
      loan.entry = entry;
      return loan;
    }
  }

  @Entity(name = "approval")
  public static class Approval extends PanacheEntity {
    public UUID number;
  }

  /** Decides on a row that it finds by another field than its id. */
  @ApplicationScoped
  public static class Books {

    @Handles
    Answer lend(LendBook command) {
      Book book = Book.of(command.isbn());
      if (book == null || book.copies == 0) {
        return Answer.refused(new BookNotLent(command.number()));
      }
      book.copies--;
      Loan.of(command.number(), "LENT").persist();
      return Answer.done(new BookLent(command.number()));
    }

    @Handles
    Answer giveBack(ReturnBook command) {
      Book.of(command.isbn()).copies++;
      return Answer.done().save(Loan.of(command.number(), "RETURNED"));
    }
  }

  /** Waits for a person, whose decision a bean with transactions of its own reads. */
  @ApplicationScoped
  public static class Desk {

    private final Approvals approvals;

    Desk(Approvals approvals) {
      this.approvals = approvals;
    }

    @Handles
    @CallsOut
    Answer approve(ApproveLoan command) {
      return approvals.has(command.number())
          ? Answer.done(new LoanApproved(command.number()))
          : Answer.pending(Duration.ofMinutes(10));
    }
  }

  @ApplicationScoped
  public static class Approvals {

    @Transactional
    boolean has(UUID number) {
      return Approval.count("number", number) > 0;
    }

    @Transactional
    void approve(UUID number) {
      Approval approval = new Approval();
      approval.number = number;
      approval.persist();
    }
  }
}
