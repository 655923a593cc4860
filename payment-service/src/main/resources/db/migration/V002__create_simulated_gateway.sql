-- The books of the simulated gateway. They stand for those of a foreign system: nothing here refers to our tables or is written
-- in our transactions, and nothing keeps an order from being charged twice, so that it would show.
CREATE SCHEMA simulated_gateway;

-- A charge whose result is unknown is made void: under its key nothing can be charged any more. That row stands where the charge
-- would, so that of a charge and its voiding exactly one is written.
CREATE TABLE simulated_gateway.ledger (
  id              bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  customer        text        COLLATE "C" NOT NULL,
  idempotency_key text        COLLATE "C" NOT NULL,
  kind            text        NOT NULL,
  reference       text        COLLATE "C" NOT NULL,    -- of a charge its own, of a refund that of its charge
  order_id        uuid        NOT NULL,
  amount          bigint      NOT NULL,                -- minor units
  currency        text        NOT NULL,
  at              timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (id),
  CONSTRAINT ledger_one_effect_per_key UNIQUE (customer, idempotency_key),
  CONSTRAINT ledger_kind CHECK (kind IN ('CHARGE', 'REFUND', 'VOID')),
  CONSTRAINT ledger_amount_positive_unless_void CHECK ((kind = 'VOID') = (amount = 0) AND amount >= 0)
);

-- Read by GET /simulated-gateway/ledger.
CREATE INDEX ledger_by_order ON simulated_gateway.ledger (order_id);

-- Read where books are compared: the refunds of a charge, and the charges of a day, not those of all days before it.
CREATE INDEX ledger_by_reference    ON simulated_gateway.ledger (reference);
CREATE INDEX ledger_charges_by_time ON simulated_gateway.ledger (at, id) WHERE kind = 'CHARGE';

-- How often a key was asked for, by those payment methods that behave otherwise the first times.
CREATE TABLE simulated_gateway.attempt (
  customer        text    COLLATE "C" NOT NULL,
  idempotency_key text    COLLATE "C" NOT NULL,
  attempts        integer NOT NULL,
  PRIMARY KEY (customer, idempotency_key)
);
