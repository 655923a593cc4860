-- The labels that EasyPost is asked for. A row is written before the first request, since EasyPost knows no idempotency
-- key: the row says which shipment may be bought under a key, so that no second one is, and whether any may.
CREATE TABLE easypost_request (
  key            text        COLLATE "C" PRIMARY KEY,  -- reference of the shipment at EasyPost
  scope          text        NOT NULL,                 -- with the step key: whose label it is
  step_key       text        NOT NULL,
  subject        text        COLLATE "C" NOT NULL,     -- what is shipped, such as an order's id
  first_at       timestamptz,                          -- null where it was given up before it was asked for
  last_at        timestamptz,
  shipment_id    text        COLLATE "C",              -- the one shipment that is bought
  buy_at         timestamptz,                          -- before the last request to buy it
  tracking_code  text        COLLATE "C",              -- once EasyPost says that it is bought
  given_up       boolean     NOT NULL DEFAULT false,   -- nothing is bought any more; what was bought is refunded
  given_up_at    timestamptz,
  refund_failure text,                                 -- the refund's status or an error code; null where nothing failed
  resolved_at    timestamptz,                          -- when an operator ended the refund; why is in operator_audit
  created_at     timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT easypost_request_asked_or_given_up CHECK (given_up OR first_at IS NOT NULL),
  CONSTRAINT easypost_request_given_up_at_once_given_up CHECK (given_up = (given_up_at IS NOT NULL)),
  CONSTRAINT easypost_request_times CHECK ((first_at IS NULL) = (last_at IS NULL) AND first_at <= last_at),
  CONSTRAINT easypost_request_buys_a_shipment CHECK (shipment_id IS NOT NULL OR (buy_at IS NULL AND tracking_code IS NULL))
);

-- Read by garbage collection.
CREATE INDEX easypost_request_by_age ON easypost_request (created_at);

-- Read with each event, for the label that it is about, and where operators act on a refund.
CREATE INDEX easypost_request_by_shipment      ON easypost_request (shipment_id);
CREATE INDEX easypost_request_by_tracking_code ON easypost_request (tracking_code);

-- Read where books are compared: the refunds that were begun on a day.
CREATE INDEX easypost_request_by_refund ON easypost_request (given_up_at) WHERE given_up_at IS NOT NULL;

-- Read by the gauge and the list of refunds that have failed: few of all.
CREATE INDEX easypost_request_refund_failed ON easypost_request (created_at)
  WHERE refund_failure IS NOT NULL AND resolved_at IS NULL;

-- Read by operators' look at the refunds of a subject, and by the comparison, which leaves out what is resolved.
CREATE INDEX easypost_request_given_up_by_subject ON easypost_request (subject) WHERE given_up;
CREATE INDEX easypost_request_resolved            ON easypost_request (shipment_id) WHERE resolved_at IS NOT NULL;
