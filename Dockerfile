# Every image of Onceflow:
#
#   docker build --target service --build-arg SERVICE=order-service -t onceflow/order-service .
#   docker build --target tools -t onceflow/tools .
#
#   docker build --target stripe-double -t onceflow/stripe-double .
#
# docker-compose.yml does it for all of them. They share one Maven run and one training run: the stages before the last
# ones do not know which image they are for, so that their results serve them all. Plain instructions only: the classic
# builder takes them as well as BuildKit.

FROM maven:3.9-eclipse-temurin-25 AS sources
WORKDIR /source
COPY . .
# Concerns the images and not the build, which need not be done again for it.
RUN rm -r deploy


# The poms alone. What is copied from here changes when a dependency does, not when code does.
FROM sources AS poms
RUN find . -type f ! -name pom.xml -delete && find . -mindepth 1 -type d -empty -delete


FROM maven:3.9-eclipse-temurin-25 AS build
# What the services are built for: rabbitmq, messaging or kafka (docs/reference/transports.md).
ARG TRANSPORT=rabbitmq
# With launcher/kafka, which is a broker to train on, where it is Kafka.
ARG PROJECTS=order-service,payment-service,shipping-service,launcher,integrations/stripe-double
# A repository outside ~/.m2, which images may declare as a volume: what is put there would not be kept.
ENV MAVEN_ARGS="--batch-mode --no-transfer-progress -Dmaven.repo.local=/maven"
WORKDIR /source
COPY --from=poms /source .
# A rehearsal: the same build on modules that are still empty asks for every plugin and library of the
# real one, those that Quarkus resolves by itself included. This layer is made anew only for changed poms.
RUN mvn package -DskipTests -Donceflow.transport=${TRANSPORT} --projects ${PROJECTS} --also-make \
    && find . -name target -prune -exec rm -rf {} +
COPY --from=sources /source .
RUN mvn package -DskipTests -Donceflow.transport=${TRANSPORT} --projects ${PROJECTS} --also-make
# Our own libraries move out from among those of others, which seldom change, so that they do not drag them along; and so do
# the servers that the launcher brings, which the training needs and no image.
RUN set -e; \
    for app in */target/quarkus-app-${TRANSPORT}; do \
      test ! -d "$app" || mv "$app" "${app%-*}"; \
    done; \
    mkdir -p launcher/kafka/target; \
    for app in */target/quarkus-app; do \
      mkdir -p "$app/own/lib/main"; \
      mv "$app"/lib/main/io.onceflow.* "$app/own/lib/main/"; \
    done; \
    cd launcher/target; \
    mkdir servers; \
    mv lib/embedded-* servers/; \
    find . -maxdepth 1 -name 'onceflow-launcher-*.jar' ! -name '*-tests.jar' -exec mv {} launcher.jar \;
# The JVM's cache is only for the very files that it was made with, by their times too; and a layer may come from an earlier
# build with the same content.
RUN find */target integrations/*/target -exec touch --no-dereference --date=2026-01-01T00:00:00Z {} +


# Teaches the JVM how the services start: they do so on the launcher's embedded servers, and what is loaded and linked on
# the way is kept in a cache. On the Java that is to run them, for the cache
# is of use to that one alone; with another one the services start all the same, only slower.
FROM eclipse-temurin:25-jre AS training
RUN useradd --uid 10001 --create-home onceflow \
    && install --directory --owner onceflow --mode 755 /training /caches
WORKDIR /training
COPY --from=build /source/launcher/target/lib lib/
COPY --from=build /source/launcher/target/servers lib/
COPY --from=build /source/launcher/target/launcher.jar /source/services.yaml ./
COPY --from=build /source/order-service/target/quarkus-app order-service/target/quarkus-app/
COPY --from=build /source/order-service/target/quarkus-app/own order-service/target/quarkus-app/
COPY --from=build /source/payment-service/target/quarkus-app payment-service/target/quarkus-app/
COPY --from=build /source/payment-service/target/quarkus-app/own payment-service/target/quarkus-app/
COPY --from=build /source/shipping-service/target/quarkus-app shipping-service/target/quarkus-app/
COPY --from=build /source/shipping-service/target/quarkus-app/own shipping-service/target/quarkus-app/
COPY --from=build /source/launcher/kafka/target launcher/kafka/target/
COPY deploy/image ./
USER onceflow
ARG TRANSPORT=rabbitmq
RUN ./train ${TRANSPORT}


# The launcher's small commands, keys and token. Another user than the services', so that the private
# key is readable here and not there.
FROM eclipse-temurin:25-jre AS tools
RUN useradd --uid 10002 --no-create-home --home-dir /app --shell /usr/sbin/nologin onceflow-tools \
    && install --directory --owner onceflow-tools --group onceflow-tools --mode 755 /keys
WORKDIR /app
COPY --from=build /source/launcher/target/lib lib/
COPY --from=build /source/launcher/target/launcher.jar ./
USER onceflow-tools
ENTRYPOINT ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", "launcher.jar"]


# Stripe's API for trying out without an account: not for production, and of no use there.
FROM eclipse-temurin:25-jre AS stripe-double
RUN useradd --uid 10003 --no-create-home --home-dir /app --shell /usr/sbin/nologin stripe-double
WORKDIR /app
COPY --from=build /source/integrations/stripe-double/target/lib lib/
COPY --from=build /source/integrations/stripe-double/target/classes classes/
USER 10003:10003
ENTRYPOINT ["java", "-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", "classes:lib/*", "io.onceflow.stripedouble.StripeDoubleProcess"]


# Last, since the classic builder makes every stage before the one asked for, and this one needs a name.
FROM eclipse-temurin:25-jre AS service
RUN useradd --uid 10001 --no-create-home --home-dir /app --shell /usr/sbin/nologin onceflow
WORKDIR /app
ARG SERVICE
# What changes seldom comes first: a new version of ours is the last few layers.
COPY --from=build /source/${SERVICE}/target/quarkus-app/lib lib/
COPY --from=build /source/${SERVICE}/target/quarkus-app/own ./
COPY --from=build /source/${SERVICE}/target/quarkus-app/quarkus-run.jar ./
COPY --from=build /source/${SERVICE}/target/quarkus-app/quarkus quarkus/
COPY --from=build /source/${SERVICE}/target/quarkus-app/app app/
COPY --from=build /source/${SERVICE}/target/bom.json sbom.cdx.json
COPY deploy/image/jvm.options deploy/image/small.options ./
COPY --from=training /caches/${SERVICE}.aot service.aot
ARG HTTP_PORT=8080
ARG MANAGEMENT_PORT=9000
ENV QUARKUS_HTTP_HOST=0.0.0.0 QUARKUS_HTTP_PORT=${HTTP_PORT} \
    QUARKUS_MANAGEMENT_HOST=0.0.0.0 QUARKUS_MANAGEMENT_PORT=${MANAGEMENT_PORT} \
    MALLOC_ARENA_MAX=2
EXPOSE ${HTTP_PORT} ${MANAGEMENT_PORT}
ARG VERSION=0.1.0-SNAPSHOT
ARG REVISION=unknown
LABEL org.opencontainers.image.title="${SERVICE}" \
      org.opencontainers.image.description="Onceflow: sagas whose every step takes effect exactly once or is undone exactly once" \
      org.opencontainers.image.vendor="Onceflow" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.base.name="docker.io/library/eclipse-temurin:25-jre"
# By number, so that Kubernetes sees that it is not root.
USER 10001:10001
# Bash speaks HTTP well enough, and unlike curl every base image has it. The answer goes to the health
# log (`docker inspect`), where it names the check that is down.
HEALTHCHECK --interval=5s --timeout=8s --start-period=180s --retries=3 CMD ["bash", "-c", "\
    exec 3<>/dev/tcp/127.0.0.1/$QUARKUS_MANAGEMENT_PORT || exit 1; \
    printf 'GET /q/health/ready HTTP/1.0\\r\\n\\r\\n' >&3; \
    answer=$(cat <&3); echo \"$answer\"; \
    [[ $answer == 'HTTP/1.'?' 200 '* ]]"]
# No shell in between: the JVM is the first process and hears SIGTERM.
ENTRYPOINT ["java", "@/app/jvm.options", "-XX:AOTCache=/app/service.aot", "-jar", "/app/quarkus-run.jar"]
