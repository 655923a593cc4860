-- The books of the simulated carrier. They stand for those of a foreign system: nothing here refers to our tables or is written
-- in our transactions, and nothing keeps an order from being booked twice, so that it would show.
CREATE SCHEMA simulated_carrier;

-- A booking whose result is unknown is made void: under its key nothing can be booked any more. That row stands where the
-- booking would, so that of a booking and its voiding exactly one is written.
CREATE TABLE simulated_carrier.ledger (
  id              bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  customer        text        COLLATE "C" NOT NULL,
  idempotency_key text        COLLATE "C" NOT NULL,
  kind            text        NOT NULL,
  order_id        uuid        NOT NULL,
  tracking_number text        COLLATE "C" NOT NULL,    -- of a booking its own, of a cancellation that of its booking
  at              timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (id),
  CONSTRAINT ledger_one_effect_per_key UNIQUE (customer, idempotency_key),
  CONSTRAINT ledger_kind CHECK (kind IN ('BOOKING', 'CANCELLATION', 'VOID'))
);

-- Read by GET /simulated-carrier/ledger.
CREATE INDEX ledger_by_order ON simulated_carrier.ledger (order_id);

-- Read where books are compared: the cancellations of a booking, and the bookings of a day, not those of all days before it.
CREATE INDEX ledger_by_tracking_number ON simulated_carrier.ledger (tracking_number);
CREATE INDEX ledger_bookings_by_time   ON simulated_carrier.ledger (at, id) WHERE kind = 'BOOKING';

-- How often a key was asked for, by those destinations where the carrier behaves otherwise the first times.
CREATE TABLE simulated_carrier.attempt (
  customer        text    COLLATE "C" NOT NULL,
  idempotency_key text    COLLATE "C" NOT NULL,
  attempts        integer NOT NULL,
  PRIMARY KEY (customer, idempotency_key)
);
