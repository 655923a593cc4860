#!/bin/bash
# Runs once, when the volume is still empty: a database for each service, and the users that get into it and into no
# other. Tables are not made here; each service migrates its own at start.
#
# Passwords: ORDERS_PASSWORD, PAYMENTS_PASSWORD, SHIPPING_PASSWORD, of the users orders, payments, shipping. They own their
# databases, unless there are ORDERS_MIGRATIONS_PASSWORD and so on too: then a user orders_migrations owns the database
# orders and makes its tables, and the user orders may read and write rows, and nothing else. docs/operations/security.md has more.
set -euo pipefail

run_sql() {
  psql --no-psqlrc --quiet -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" "$@"
}

# Gives a database and the user of the same name. psql quotes what it fills in: an odd password stays a password.
create_database() {
  run_sql --dbname postgres -v name="$1" -v password="$2" <<'SQL'
CREATE ROLE :"name" LOGIN PASSWORD :'password';
-- Always UTF-8: a server without a locale would make it SQL_ASCII.
CREATE DATABASE :"name" OWNER :"name" ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE :"name" FROM PUBLIC;
SQL
}

# Has another user own the database, and leaves rows to the first. What is granted by default reaches every table that a
# migration will make.
separate_migrations() {
  run_sql --dbname "$1" -v name="$1" -v owner="$1_migrations" -v password="$2" <<'SQL'
CREATE ROLE :"owner" LOGIN PASSWORD :'password';
ALTER DATABASE :"name" OWNER TO :"owner";
REVOKE ALL ON DATABASE :"name" FROM :"name";
GRANT CONNECT ON DATABASE :"name" TO :"name";
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" GRANT USAGE ON SCHEMAS TO :"name";
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO :"name";
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" GRANT USAGE, SELECT ON SEQUENCES TO :"name";
SQL
}

create_database orders "${ORDERS_PASSWORD:?}"
create_database payments "${PAYMENTS_PASSWORD:?}"
create_database shipping "${SHIPPING_PASSWORD:?}"

if [[ -n "${ORDERS_MIGRATIONS_PASSWORD:-}" ]]; then separate_migrations orders "$ORDERS_MIGRATIONS_PASSWORD"; fi
if [[ -n "${PAYMENTS_MIGRATIONS_PASSWORD:-}" ]]; then separate_migrations payments "$PAYMENTS_MIGRATIONS_PASSWORD"; fi
if [[ -n "${SHIPPING_MIGRATIONS_PASSWORD:-}" ]]; then separate_migrations shipping "$SHIPPING_MIGRATIONS_PASSWORD"; fi

# What PostgreSQL lets everybody into unless told otherwise.
run_sql --dbname postgres --command 'REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC'
