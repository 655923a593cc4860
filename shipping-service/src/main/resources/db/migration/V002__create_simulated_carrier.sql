-- The books of the simulated carrier. They belong to a foreign system, so to speak: nothing here refers to our tables or
-- is written in our transactions, and nothing keeps an order from being booked twice, so that it would show.
CREATE SCHEMA simulated_carrier;

CREATE TABLE simulated_carrier.ledger (
  id              bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  customer        text        NOT NULL,
  idempotency_key text        NOT NULL,
  kind            text        NOT NULL,
  order_id        uuid        NOT NULL,
  tracking_number text        NOT NULL,    -- of a booking its own, of a cancellation that of its booking
  at              timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (id),
  CONSTRAINT ledger_one_effect_per_key UNIQUE (customer, idempotency_key),
  CONSTRAINT ledger_kind CHECK (kind IN ('BOOKING', 'CANCELLATION'))
);

CREATE INDEX ledger_by_order ON simulated_carrier.ledger (order_id);

-- How often a key was asked for, by those destinations where the carrier behaves otherwise the first times.
CREATE TABLE simulated_carrier.attempt (
  customer        text    NOT NULL,
  idempotency_key text    NOT NULL,
  attempts        integer NOT NULL,
  PRIMARY KEY (customer, idempotency_key)
);
