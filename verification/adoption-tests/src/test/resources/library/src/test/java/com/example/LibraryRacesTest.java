package com.example;

import static io.onceflow.test.races.RacedCommand.command;

import com.example.Library.ApproveLoan;
import com.example.Library.Approvals;
import com.example.Library.Books;
import com.example.Library.Desk;
import com.example.Library.LendBook;
import com.example.Library.Loan;
import com.example.Library.ReturnBook;
import io.onceflow.test.OnceflowTestResource;
import io.onceflow.test.races.CommandRaces;
import io.onceflow.test.races.Ledger;
import io.onceflow.test.races.RacedApplication;
import io.onceflow.test.races.RacedCommand;
import io.onceflow.test.races.RacedParticipants;
import io.onceflow.test.races.RacedService;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.util.List;

@QuarkusTest
@TestProfile(RacedApplication.class)
@WithTestResource(OnceflowTestResource.class)
class LibraryRacesTest extends CommandRaces {

  private static final RacedCommand RETURN =
      command(ReturnBook.class, number -> new ReturnBook(number, "978-0")).does("RETURNED");

  private static final RacedCommand LEND =
      command(LendBook.class, number -> new LendBook(number, "978-0"))
          .does("LENT")
          .answers("BookLent")
          .mayBeRefused();

  @Inject Books books;
  @Inject Desk desk;
  @Inject Approvals approvals;

  @Override
  protected List<RacedCommand> commands() {
    return List.of(
        LEND.undoneBy(RETURN),
        RETURN.after(LEND),
        command(ApproveLoan.class, ApproveLoan::new)
            .answers("LoanApproved")
            .mayBeRefused()
            .pendingUntil(approvals::approve));
  }

  @Override
  protected RacedService service() {
    return RacedParticipants.inApplication().withEntities(Loan.class).of(books, desk);
  }

  @Override
  protected Ledger ledger() {
    return number ->
        QuarkusTransaction.requiringNew()
            .call(
                () ->
                    Loan.<Loan>list("number = ?1 order by id", number).stream()
                        .map(loan -> new Ledger.Entry(loan.id.toString(), loan.entry))
                        .toList());
  }
}
