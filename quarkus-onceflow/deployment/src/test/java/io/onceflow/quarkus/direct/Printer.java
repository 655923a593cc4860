package io.onceflow.quarkus.direct;

import io.onceflow.participant.Answer;
import io.onceflow.participant.Handles;
import io.onceflow.quarkus.direct.Parcel.LabelPrinted;
import io.onceflow.quarkus.direct.Parcel.PrintLabel;
import jakarta.enterprise.context.ApplicationScoped;

@ApplicationScoped
class Printer {

  @Handles
  Answer print(PrintLabel command) {
    return Answer.done(new LabelPrinted(command.parcelId()))
        .save(new Label(command.parcelId(), "printed"));
  }
}
