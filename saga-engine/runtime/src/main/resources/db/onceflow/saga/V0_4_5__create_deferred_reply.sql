-- Replies that the replica which received them did not know: their saga follows a newer definition, or their type is
-- new. A replica that knows them takes them from here; none that does not ever looks at them.
CREATE TABLE deferred_reply (
  id          uuid        PRIMARY KEY,                 -- UUIDv7: the order of arrival
  saga_id     uuid        NOT NULL,
  definition  text        COLLATE "C" NOT NULL,        -- that the saga follows
  version     int         NOT NULL,
  type        text        COLLATE "C" NOT NULL,
  queue       text        NOT NULL,
  message_id  text,
  reply_to    text,
  routing_key text,                                    -- says who sent it
  headers     jsonb       NOT NULL DEFAULT '{}',
  payload     bytea       NOT NULL,                    -- byte for byte
  received_at timestamptz NOT NULL DEFAULT now()
);

-- Read by each replica, for the replies that it knows.
CREATE INDEX deferred_reply_by_kind ON deferred_reply (definition, version, type, id);

-- Read for those that have waited too long and are parked, and by the gauge of the oldest.
CREATE INDEX deferred_reply_by_age  ON deferred_reply (received_at);
