-- Many orders that a customer sent at once, and how far placing them has come. The lines are kept here, so that a replica that
-- continues after a crash needs neither the client nor the request.
CREATE TABLE order_import (
  id              uuid        NOT NULL,
  customer        text        COLLATE "C" NOT NULL,   -- the authenticated subject
  idempotency_key text        COLLATE "C" NOT NULL,   -- under whose claim it goes on
  fingerprint     text        NOT NULL,               -- of the request: the same key may come back with another
  traceparent     text,                               -- of the request; its orders' sagas carry it
  status          text        NOT NULL DEFAULT 'RUNNING',
  total           int         NOT NULL,               -- orders that were sent
  placed          int         NOT NULL DEFAULT 0,     -- of them
  created_at      timestamptz NOT NULL,
  ended_at        timestamptz,
  PRIMARY KEY (id),
  CONSTRAINT order_import_status CHECK (status IN ('RUNNING', 'COMPLETED', 'ABANDONED')),
  CONSTRAINT order_import_ended_at_its_end CHECK ((status = 'RUNNING') = (ended_at IS NULL)),
  CONSTRAINT order_import_placed_within_total CHECK (placed BETWEEN 0 AND total AND total > 0),
  CONSTRAINT order_import_completed_once_all_are_placed CHECK (status <> 'COMPLETED' OR placed = total)
);

-- Read by a replica that continues the import of a key, and for how many of a customer's run.
CREATE UNIQUE INDEX order_import_running ON order_import (customer, idempotency_key) WHERE status = 'RUNNING';

-- Read by GET /order-imports: a customer's own, newest first, since ids are UUIDv7.
CREATE INDEX order_import_by_customer ON order_import (customer, id DESC);

-- The orders of an import, in the order in which they were sent.
CREATE TABLE order_import_line (
  import_id uuid  NOT NULL REFERENCES order_import ON DELETE CASCADE,
  position  int   NOT NULL,                           -- in the request, from 0
  draft     jsonb,                                    -- what is to be ordered; gone once the order itself holds it
  order_id  uuid,                                     -- null until it is placed
  PRIMARY KEY (import_id, position),
  CONSTRAINT order_import_line_draft_until_placed CHECK ((draft IS NULL) = (order_id IS NOT NULL))
);

-- Read by the loop that places them: what is still to be placed, in its order.
CREATE INDEX order_import_line_waiting ON order_import_line (import_id, position) WHERE order_id IS NULL;
