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
              PARKED + "ParkedMessageResource", PARKED + "Redriven"));
      beans.produce(
          new AdditionalBeanBuildItem(
              PARKED + "ParkedMessageResource", PARKED + "NothingRedacted"));
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

  private static boolean hasResource(ApplicationArchivesBuildItem archives, String path) {
    return archives.getAllApplicationArchives().stream()
        .flatMap(archive -> archive.getIndex().getAnnotations(PATH).stream())
        .filter(annotation -> annotation.target().kind() == AnnotationTarget.Kind.CLASS)
        .map(AnnotationInstance::value)
        .anyMatch(value -> value.asString().equals(path));
  }
}
