-- What this service has decided to say and the broker has not yet confirmed. A row is written in the transaction of
-- the business write (rule 1) and deleted only when the broker has confirmed it and did not return it (rule 3).
-- The first five columns are Debezium's, so that its outbox event router can stand in for the relay.
CREATE TABLE outbox_message (
  id              uuid        NOT NULL,
  aggregatetype   text        NOT NULL,
  aggregateid     text        NOT NULL,
  type            text        NOT NULL,
  payload         text        NOT NULL,                 -- JSON, byte for byte as it is sent
  exchange        text        NOT NULL,
  routing_key     text        NOT NULL,
  correlation_id  text,
  reply_to        text,
  headers         jsonb       NOT NULL DEFAULT '{}',    -- trace context among them
  attempts        integer     NOT NULL DEFAULT 0,       -- publications that were refused or not confirmed in time
  next_attempt_at timestamptz NOT NULL DEFAULT now(),   -- later than now only after a refusal
  created_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (id),
  CONSTRAINT outbox_message_attempts_not_negative CHECK (attempts >= 0)
);
