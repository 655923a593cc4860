-- One ledger whose effects cost money, and one whose effects cost nothing.
CREATE SCHEMA bank;

CREATE TABLE bank.ledger (
  id              bigint      NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer        text        NOT NULL,
  idempotency_key text        NOT NULL,
  kind            text        NOT NULL CHECK (kind IN ('CHARGE', 'REFUND', 'VOID')),
  reference       text        NOT NULL,
  order_id        uuid        NOT NULL,
  amount          bigint      NOT NULL,
  currency        text        NOT NULL,
  at              timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (customer, idempotency_key)
);

CREATE TABLE bank.attempt (
  customer        text    NOT NULL,
  idempotency_key text    NOT NULL,
  attempts        integer NOT NULL,
  PRIMARY KEY (customer, idempotency_key)
);

CREATE SCHEMA post;

CREATE TABLE post.ledger (
  id              bigint      NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer        text        NOT NULL,
  idempotency_key text        NOT NULL,
  kind            text        NOT NULL CHECK (kind IN ('BOOKING', 'CANCELLATION', 'VOID')),
  order_id        uuid        NOT NULL,
  tracking_number text        NOT NULL,
  at              timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (customer, idempotency_key)
);

CREATE TABLE post.attempt (
  customer        text    NOT NULL,
  idempotency_key text    NOT NULL,
  attempts        integer NOT NULL,
  PRIMARY KEY (customer, idempotency_key)
);
