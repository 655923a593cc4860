-- Messages that cannot be handled, kept with their reason for an operator (rule 13). Nothing is dropped.
CREATE TABLE parked_message (
  id              uuid        NOT NULL,
  queue           text        NOT NULL,    -- where it came from
  message_id      text,                    -- AMQP properties as they came; null where the sender left them out
  type            text,
  correlation_id  text,
  reply_to        text,
  headers         jsonb       NOT NULL DEFAULT '{}',
  payload         bytea       NOT NULL,    -- byte for byte: it may not be JSON at all
  reason          text        NOT NULL,
  detail          text        NOT NULL,
  parked_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (id),
  CONSTRAINT parked_message_reason CHECK (reason IN
    ('malformed', 'unknown-type', 'unsupported-version', 'no-idempotency-key', 'fingerprint-mismatch',
     'unknown-saga', 'handling-failed'))
);
