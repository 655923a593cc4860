-- Messages that leave by channels of Reactive Messaging lie among the others. Each channel has a relay of its own, which
-- reads its messages by this index; rows of the transport are not in it.
CREATE INDEX outbox_message_of_channel ON outbox_message (routing_key, id)
WHERE  exchange = 'onceflow.channels';
