#!/bin/bash
# Runs once, when the volume is still empty: a database for each service, owned by a user of its own that
# gets into no other. Tables are not made here; each service migrates its own at start.
#
# Passwords: ORDERS_PASSWORD, PAYMENTS_PASSWORD, SHIPPING_PASSWORD.
set -euo pipefail

run_sql() {
  psql --no-psqlrc --quiet -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres "$@"
}

# Gives a database and the user of the same name. psql quotes what it fills in: an odd password stays a password.
create_database() {
  run_sql -v name="$1" -v password="$2" <<'SQL'
CREATE ROLE :"name" LOGIN PASSWORD :'password';
-- UTF-8 whatever the server's locale is: a server without one would make it SQL_ASCII.
CREATE DATABASE :"name" OWNER :"name" ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE :"name" FROM PUBLIC;
SQL
}

create_database orders "${ORDERS_PASSWORD:?}"
create_database payments "${PAYMENTS_PASSWORD:?}"
create_database shipping "${SHIPPING_PASSWORD:?}"

# What PostgreSQL lets everybody into unless told otherwise.
run_sql --command 'REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC'
