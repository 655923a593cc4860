-- Messages of one aggregate are published in the order they were written: a relay asks, of what it has in hand, what lies
-- here that is older. Aggregates are few rows each, so their type is not worth a column of the index.
CREATE INDEX outbox_message_older_of_aggregate ON outbox_message (aggregateid, id);
