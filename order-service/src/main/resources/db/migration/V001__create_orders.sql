-- What customers have ordered and what has become of it. How it came about is the saga's to tell.
CREATE TABLE orders (
  id                  uuid        NOT NULL,              -- UUIDv7: the order of time
  customer            text        COLLATE "C" NOT NULL,  -- the authenticated subject
  currency            text        NOT NULL,
  total_amount        bigint      NOT NULL,              -- minor units
  items               jsonb       NOT NULL,
  payment_method      text        NOT NULL,              -- a token; sent to the payment service, and in no answer
  shipping_address    jsonb       NOT NULL,
  status              text        NOT NULL DEFAULT 'PENDING',
  cancellation_reason text,
  payment_id          uuid,
  payment_status      text,
  gateway_reference   text,
  shipment_id         uuid,
  shipment_status     text,
  tracking_number     text,
  created_at          timestamptz NOT NULL,
  PRIMARY KEY (id),
  CONSTRAINT orders_status CHECK (status IN ('PENDING', 'CONFIRMED', 'CANCELLED', 'RETURNED')),
  CONSTRAINT orders_reason_once_cancelled CHECK ((status = 'CANCELLED') = (cancellation_reason IS NOT NULL)),
  CONSTRAINT orders_payment_status CHECK (payment_status IN ('PROCESSED', 'DECLINED', 'REFUNDED')),
  CONSTRAINT orders_shipment_status CHECK (shipment_status IN ('ARRANGED', 'REJECTED', 'CANCELLED')),
  CONSTRAINT orders_confirmed_once_paid_and_arranged CHECK
    (status <> 'CONFIRMED' OR (payment_status = 'PROCESSED' AND shipment_status = 'ARRANGED')),
  CONSTRAINT orders_returned_once_paid_back CHECK               -- it was shipped before, and is paid back now
    (status <> 'RETURNED' OR (payment_status = 'REFUNDED' AND shipment_status = 'ARRANGED')),
  CONSTRAINT orders_nothing_stands_once_cancelled CHECK
    (status <> 'CANCELLED' OR (payment_status IS DISTINCT FROM 'PROCESSED' AND shipment_status IS DISTINCT FROM 'ARRANGED')),
  CONSTRAINT orders_total_positive CHECK (total_amount > 0)
)
-- A row changes twice on its way, payment and shipment, and none of what changes is indexed: the new versions need no index
-- entries if they find room on the order's page.
WITH (fillfactor = 60);

-- Read by GET /orders: a customer's own orders, newest first.
CREATE INDEX orders_by_customer ON orders (customer, id DESC);
