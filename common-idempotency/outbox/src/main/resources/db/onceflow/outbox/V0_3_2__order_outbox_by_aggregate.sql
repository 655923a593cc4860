-- Messages of one aggregate are published in the order they were written: a relay asks, of what it has in hand, what lies
-- here that is older. Aggregates are few rows each, so neither their type nor the ids are worth a column of the index; and
-- with the ids in it the planner would read all of it to find a row by its id.
CREATE INDEX outbox_message_of_aggregate ON outbox_message (aggregateid);
