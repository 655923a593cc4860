#!/bin/bash
# Brings exchanges, queues, bindings, policy, users and their permissions to a broker, as an administrator: the services may
# configure nothing. What it brings is definitions.json beside this file, which is generated; passwords are taken from the
# environment:
#
#   BROKER_ADMINISTRATOR, BROKER_ADMINISTRATOR_PASSWORD
#   ORDER_SERVICE_PASSWORD, PAYMENT_SERVICE_PASSWORD, SHIPPING_SERVICE_PASSWORD
#
# definitions.sh render    prints the definitions with the passwords
# definitions.sh import    imports them into the broker of this machine or container that is up; it can be run again
# definitions.sh start     starts the image's RabbitMQ, which imports them each time that it starts
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"

# A text as JSON wants it between quotes.
quoted() {
  local text="${1//\\/\\\\}"
  printf '%s' "${text//\"/\\\"}"
}

render() {
  local text name
  text="$(<"$here/definitions.json")"
  for name in BROKER_ADMINISTRATOR BROKER_ADMINISTRATOR_PASSWORD \
    ORDER_SERVICE_PASSWORD PAYMENT_SERVICE_PASSWORD SHIPPING_SERVICE_PASSWORD; do
    # Quoted: in a replacement an ampersand would stand for what is replaced.
    text="${text//"\${$name}"/"$(quoted "${!name:?is not set}")"}"
  done
  printf '%s\n' "$text"
}

# By a file that only the broker's user can read: no list of processes shows a password.
write() {
  (umask 077 && render >"$1")
  if [[ $(id -u) == 0 ]]; then chown rabbitmq "$1"; fi
}

case "${1:-}" in
  render)
    render
    ;;
  import)
    file="$(mktemp)"
    trap 'rm -f "$file"' EXIT
    write "$file"
    rabbitmqctl --quiet import_definitions "$file"
    ;;
  start)
    write /etc/rabbitmq/onceflow-definitions.json
    printf 'load_definitions = /etc/rabbitmq/onceflow-definitions.json\n' >/etc/rabbitmq/conf.d/30-definitions.conf
    exec docker-entrypoint.sh rabbitmq-server
    ;;
  *)
    echo "usage: definitions.sh render|import|start" >&2
    exit 2
    ;;
esac
