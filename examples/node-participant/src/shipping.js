// The business: what each command does, in the transaction in which the inbox remembers it. Nothing here knows of repeats.
import { randomUUID } from 'node:crypto';
import { Unprocessable } from './messages.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The handlers by type. A compensation has `undoes`, the step that it undoes where the command does not say. */
export const HANDLERS = {
  ArrangeShipment: {
    step: 'arrange-shipment',
    check: ({ orderId, items, address }) => {
      checkIds({ orderId });
      checkWhatAndWhere(items, address);
    },
    carryOut: (tx, key, { orderId, address }) => book(tx, key, 'Shipment', { orderId }, address),
    refuse: (reason, { orderId }) => ({ type: 'ShipmentRejected', payload: { orderId, reason } }),
  },
  CancelShipment: {
    step: 'cancel-shipment',
    undoes: 'arrange-shipment',
    check: ({ orderId }) => checkIds({ orderId }),
    carryOut: (tx, booked, { orderId }) => takeBack(tx, booked, 'ShipmentCancelled', { orderId }),
  },
  ArrangeReturn: {
    step: 'arrange-return',
    check: ({ returnId, orderId, items, address }) => {
      checkIds({ returnId, orderId });
      checkWhatAndWhere(items, address);
    },
    carryOut: (tx, key, { returnId, orderId, address }) =>
      book(tx, key, 'Return', { returnId, orderId }, address),
    refuse: (reason, { returnId, orderId }) => ({
      type: 'ReturnRejected',
      payload: { returnId, orderId, reason },
    }),
  },
  CancelReturn: {
    step: 'cancel-return',
    undoes: 'arrange-return',
    check: ({ returnId, orderId }) => checkIds({ returnId, orderId }),
    carryOut: (tx, booked, { returnId, orderId }) =>
      takeBack(tx, booked, 'ReturnCancelled', { returnId, orderId }),
  },
};

/** Books a parcel, unless it would go to Antarctica. */
async function book(tx, { scope, stepKey }, what, ids, { country }) {
  if (country === 'AQ') {
    const reason = what === 'Return' ? 'RETURNS_NOT_SERVED' : 'COUNTRY_NOT_SERVED';
    return { type: `${what}Rejected`, outcome: 'refused', payload: { ...ids, reason } };
  }
  const shipmentId = randomUUID();
  const trackingNumber = `NODE-${shipmentId.slice(-12).toUpperCase()}`;
  await tx.query(
    `INSERT INTO shipment (id, scope, step_key, order_id, return_id, tracking_number, status)
     VALUES ($1, $2, $3, $4, $5, $6, 'BOOKED')`,
    [shipmentId, scope, stepKey, ids.orderId, ids.returnId, trackingNumber],
  );
  await note(tx, 'BOOKING', ids.orderId, stepKey);
  return { type: `${what}Arranged`, outcome: 'done', payload: { ...ids, shipmentId, trackingNumber } };
}

/** Takes back what the step has booked, if it has. */
async function takeBack(tx, { scope, stepKey }, type, ids) {
  const { rows } = await tx.query(
    `UPDATE shipment
     SET    status = 'CANCELLED'
     WHERE  scope = $1
     AND    step_key = $2
     AND    status = 'BOOKED'
     RETURNING order_id`,
    [scope, stepKey],
  );
  for (const { order_id: orderId } of rows) {
    await note(tx, 'CANCELLATION', orderId, stepKey);
  }
  return { type, outcome: 'done', payload: ids };
}

function note(tx, kind, orderId, stepKey) {
  return tx.query('INSERT INTO shipment_entry (order_id, step_key, kind) VALUES ($1, $2, $3)', [orderId, stepKey, kind]);
}

function checkIds(ids) {
  for (const [name, id] of Object.entries(ids)) {
    require(typeof id === 'string' && UUID.test(id), `${name} is no UUID`);
  }
}

function checkWhatAndWhere(items, address) {
  require(Array.isArray(items) && items.length > 0, 'items are missing');
  for (const item of items) {
    require(isText(item?.sku) && Number.isInteger(item.quantity) && item.quantity > 0, 'an item makes no sense');
  }
  for (const name of ['name', 'line1', 'city', 'postalCode', 'country']) {
    require(isText(address?.[name]), `address.${name} is missing`);
  }
}

function isText(value) {
  return typeof value === 'string' && value.trim() !== '';
}

function require(isTrue, otherwise) {
  if (!isTrue) {
    throw new Unprocessable('malformed', otherwise);
  }
}
