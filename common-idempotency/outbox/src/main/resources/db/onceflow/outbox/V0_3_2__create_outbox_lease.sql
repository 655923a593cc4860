-- What relays have claimed and are publishing: one row for each batch in hand, not a write of each of its messages.
-- Messages of the channel between the first and the last are left alone until the lease ends; that of a relay that has died is
-- over when ends_at has passed. Claims of a channel are made one after the other, under an advisory lock that is named by this
-- table and the channel.
CREATE TABLE outbox_lease (
  id       uuid        PRIMARY KEY,
  channel  text        NOT NULL,          -- of Reactive Messaging; empty for messages of the transport
  first_id uuid        NOT NULL,
  last_id  uuid        NOT NULL,
  ends_at  timestamptz NOT NULL,
  CONSTRAINT outbox_lease_in_order CHECK (first_id <= last_id)
);

-- Read with each claim: those that have not ended are at its end, however many dead entries a long transaction keeps before
-- them.
CREATE INDEX outbox_lease_by_end ON outbox_lease (ends_at);
