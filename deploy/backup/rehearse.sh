#!/usr/bin/env bash
# Rehearses the loss of the database server, in a Compose project and on ports of its own (docs/operations/backup.md):
#
#   deploy/backup/rehearse.sh
#
# Orders are placed while a base backup is taken, and after it. Then server, broker and their volumes are deleted, a new server is
# started from the backup, and the open sagas end. At last the books are compared with those of the payment gateway, which knows of
# more than the restored databases. Needs Docker Compose, curl, jq, and the images (docker compose build).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

ORDERS=${ORDERS:-60}
export ONCEFLOW_ORDER_PORT=18080 ONCEFLOW_ORDER_MANAGEMENT_PORT=19000 ONCEFLOW_PAYMENT_PORT=18081
export ONCEFLOW_PAYMENT_MANAGEMENT_PORT=19001 ONCEFLOW_SHIPPING_PORT=18082 ONCEFLOW_SHIPPING_MANAGEMENT_PORT=19002
export ONCEFLOW_POSTGRES_PORT=15432 ONCEFLOW_RABBITMQ_PORT=25672 ONCEFLOW_RABBITMQ_MANAGEMENT_PORT=25673
export ONCEFLOW_STRIPE_DOUBLE_PORT=18420
export COMPOSE_PROJECT_NAME=onceflow-rehearsal COMPOSE_PROFILES=stripe-double
export COMPOSE_FILE=docker-compose.yml:deploy/backup/rehearsal.yml

work=$(mktemp -d)
trap 'docker compose down --volumes >"$work/down.log" 2>&1; rm -r "$work"' EXIT

say() { printf '%s  %s\n' "$(date +%T)" "$*"; }

# Starts what does not run, and waits for it; on a busy machine for longer than Compose does.
start() {
  for _ in $(seq 40); do
    ! docker compose up --detach --wait "$@" >>"$work/compose.log" 2>&1 || return 0
    sleep 15
  done
  tail -n 20 "$work/compose.log" >&2
  exit 1
}

# Prints the one value of a query.
ask() {
  docker compose exec -T --user postgres postgres \
    psql --no-psqlrc --tuples-only --no-align --username "${POSTGRES_USER:-onceflow}" --dbname "$1" --command "$2"
}

open_sagas() { ask orders "SELECT count(*) FROM saga_instance WHERE status NOT IN ('COMPLETED', 'COMPENSATED')"; }

await_the_end_of_sagas() {
  for _ in $(seq 300); do
    [[ $(open_sagas) != 0 ]] || return 0
    sleep 2
  done
  echo "sagas are still open after ten minutes" >&2
  exit 1
}

# place NUMBER PAYMENT_METHOD COUNTRY: the key follows from the number, so that a repeat is one.
place() {
  curl --silent --fail --output /dev/null --retry 20 --retry-all-errors --retry-max-time 120 "localhost:$ONCEFLOW_ORDER_PORT/orders" \
    --header "Authorization: Bearer $customer" --header "Idempotency-Key: \"rehearsal-$1\"" \
    --header 'Content-Type: application/json' --data '
      {"currency": "EUR", "items": [{"sku": "BOOK-42", "quantity": 2, "unitAmount": 1250}], "paymentMethod": "'"$2"'",
       "shippingAddress": {"name": "Ada Lovelace", "line1": "12 St James Square", "city": "London",
                           "postalCode": "SW1Y 4JH", "country": "'"$3"'"}}'
}

# Four a second. The charges of half of them take three seconds, and a quarter is refunded since it cannot be shipped.
place_orders() {
  local number
  for number in $(seq "$ORDERS"); do
    case $((number % 4)) in
      0) place "$number" pm_card_visa GB & ;;
      1) place "$number" pm_card_visa AQ & ;;
      *) place "$number" pm_sim_slow GB & ;;
    esac
    sleep 0.25
  done
  wait
}

# Compares today's charges, and yesterday's at midnight; prints the open differences as JSON.
reconcile() {
  local run url="localhost:$ONCEFLOW_PAYMENT_PORT" day
  for day in $(date -u -d yesterday +%F) $(date -u +%F); do
    run=$(curl --silent --fail "$url/reconciliations" --header "$operator" --header 'Content-Type: application/json' \
      --data '{"comparison": "payments-gateway", "day": "'"$day"'"}' | jq --raw-output .id)
    until [[ $(curl --silent --fail "$url/reconciliations/$run" --header "$operator" | jq --raw-output .status) =~ COMPLETED|FAILED ]]; do
      sleep 1
    done
  done
  curl --silent --fail "$url/reconciliation-differences?status=OPEN&limit=500" --header "$operator" | jq --compact-output .differences
}

refund_strays() {
  local id
  for id in $(jq --raw-output '.[] | select(.kind == "MISSING_HERE") | .id' <<<"$1"); do
    curl --silent --fail --output /dev/null "localhost:$ONCEFLOW_PAYMENT_PORT/reconciliation-differences/$id/mend" \
      --header "$operator" --header 'Content-Type: application/json' --data '{"reason": "rehearsal: an order that the restore has lost"}'
  done
}

# Of the gateway: charges that stand, and orders that have been charged more than once.
charges() {
  curl --silent --fail --header "Authorization: Bearer sk_test_double" "localhost:$ONCEFLOW_STRIPE_DOUBLE_PORT/v1/payment_intents?limit=100" |
    jq --raw-output '.data[] | select(.status == "succeeded") | .metadata.onceflow_reference'
}

token() { docker compose run --rm -T token "$@" 2>>"$work/compose.log" | tail -n 1; }

say "starting"
start
customer=$(token alice)
operator="Authorization: Bearer $(token olga --operator)"

say "placing $ORDERS orders; a third of them before the backup"
place_orders &
placing=$!
until (($(ask orders 'SELECT count(*) FROM orders') >= ORDERS / 3)); do sleep 0.2; done
started=$(date +%s)
docker compose exec -T --user postgres postgres pg_basebackup --username "${POSTGRES_USER:-onceflow}" --checkpoint fast \
  --format tar --wal-method fetch --pgdata - >"$work/base.tar"
say "the backup took $(($(date +%s) - started)) s, $(du -m "$work/base.tar" | cut -f 1) MiB"
wait "$placing"
await_the_end_of_sagas
say "before the loss: $(ask orders 'SELECT count(*) FROM orders') orders, $(ask payments 'SELECT count(*) FROM payment') payments, $(charges | wc -l) charges at the gateway"

say "the server and the broker are lost, with their disks"
docker compose stop order-service payment-service shipping-service >>"$work/compose.log" 2>&1
docker compose rm --stop --force postgres rabbitmq >>"$work/compose.log" 2>&1
docker volume rm "${COMPOSE_PROJECT_NAME}_postgres" "${COMPOSE_PROJECT_NAME}_rabbitmq" >>"$work/compose.log"
started=$(date +%s)
docker compose run --rm -T --no-deps --entrypoint bash postgres -c '
  tar --extract --directory "$PGDATA" && chown -R postgres: "$PGDATA" && chmod 700 "$PGDATA"' <"$work/base.tar" >>"$work/compose.log" 2>&1
start postgres rabbitmq
say "the new server is up after $(($(date +%s) - started)) s: $(ask orders 'SELECT count(*) FROM orders') orders, sagas in flight: $(open_sagas)"

start
await_the_end_of_sagas
say "all sagas have ended $(($(date +%s) - started)) s after the loss: $(ask orders "SELECT string_agg(n || ' ' || status, ', ') FROM (SELECT status, count(*) AS n FROM orders GROUP BY status ORDER BY status) AS s")"
say "orders charged more than once: $(charges | sort | uniq -d | wc -l)"

found=$(reconcile)
say "reconciliation finds: $(jq --raw-output 'group_by(.kind) | map("\(length) \(.[0].kind)") | join(", ")' <<<"$found")"
refund_strays "$found"
say "after their repair: $(jq length <<<"$(reconcile)") differences"
