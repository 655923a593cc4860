#!/bin/bash
# Gives each service a user of its own on the broker, who may do what the service does and no more. It can be run again,
# to change a password. Run it inside of the broker, once it is up:
#
#   docker compose exec -T -e ORDER_SERVICE_PASSWORD=… -e PAYMENT_SERVICE_PASSWORD=… -e SHIPPING_SERVICE_PASSWORD=… \
#     rabbitmq bash < deploy/rabbitmq/create-users.sh
#
# The services declare exchanges, queues and bindings themselves, the same every time. For that a user needs: `configure`
# of what it declares; `write` to a queue and `read` from the exchange that it binds together; `read` from its queue and
# `write` to its dead letters. Which keys it may send and bind is said for each exchange.
set -euo pipefail

# A text as JSON wants it between quotes.
quoted() {
  local text="${1//\\/\\\\}"
  printf '%s' "${text//\"/\\\"}"
}

vhost="$(quoted "${RABBITMQ_VIRTUAL_HOST:-/}")"

user() {
  printf '{"name": "%s", "password": "%s", "tags": ""}' "$1" "$(quoted "$2")"
}

# A user, its queue, the exchanges that it writes to and the one that it reads from.
permission() {
  printf '{"user": "%s", "vhost": "%s", "configure": "%s", "write": "%s", "read": "%s"}' "$1" "$vhost" \
    "^(onceflow[.](commands|replies|events|dead-letters)|$2)\$" \
    "^(onceflow[.]($3|dead-letters)|$2)\$" \
    "^(onceflow[.]($4|dead-letters)|$2)\$"
}

# A user, an exchange, the routing keys that it may send there and those that it may bind; ^$ is none.
topic() {
  printf '{"user": "%s", "vhost": "%s", "exchange": "onceflow.%s", "write": "%s", "read": "%s"}' "$1" "$vhost" "$2" "$3" "$4"
}

# What a participant may: its name, its queue, and the first word of its commands' keys.
participant() {
  topic "$1" commands '^$' "^$3[.]#\$"
  printf ','
  topic "$1" replies '^order-service$' '^$'
  printf ','
  topic "$1" events '^$' '^$'
  printf ','
  topic "$1" dead-letters "^$2\$" "^$2\$"
}

# In one go, by a file that only the broker's user can read: no list of processes shows a password.
file="$(mktemp)"
trap 'rm -f "$file"' EXIT
if [[ $(id -u) == 0 ]]; then chown rabbitmq "$file"; fi
cat >"$file" <<JSON
{
  "users": [
    $(user order-service "${ORDER_SERVICE_PASSWORD:?}"),
    $(user payment-service "${PAYMENT_SERVICE_PASSWORD:?}"),
    $(user shipping-service "${SHIPPING_SERVICE_PASSWORD:?}")
  ],
  "permissions": [
    $(permission order-service 'order-service[.]replies' 'commands|events' replies),
    $(permission payment-service 'payment-service[.]commands' replies commands),
    $(permission shipping-service 'shipping-service[.]commands' replies commands)
  ],
  "topic_permissions": [
    $(topic order-service commands '^(payment|shipping)[.]' '^$'),
    $(topic order-service replies '^$' '^order-service[.]#$'),
    $(topic order-service events '^order[.]' '^$'),
    $(topic order-service dead-letters '^order-service[.]replies$' '^order-service[.]replies$'),
    $(participant payment-service 'payment-service[.]commands' payment),
    $(participant shipping-service 'shipping-service[.]commands' shipping)
  ]
}
JSON
# Its standard input may be this script, of which it must not read the rest.
rabbitmqctl --quiet import_definitions "$file" </dev/null
