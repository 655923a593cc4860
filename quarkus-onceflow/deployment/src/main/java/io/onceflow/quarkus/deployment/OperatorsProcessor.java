package io.onceflow.quarkus.deployment;

import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.builditem.AdditionalIndexedClassesBuildItem;
import io.quarkus.deployment.builditem.ApplicationArchivesBuildItem;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.DotName;

/** Adds the REST resources for operators. */
class OperatorsProcessor {

  private static final String PARKED = "io.onceflow.parked.internal.";
  private static final String AUDIT = "io.onceflow.audit.internal.";
  private static final String PARTICIPANTS = "io.onceflow.participants.internal.";
  private static final String STEPS = "io.onceflow.steps.internal.";
  private static final DotName PATH = DotName.createSimple("jakarta.ws.rs.Path");

  /** A resource that the application has under the same path goes first. */
  @BuildStep
  void parkedMessages(
      OperatorsBuildConfig config,
      ApplicationArchivesBuildItem archives,
      BuildProducer<AdditionalIndexedClassesBuildItem> indexed,
      BuildProducer<AdditionalBeanBuildItem> beans) {
    if (config.parkedMessages().enabled() && !hasResource(archives, "/parked-messages")) {
      indexed.produce(
          new AdditionalIndexedClassesBuildItem(
              PARKED + "ParkedMessageResource",
              PARKED + "ParkedEdit",
              PARKED + "ParkedMessageResource$Redriven",
              PARKED + "ParkedJobResource",
              PARKED + "NewParkedJob",
              PARKED + "RedriveProblem"));
      beans.produce(
          new AdditionalBeanBuildItem(
              PARKED + "ParkedMessageResource",
              PARKED + "ParkedJobResource",
              PARKED + "RedriveProblem"));
    }
  }

  /** Wherever operators can act, what they did can be read. */
  @BuildStep
  void auditLog(
      BuildProducer<AdditionalIndexedClassesBuildItem> indexed,
      BuildProducer<AdditionalBeanBuildItem> beans) {
    indexed.produce(
        new AdditionalIndexedClassesBuildItem(
            AUDIT + "AuditResource", AUDIT + "AuditChoice", AUDIT + "AuditPage"));
    beans.produce(new AdditionalBeanBuildItem(AUDIT + "AuditResource"));
  }

  /** Each service shows how it is; the one that leads sagas shows the others, too. */
  @BuildStep
  void participants(
      ApplicationArchivesBuildItem archives,
      BuildProducer<AdditionalIndexedClassesBuildItem> indexed,
      BuildProducer<AdditionalBeanBuildItem> beans) {
    indexed.produce(
        new AdditionalIndexedClassesBuildItem(
            PARTICIPANTS + "ParticipantResource",
            PARTICIPANTS + "ParticipantView",
            PARTICIPANTS + "PauseReason"));
    beans.produce(
        new AdditionalBeanBuildItem(
            PARTICIPANTS + "ParticipantResource",
            PARTICIPANTS + "Participants",
            PARTICIPANTS + "QueueStates"));
    if (ConsoleProcessor.leadsSagas(archives)) {
      indexed.produce(
          new AdditionalIndexedClassesBuildItem(
              PARTICIPANTS + "ServicesResource",
              PARTICIPANTS + "ServiceParkedJobs",
              PARTICIPANTS + "ServiceView"));
      beans.produce(
          new AdditionalBeanBuildItem(
              PARTICIPANTS + "ServicesResource",
              PARTICIPANTS + "ServiceParkedJobs",
              PARTICIPANTS + "ServiceProxy"));
    }
  }

  /** For the timeline of a saga: when its steps arrived here and were answered. */
  @BuildStep
  void handledSteps(
      BuildProducer<AdditionalIndexedClassesBuildItem> indexed,
      BuildProducer<AdditionalBeanBuildItem> beans) {
    indexed.produce(
        new AdditionalIndexedClassesBuildItem(
            STEPS + "HandledStepsResource", STEPS + "StepsQuestion", STEPS + "StepsAnswer"));
    beans.produce(new AdditionalBeanBuildItem(STEPS + "HandledStepsResource"));
  }

  private static boolean hasResource(ApplicationArchivesBuildItem archives, String path) {
    return archives.getAllApplicationArchives().stream()
        .flatMap(archive -> archive.getIndex().getAnnotations(PATH).stream())
        .filter(annotation -> annotation.target().kind() == AnnotationTarget.Kind.CLASS)
        .map(AnnotationInstance::value)
        .anyMatch(value -> value.asString().equals(path));
  }
}
