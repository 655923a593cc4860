-- What EasyPost has sent, each event once, in the order of arrival. Events about nothing known here are kept as well: they are
-- evidence when the books are compared.
CREATE TABLE easypost_event (
  id            text        COLLATE "C" PRIMARY KEY,
  description   text        NOT NULL,                  -- such as tracker.updated
  object_id     text        NOT NULL,                  -- of the tracker, refund, … that it is about
  shipment_id   text,
  tracking_code text        COLLATE "C",
  status        text,
  updated_at    timestamptz NOT NULL,                  -- by EasyPost's clock: of the object, else of the event
  known         boolean     NOT NULL,                  -- whether it is about a label of this service
  received_at   timestamptz NOT NULL DEFAULT now()
);

-- Read by garbage collection.
CREATE INDEX easypost_event_by_age ON easypost_event (received_at);

-- Read by GET /shipments: the latest status of a label.
CREATE INDEX easypost_event_by_tracking_code ON easypost_event (tracking_code, updated_at);
