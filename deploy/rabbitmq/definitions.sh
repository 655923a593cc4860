#!/bin/bash
# Brings exchanges, queues, bindings, policy, users and their permissions to a broker, as an administrator: the services may
# configure nothing. What it brings is definitions.json beside this file, or the file that is named last, both made by
# ./onceflow topology; names and passwords are taken from the environment, those that are ${NAME} in the file:
#
#   BROKER_ADMINISTRATOR, BROKER_ADMINISTRATOR_PASSWORD
#   ORDER_SERVICE_PASSWORD and so on, for each service
#   SERVICE_TAGS, if it is set: management, for services that read the management API. An import takes away tags that were
#   given by hand
#
# definitions.sh render    prints the definitions with the passwords
# definitions.sh import    imports them into the broker of this machine or container that is up; it can be run again
# definitions.sh check     compares the broker with the definitions; one line for each difference, and it fails then
# definitions.sh start     starts the image's RabbitMQ, which imports them each time that it starts
set -euo pipefail

file="${2:-"$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/definitions.json"}"

# A text as JSON wants it between quotes.
quoted() {
  local text="${1//\\/\\\\}"
  printf '%s' "${text//\"/\\\"}"
}

render() {
  local text name
  text="$(<"$file")"
  for name in $(grep -o '[$]{[A-Z0-9_]*}' "$file" | tr -d '${}' | sort -u); do
    # Quoted: in a replacement an ampersand would stand for what is replaced.
    text="${text//"\${$name}"/"$(quoted "${!name:?is not set}")"}"
  done
  if [[ -n ${SERVICE_TAGS:-} ]]; then
    text="${text//\"tags\" : [[] []]/"\"tags\" : [ \"$(quoted "$SERVICE_TAGS")\" ]"}"
  fi
  printf '%s\n' "$text"
}

# By a file that only the broker's user can read: no list of processes shows a password.
write() {
  (umask 077 && render >"$1")
  if [[ $(id -u) == 0 ]]; then chown rabbitmq "$1"; fi
}

# A policy of the definitions, one "key value" a line.
policy() {
  sed -n '/"policies"/,$p' "$file" | sed -n '/"definition"/,/}/p' |
    sed -En 's/^ *"([a-z-]+)" : "?([^",{]+)"?,?$/\1 \2/p'
}

# The bindings of the definitions: "exchange queue key" a line.
bindings() {
  sed -n '/"bindings"/,/"policies"/p' "$file" |
    sed -En 's/^ *"(source|destination|routing_key)" : "([^"]+)",$/\2/p' | paste -d' ' - - -
}

# The queues that the policy is for.
queues() {
  sed -En 's/^ *"pattern" : "\^\((.+)\)\$",$/\1/p' "$file" | tr '|' '\n' | sed 's/\[[.]\]/./g'
}

# A foreign policy takes the place of ours, and an operator policy is added to it: a limit of length or time drops messages.
check() {
  local actual line queue name operator effective expected different=0
  actual="$(rabbitmqctl --quiet list_bindings --no-table-headers source_name destination_name routing_key | tr '\t' ' ')"
  while read -r line; do
    if ! grep -qxF -- "$line" <<<"$actual"; then
      echo "binding missing (exchange, queue, routing key): $line" >&2
      different=1
    fi
  done < <(bindings)
  actual="$(rabbitmqctl --quiet list_queues --no-table-headers name policy operator_policy effective_policy_definition)"
  expected="$(policy | sort)"
  while read -r queue; do
    line="$(grep -F -- "$queue"$'\t' <<<"$actual" || true)"
    if [[ -z $line ]]; then
      echo "queue missing: $queue" >&2
      different=1
      continue
    fi
    IFS='|' read -r _ name operator effective <<<"${line//$'\t'/|}"
    effective="$(sed -E 's/\}, \{/\n/g; s/[][{}<>"]//g' <<<"$effective" | sed 's/, / /' | sort)"
    if [[ $effective != "$expected" ]]; then
      echo "queue $queue is under policy \"$name\" and operator policy \"$operator\": ${effective//$'\n'/, }; expected ${expected//$'\n'/, }" >&2
      different=1
    fi
  done < <(queues)
  return "$different"
}

case "${1:-}" in
  render)
    render
    ;;
  import)
    rendered="$(mktemp)"
    trap 'rm -f "$rendered"' EXIT
    write "$rendered"
    rabbitmqctl --quiet import_definitions "$rendered"
    ;;
  check)
    check
    ;;
  start)
    write /etc/rabbitmq/onceflow-definitions.json
    printf 'load_definitions = /etc/rabbitmq/onceflow-definitions.json\n' >/etc/rabbitmq/conf.d/30-definitions.conf
    exec docker-entrypoint.sh rabbitmq-server
    ;;
  *)
    echo "usage: definitions.sh render|import|check|start [FILE]" >&2
    exit 2
    ;;
esac
