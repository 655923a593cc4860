-- What this service has decided to say and the broker has not yet confirmed. A row is written in the transaction of
-- the business write (rule 1) and deleted only when the broker has confirmed it and did not return it (rule 3).
-- The first five columns are Debezium's, so that its outbox event router can stand in for the relay.
CREATE TABLE outbox_message (
  id              uuid        PRIMARY KEY,                    -- UUIDv7: the order in which they were written
  aggregatetype   text        NOT NULL,
  aggregateid     text        COLLATE "C" NOT NULL,
  type            text        NOT NULL,
  payload         text        NOT NULL,                       -- JSON, byte for byte as it is sent
  exchange        text        NOT NULL,
  routing_key     text        COLLATE "C" NOT NULL,
  correlation_id  text,
  reply_to        text,
  headers         jsonb       NOT NULL DEFAULT '{}',          -- trace context among them
  attempts        integer     NOT NULL DEFAULT 0,             -- publications that were refused or not confirmed in time
  next_attempt_at timestamptz NOT NULL DEFAULT now(),         -- later than now only after a refusal
  created_at      timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT outbox_message_attempts_not_negative CHECK (attempts >= 0)
);

-- Read by the relay, for what is older than the messages in hand: those of one aggregate are published in the order they were
-- written. Aggregates are few rows each, so neither their type nor the ids are worth a column of the index; and with the ids
-- in it the planner would read all of it to find a row by its id.
CREATE INDEX outbox_message_of_aggregate ON outbox_message (aggregateid);

-- Read by the relays of channels of Reactive Messaging, of which each has one. Rows of the transport are not in it.
CREATE INDEX outbox_message_of_channel ON outbox_message (routing_key, id)
  WHERE exchange = 'onceflow.channels';
