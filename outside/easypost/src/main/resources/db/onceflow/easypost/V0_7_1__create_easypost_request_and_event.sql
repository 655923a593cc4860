-- The labels that EasyPost is asked for. A row is written before the first request, since EasyPost knows no idempotency
-- key: the row says which shipment may be bought under a key, so that no second one is, and whether any may.
CREATE TABLE easypost_request (
  key           text        NOT NULL,                  -- reference of the shipment at EasyPost
  scope         text        NOT NULL,                  -- with the step key: whose label it is
  step_key      text        NOT NULL,
  subject       text        NOT NULL,                  -- what is shipped, such as an order's id
  first_at      timestamptz,                           -- null where it was given up before it was asked for
  last_at       timestamptz,
  shipment_id   text,                                  -- the one shipment that is bought
  buy_at        timestamptz,                           -- before the last request to buy it
  tracking_code text,                                  -- once EasyPost says that it is bought
  given_up      boolean     NOT NULL DEFAULT false,    -- nothing is bought any more; what was bought is refunded
  created_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (key),
  CONSTRAINT easypost_request_asked_or_given_up CHECK (given_up OR first_at IS NOT NULL),
  CONSTRAINT easypost_request_times CHECK ((first_at IS NULL) = (last_at IS NULL) AND first_at <= last_at),
  CONSTRAINT easypost_request_buys_a_shipment CHECK (shipment_id IS NOT NULL OR (buy_at IS NULL AND tracking_code IS NULL))
);

CREATE INDEX easypost_request_by_age ON easypost_request (created_at);
CREATE INDEX easypost_request_by_shipment ON easypost_request (shipment_id);
CREATE INDEX easypost_request_by_tracking_code ON easypost_request (tracking_code);

-- What EasyPost has told, each event once, in the order of arrival. Events about nothing known here are kept as well:
-- they are evidence when the books are compared.
CREATE TABLE easypost_event (
  id            text        NOT NULL,
  description   text        NOT NULL,                  -- such as tracker.updated
  object_id     text        NOT NULL,                  -- of the tracker, refund, … that it is about
  shipment_id   text,
  tracking_code text,
  status        text,
  updated_at    timestamptz NOT NULL,                  -- by EasyPost's clock: of the object, else of the event
  known         boolean     NOT NULL,                  -- whether it is about a label of this service
  received_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (id)
);

CREATE INDEX easypost_event_by_age ON easypost_event (received_at);
CREATE INDEX easypost_event_by_tracking_code ON easypost_event (tracking_code, updated_at);
