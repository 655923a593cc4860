-- One row per step that was settled: the memory that makes a repeated command harmless.
CREATE TABLE IF NOT EXISTS inbox (
  scope       text        NOT NULL,
  step_key    text        NOT NULL,    -- <root key>:<step>@<origin>
  fingerprint bytea,                   -- SHA-256 of type and payload; null for a tombstone
  reply_id    uuid        NOT NULL DEFAULT gen_random_uuid(),    -- message-id of the reply, however often it is sent
  reply_type  text,                    -- null for a tombstone: its action has not come yet, and will be refused
  outcome     text,                    -- x-outcome of the reply
  reply       text,                    -- letter for letter, to answer a repeat with
  settled_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (scope, step_key),
  CONSTRAINT inbox_tombstone_or_reply CHECK (num_nonnulls(fingerprint, reply_type, outcome, reply) IN (0, 4))
);

-- For deleting rows after the retention (rule 14 of the protocol).
CREATE INDEX IF NOT EXISTS inbox_settled_at ON inbox (settled_at);

-- The business: what was booked, under the key of the step that asked for it.
CREATE TABLE IF NOT EXISTS shipment (
  id              uuid        PRIMARY KEY,
  scope           text        NOT NULL,
  step_key        text        NOT NULL,
  order_id        uuid        NOT NULL,
  return_id       uuid,                -- of a parcel that comes back
  tracking_number text        NOT NULL,
  status          text        NOT NULL CHECK (status IN ('BOOKED', 'CANCELLED')),
  UNIQUE (scope, step_key)
);

-- Each booking and cancellation in its order. Nothing here is unique, so that a second effect would show.
CREATE TABLE IF NOT EXISTS shipment_entry (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id uuid NOT NULL,
  step_key text NOT NULL,              -- of the booking
  kind     text NOT NULL CHECK (kind IN ('BOOKING', 'CANCELLATION'))
);

CREATE INDEX IF NOT EXISTS shipment_entry_order ON shipment_entry (order_id);

-- Messages that cannot be handled, with the reason, for an operator (rule 13). Nothing is dropped.
CREATE TABLE IF NOT EXISTS parked_message (
  id             uuid        PRIMARY KEY DEFAULT gen_random_uuid(),
  queue          text        NOT NULL,
  message_id     text,
  type           text,
  correlation_id text,
  reply_to       text,
  headers        jsonb       NOT NULL,
  payload        bytea       NOT NULL,  -- byte for byte: it may not be JSON
  reason         text        NOT NULL,
  detail         text        NOT NULL,
  parked_at      timestamptz NOT NULL DEFAULT now()
);
