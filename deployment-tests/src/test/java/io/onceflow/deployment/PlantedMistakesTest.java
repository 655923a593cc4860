package io.onceflow.deployment;

import static io.onceflow.deployment.Overlay.LOCAL;
import static io.onceflow.deployment.Overlay.PRODUCTION;
import static io.onceflow.deployment.Overlay.TRACED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each check goes red when what it is there for goes wrong, and says where. */
class PlantedMistakesTest {

  private static final String ORDERS = "Deployment order-service";
  private static final String CONTAINER = "/spec/template/spec/containers/0";

  static Stream<Mistake> againstTheSchemas() {
    return Stream.of(
        Mistake.in(LOCAL, "a field that does not exist")
            .set(ORDERS, CONTAINER + "/imagePullPolcy", "Always")
            .noticedBy("schemas", "imagePullPolcy"),
        Mistake.in(LOCAL, "a field in the wrong place")
            .set(ORDERS, "/spec/template/readinessGates", "[]")
            .noticedBy("schemas", "readinessGates"),
        Mistake.in(LOCAL, "a field that is required and missing")
            .removeField(ORDERS, "/spec/selector")
            .noticedBy("schemas", "selector"),
        Mistake.in(LOCAL, "a text where a number should be")
            .set("HorizontalPodAutoscaler order-service", "/spec/maxReplicas", "six")
            .noticedBy("schemas", "six"),
        Mistake.in(LOCAL, "a version of the API that does not exist")
            .set("PodDisruptionBudget order-service", "/apiVersion", "policy/v1beta1")
            .noticedBy("schemas", "no schema of policy/v1beta1"),
        Mistake.in(PRODUCTION, "a field that the operator does not know")
            .set("Cluster orders", "/spec/instanses", "3")
            .noticedBy("schemas", "/spec/instanses is not a field"),
        Mistake.in(PRODUCTION, "a word that the operator does not know")
            .set("Cluster orders", "/spec/postgresql/synchronous/method", "some")
            .noticedBy("schemas", "breaks enum"),
        Mistake.in(PRODUCTION, "a number where the operator wants a text")
            .set("ScaledObject order-service", "/spec/triggers/0/metadata/value", "100")
            .noticedBy("schemas", "breaks type"),
        Mistake.in(PRODUCTION, "a label that is no text")
            .set("Cluster orders", "/metadata/labels", "{a: {b: c}}")
            .noticedBy("schemas", "Cluster orders"));
  }

  static Stream<Mistake> inReferences() {
    return Stream.of(
        Mistake.in(LOCAL, "a Secret that is missing")
            .remove("Secret orders-database")
            .noticedBy("references", "refers to a missing Secret orders-database"),
        Mistake.in(PRODUCTION, "a Secret that nobody makes any more")
            .remove("ExternalSecret payments-database")
            .noticedBy("references", "refers to a missing Secret payments-database"),
        Mistake.in(PRODUCTION, "a Secret without the key")
            .set("ExternalSecret orders-database", "/spec/data/1/secretKey", "passwort")
            .noticedBy("references", "no key password"),
        Mistake.in(LOCAL, "a ConfigMap that is missing")
            .remove("ConfigMap payment-service")
            .noticedBy("references", "refers to a missing ConfigMap payment-service"),
        Mistake.in(LOCAL, "a ConfigMap without the key")
            .plant(cluster -> cluster.provided().getFirst().putArray("keys").add("public.pem"))
            .noticedBy("references", "no key publicKey.pem"),
        Mistake.in(LOCAL, "a service account that is missing")
            .remove("ServiceAccount shipping-service")
            .noticedBy("references", "refers to a missing ServiceAccount shipping-service"),
        Mistake.in(LOCAL, "a StatefulSet without its Service")
            .remove("Service rabbitmq-nodes")
            .noticedBy("references", "refers to a missing Service rabbitmq-nodes"),
        Mistake.in(LOCAL, "an autoscaler of nothing")
            .set("HorizontalPodAutoscaler order-service", "/spec/scaleTargetRef/name", "orders")
            .noticedBy("references", "refers to a missing Deployment orders"),
        Mistake.in(LOCAL, "a mount of no volume")
            .set(ORDERS, CONTAINER + "/volumeMounts/0/name", "temp")
            .noticedBy("references", "mounts a missing volume"),
        Mistake.in(PRODUCTION, "a trigger without its authentication")
            .remove("TriggerAuthentication rabbitmq")
            .noticedBy("references", "refers to a missing TriggerAuthentication rabbitmq"),
        Mistake.in(PRODUCTION, "a certificate that nobody asks for")
            .remove("Certificate orders-tls")
            .noticedBy("references", "refers to a missing Secret orders-tls"),
        Mistake.in(PRODUCTION, "something promised that nobody needs")
            .remove("Certificate orders-tls")
            .noticedBy("provided", "ClusterIssuer onceflow is to be provided"));
  }

  static Stream<Mistake> inSelectors() {
    String name = "app.kubernetes.io~1name";
    return Stream.of(
        Mistake.in(LOCAL, "a Service of no pods")
            .set("Service order-service", "/spec/selector/" + name, "orders")
            .noticedBy("selectors", "Service order-service selects no pod"),
        Mistake.in(LOCAL, "a disruption budget of no pods")
            .set(
                "PodDisruptionBudget order-service", "/spec/selector/matchLabels/" + name, "orders")
            .noticedBy("selectors", "PodDisruptionBudget order-service selects no pod"),
        Mistake.in(LOCAL, "a policy about no pods")
            .set("NetworkPolicy order-service", "/spec/podSelector/matchLabels/" + name, "orders")
            .noticedBy("selectors", "NetworkPolicy order-service selects no pod"),
        Mistake.in(LOCAL, "a policy for no caller")
            .set(
                "NetworkPolicy rabbitmq",
                "/spec/ingress/0/from/0/podSelector/matchLabels",
                "{app.kubernetes.io/component: services}")
            .noticedBy("selectors", "NetworkPolicy rabbitmq selects no pod"),
        Mistake.in(LOCAL, "a Deployment that does not find its pods")
            .set(ORDERS, "/spec/selector/matchLabels/" + name, "orders")
            .noticedBy("selectors", "does not select its own pods"),
        Mistake.in(LOCAL, "replicas that are spread by the wrong label")
            .set(
                ORDERS,
                "/spec/template/spec/topologySpreadConstraints/0/labelSelector/matchLabels/" + name,
                "payment-service")
            .noticedBy("selectors", "spreads other pods than its own"),
        Mistake.in(PRODUCTION, "a monitor of no Service")
            .set("ServiceMonitor services", "/spec/selector/matchLabels", "{a: b}")
            .noticedBy("selectors", "ServiceMonitor services selects no Service"),
        Mistake.in(PRODUCTION, "a database whose pods lost the label of the policies")
            .removeField("Cluster orders", "/spec/inheritedMetadata/labels")
            .noticedBy("selectors", "NetworkPolicy orders-database selects no pod"));
  }

  static Stream<Mistake> inPorts() {
    return Stream.of(
        Mistake.in(LOCAL, "a probe of a port with the wrong name")
            .set(ORDERS, CONTAINER + "/readinessProbe/httpGet/port", "managment")
            .noticedBy("ports", "has no port \"managment\" for its readinessProbe"),
        Mistake.in(LOCAL, "a Service's port with the wrong name")
            .set("Service order-service", "/spec/ports/0/targetPort", "https")
            .noticedBy("ports", "does not open port \"https\""),
        Mistake.in(LOCAL, "a port that the service does not open")
            .set(ORDERS, CONTAINER + "/ports/0/containerPort", "8083")
            .noticedBy("ports", "declares ports {http=8083, management=9000}"),
        Mistake.in(PRODUCTION, "a monitor of a port with the wrong name")
            .set("ServiceMonitor services", "/spec/endpoints/0/port", "metrics")
            .noticedBy("ports", "has no port \"metrics\""),
        Mistake.in(PRODUCTION, "a monitor of pods by a port with the wrong name")
            .set("PodMonitor databases", "/spec/podMetricsEndpoints/0/port", "prometheus")
            .noticedBy("ports", "does not open port \"prometheus\""),
        Mistake.in(PRODUCTION, "a route to a port that the Service has not")
            .set("HTTPRoute order-service", "/spec/rules/0/backendRefs/0/port", "80")
            .noticedBy("ports", "Service order-service has no port 80"),
        Mistake.in(LOCAL, "a policy with the wrong port")
            .set("NetworkPolicy orders-database", "/spec/ingress/0/ports/0/port", "5433")
            .noticedBy("policies", "postgres does not open port 5433"),
        Mistake.in(PRODUCTION, "a policy of all ports")
            .removeField("NetworkPolicy services-to-rabbitmq", "/spec/egress/0/ports")
            .noticedBy("policies", "allows all ports"),
        Mistake.in(PRODUCTION, "a policy that leaves the broker's port in the clear open")
            .set("NetworkPolicy rabbitmq", "/spec/ingress/0/ports/0/port", "5672")
            .noticedBy("policies", "rabbitmq does not open port 5672"));
  }

  static Stream<Mistake> inWhatServicesCall() {
    return Stream.of(
        Mistake.in(LOCAL, "a policy that keeps a service from its database")
            .set("NetworkPolicy order-service", "/spec/egress/0/ports/0/port", "5433")
            .noticedBy("addresses", "no policy lets it reach postgres"),
        Mistake.in(PRODUCTION, "a broker that nobody may reach")
            .remove("NetworkPolicy services-to-rabbitmq")
            .noticedBy("addresses", "no policy lets it reach rabbitmq"),
        Mistake.in(PRODUCTION, "a database by another name")
            .set(
                "ConfigMap order-service",
                "/data/QUARKUS_DATASOURCE_JDBC_URL",
                "jdbc:postgresql://order-rw:5432/orders")
            .noticedBy("addresses", "order-rw:5432, which is no Service"),
        Mistake.in(PRODUCTION, "a queue that is looked up in the wrong place")
            .set(
                "ScaledObject payment-service",
                "/spec/triggers/0/metadata/host",
                "amqps://rabbit.onceflow.svc:5671/")
            .noticedBy("addresses", "rabbit:5671, which is no Service"),
        Mistake.in(PRODUCTION, "a queue that the service does not read")
            .set("ScaledObject payment-service", "/spec/triggers/0/metadata/queueName", "payments")
            .noticedBy("queues", "looks at \"payments\""),
        Mistake.in(PRODUCTION, "a queue that the broker's user may not read")
            .set("Permission payment-service", "/spec/permissions/read", "^payment-service$")
            .noticedBy("queues", "does not let read payment-service.commands"),
        Mistake.in(TRACED, "a collector that nobody may reach")
            .remove("NetworkPolicy services-to-collector")
            .noticedBy("addresses", "otel-collector.observability.svc:4317, and no policy lets it"),
        Mistake.in(TRACED, "a collector at a port that no policy is about")
            .set(
                "ConfigMap onceflow",
                "/data/QUARKUS_OTEL_EXPORTER_OTLP_ENDPOINT",
                "http://otel-collector.observability.svc:4318")
            .noticedBy("addresses", "otel-collector.observability.svc:4318, and no policy lets it"),
        Mistake.in(LOCAL, "a setting that is misspelt")
            .set("ConfigMap onceflow", "/data/RABBITMQ_PROT", "5672")
            .noticedBy("environments", "does not read RABBITMQ_PROT"));
  }

  static Stream<Mistake> inTheBrokersTls() {
    String settings = "ConfigMap onceflow";
    return Stream.of(
        Mistake.in(PRODUCTION, "a service that speaks to the broker in the clear")
            .set(settings, "/data/ONCEFLOW_BROKER_TLS_ENABLED", "'false'")
            .noticedBy("broker tls", "order-service speaks TLS where the broker does"),
        Mistake.in(LOCAL, "a service that asks for TLS where there is none")
            .set(settings, "/data/ONCEFLOW_BROKER_TLS_ENABLED", "'true'")
            .noticedBy("broker tls", "order-service speaks TLS where the broker does"),
        Mistake.in(PRODUCTION, "a service that calls the broker by a name not certified")
            .set(settings, "/data/RABBITMQ_HOST", "rabbitmq")
            .noticedBy("broker tls", "Deployment order-service calls the broker rabbitmq"),
        Mistake.in(PRODUCTION, "a service that calls the broker at the wrong port")
            .set(settings, "/data/RABBITMQ_PORT", "'15671'")
            .noticedBy("broker tls", "order-service calls the port for TLS"),
        Mistake.in(PRODUCTION, "an authority's file that is not mounted")
            .set(settings, "/data/ONCEFLOW_BROKER_TLS_CA", "/etc/onceflow/broker-ca/tls.crt")
            .noticedBy("broker tls", "has the file of the broker's authority"),
        Mistake.in(PRODUCTION, "a scaler that knows no authority")
            .set("ConfigMap keda-broker", "/data/tls", "disable")
            .noticedBy("broker tls", "ScaledObject order-service knows the broker's authority"),
        Mistake.in(PRODUCTION, "a scaler that speaks in the clear")
            .set(
                "ScaledObject order-service",
                "/spec/triggers/0/metadata/host",
                "amqp://rabbitmq.onceflow.svc:5671")
            .noticedBy("broker tls", "ScaledObject order-service speaks TLS"),
        Mistake.in(PRODUCTION, "a broker without its certificate")
            .remove("Certificate rabbitmq-tls")
            .noticedBy("references", "RabbitmqCluster rabbitmq refers to a missing Secret"),
        Mistake.in(PRODUCTION, "a broker's certificate that nobody signs")
            .remove("Issuer broker")
            .noticedBy("references", "refers to a missing Issuer broker"));
  }

  static Stream<Mistake> inTheBrokersRights() {
    return Stream.of(
        Mistake.in(PRODUCTION, "a service that may write where the script does not let it")
            .set("Permission payment-service", "/spec/permissions/write", "'.*'")
            .noticedBy("broker rights", "the overlay has Right[user=payment-service"),
        Mistake.in(PRODUCTION, "a service that may bind another's keys")
            .set("TopicPermission payment-service-commands", "/spec/permissions/read", "'.*'")
            .noticedBy("broker rights", "exchange=onceflow.commands"),
        Mistake.in(PRODUCTION, "an exchange whose keys are free")
            .remove("TopicPermission order-service-events")
            .noticedBy("broker rights", "create-users.sh has Right[user=order-service"),
        Mistake.in(PRODUCTION, "a scaler that may read messages")
            .set("Permission keda", "/spec/permissions/read", "'.*'")
            .noticedBy("broker rights", "the overlay has Right[user=keda"),
        Mistake.in(PRODUCTION, "rights of a user that is missing")
            .remove("User shipping-service")
            .noticedBy("references", "refers to a missing User shipping-service"));
  }

  static Stream<Mistake> inAlerts() {
    return Stream.of(
        Mistake.in(PRODUCTION, "an alert that is not what alerts.yml says")
            .set("PrometheusRule onceflow", "/spec/groups/0/rules/0/for", "5m")
            .noticedBy("alerts", "PrometheusRule onceflow differs"),
        Mistake.in(PRODUCTION, "metrics that nobody is alerted by")
            .remove("PrometheusRule onceflow")
            .noticedBy("alerts", "nobody is alerted"));
  }

  static Stream<Mistake> inScaling() {
    return Stream.of(
        Mistake.in(PRODUCTION, "two scalers of one service")
            .plant(
                cluster ->
                    cluster
                        .manifests()
                        .add(
                            Cluster.of(LOCAL)
                                .find("HorizontalPodAutoscaler", "order-service")
                                .orElseThrow()))
            .noticedBy("scaling", "Deployment order-service is scaled by"),
        Mistake.in(PRODUCTION, "more replicas than the database has connections for")
            .set("ScaledObject order-service", "/spec/maxReplicaCount", "12")
            .noticedBy("scaling", "Cluster orders takes 300 connections"),
        Mistake.in(LOCAL, "replicas that two decide about")
            .set(ORDERS, "/spec/replicas", "2")
            .noticedBy("scaling", "says how many replicas"),
        Mistake.in(LOCAL, "a service without a disruption budget")
            .remove("PodDisruptionBudget payment-service")
            .noticedBy("scaling", "payment-service has no disruption budget"));
  }

  static Stream<Mistake> inMemory() {
    return Stream.of(
        Mistake.in(LOCAL, "a limit of memory that nobody has measured")
            .set(ORDERS, CONTAINER + "/resources/limits/memory", "512Mi")
            .noticedBy("memory", "/resources/limits/memory of \"service\" is 512Mi"),
        Mistake.in(PRODUCTION, "memory that is used and not asked for")
            .removeField(ORDERS, CONTAINER + "/resources/requests/memory")
            .noticedBy("memory", "/resources/requests/memory of \"service\" is ,"));
  }

  static Stream<Mistake> inPodSecurity() {
    String pod = "/spec/template/spec";
    return Stream.of(
        Mistake.in(LOCAL, "a pod that may run as root")
            .removeField(ORDERS, pod + "/securityContext/runAsNonRoot")
            .noticedBy("pod security", "runs as another than root"),
        Mistake.in(LOCAL, "a capability that is kept")
            .set(ORDERS, CONTAINER + "/securityContext/capabilities/drop", "[NET_RAW]")
            .noticedBy("pod security", "drops all capabilities"),
        Mistake.in(LOCAL, "a root file system that can be written to")
            .removeField(ORDERS, CONTAINER + "/securityContext/readOnlyRootFilesystem")
            .noticedBy("pod security", "read-only root file system"),
        Mistake.in(LOCAL, "no seccomp profile")
            .removeField("StatefulSet postgres", pod + "/securityContext/seccompProfile")
            .noticedBy("pod security", "StatefulSet postgres has a seccomp profile"),
        Mistake.in(LOCAL, "a token of the cluster's API")
            .set("ServiceAccount order-service", "/automountServiceAccountToken", "true")
            .noticedBy("pod security", "ServiceAccount order-service gets no token"),
        Mistake.in(LOCAL, "a volume from the node")
            .set(ORDERS, pod + "/volumes/0", "{name: tmp, hostPath: {path: /tmp}}")
            .noticedBy("pod security", "mounts what the profile allows"));
  }

  @ParameterizedTest
  @MethodSource({
    "againstTheSchemas",
    "inReferences",
    "inSelectors",
    "inPorts",
    "inWhatServicesCall",
    "inAlerts",
    "inTheBrokersTls",
    "inTheBrokersRights",
    "inScaling",
    "inMemory",
    "inPodSecurity"
  })
  void aPlantedMistakeIsNoticed(Mistake mistake) {
    Cluster cluster = Cluster.of(mistake.overlay());
    Check check = Objects.requireNonNull(OverlaysTest.CHECKS.get(mistake.check()));
    List<String> before = check.problems(cluster);

    mistake.planted().accept(cluster);

    assertThat(before).isEmpty();
    assertThat(check.problems(cluster))
        .anySatisfy(problem -> assertThat(problem).contains(mistake.said()));
  }
}
