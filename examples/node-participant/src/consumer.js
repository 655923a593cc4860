// Takes messages from the broker: settles, answers, and only then acknowledges.
import { setTimeout as sleep } from 'node:timers/promises';
import amqp from 'amqplib';
import { Unprocessable, unpack } from './messages.js';

const PREFETCH = 50;
const ATTEMPTS = 5;
const PAUSE_MS = 1000;
const CONFIRM_WITHIN_MS = 30_000;
const CLOSED_WITHIN_MS = 5_000;

/** SQLSTATE classes of a server that is away, overloaded or stopping, and of lost races: tried again without end. */
const PASSING = ['08', '40', '53', '55', '57', '58'];

export class Consumer {
  /** How many publishes the broker has returned and not confirmed yet, by message-id. */
  #returned = new Map();
  #working = new Set();
  #stopping = new AbortController();
  isReady = false;

  constructor({ service, broker, declare, bindings, inbox }) {
    Object.assign(this, { service, broker, declare, bindings, inbox });
    this.queue = `${service}.commands`;
    this.deadLetters = `${service}.dead-letters`;
  }

  /** Consumes until it is stopped, and connects again whenever the connection is lost. */
  async run() {
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#consumeUntilClosed();
      } catch (e) {
        console.error('broker:', e.message);
      }
      this.isReady = false;
      await this.#pause();
    }
  }

  /** Takes nothing more, brings to an end what is in hand, and closes. What is not acknowledged then, others get. */
  async stop() {
    this.#stopping.abort();
    await Promise.all(this.tags?.map((tag) => this.channel.cancel(tag).catch(() => {})) ?? []);
    await Promise.allSettled(this.#working);
    await Promise.race([this.connection?.close().catch(() => {}), sleep(CLOSED_WITHIN_MS)]);
  }

  async #consumeUntilClosed() {
    const connection = await amqp.connect(this.broker, { clientProperties: { connection_name: this.service } });
    let isOpen = true;
    const closed = new Promise((resolve) => connection.once('close', resolve)).then(() => (isOpen = false));
    connection.on('error', (e) => console.error('broker:', e.message));
    const channel = await connection.createConfirmChannel();
    channel.on('error', (e) => console.error('channel:', e.message));
    // A channel that the broker closes would leave the connection open with nobody consuming.
    channel.once('close', () =>
      setImmediate(() => isOpen && !this.#stopping.signal.aborted && connection.close().catch(() => {})),
    );
    channel.on('return', ({ properties: { messageId: id } }) => this.#returned.set(id, (this.#returned.get(id) ?? 0) + 1));
    await this.#ensureQueues(channel);
    await channel.prefetch(PREFETCH);
    Object.assign(this, { connection, channel });
    if (this.#stopping.signal.aborted) {
      return connection.close();
    }
    const consume = (queue, take) =>
      channel.consume(queue, (delivery) => {
        if (delivery === null) {
          connection.close().catch(() => {}); // The queue is gone.
        } else {
          const work = this.#take(channel, delivery, take).finally(() => this.#working.delete(work));
          this.#working.add(work);
        }
      });
    const consumers = [
      await consume(this.queue, (delivery) => this.#handle(channel, delivery)),
      await consume(this.deadLetters, (delivery) =>
        this.inbox.park(this.queue, delivery, 'given-up', 'the broker has given it up'),
      ),
    ];
    this.tags = consumers.map((it) => it.consumerTag);
    this.isReady = true;
    await closed;
  }

  /** The queues of shipping-service, as an administrator makes them; with other arguments the broker would refuse them. */
  async #ensureQueues(channel) {
    if (!this.declare) {
      await channel.checkQueue(this.queue);
      await channel.checkQueue(this.deadLetters);
      return;
    }
    const quorum = { 'x-queue-type': 'quorum' };
    for (const exchange of ['onceflow.commands', 'onceflow.replies', 'onceflow.dead-letters']) {
      await channel.assertExchange(exchange, 'topic', { durable: true });
    }
    await channel.assertQueue(this.deadLetters, { durable: true, arguments: quorum });
    await channel.bindQueue(this.deadLetters, 'onceflow.dead-letters', this.queue);
    const deadLetters = {
      'x-dead-letter-exchange': 'onceflow.dead-letters',
      'x-dead-letter-routing-key': this.queue,
    };
    await channel.assertQueue(this.queue, { durable: true, arguments: { ...quorum, ...deadLetters } });
    for (const binding of this.bindings) {
      await channel.bindQueue(this.queue, 'onceflow.commands', binding);
    }
  }

  /** Acknowledges what was taken, on the channel that it came by. If that has closed, it comes again. */
  async #take(channel, delivery, take) {
    try {
      await take(delivery);
      channel.ack(delivery);
    } catch (e) {
      console.error('comes again:', e.message);
      try {
        channel.nack(delivery);
      } catch {
        // Its channel is closed, which gives it back too.
      }
    }
  }

  async #handle(channel, delivery) {
    let messages;
    try {
      messages = unpack(delivery);
    } catch (e) {
      return this.#untilItPasses(() => this.inbox.park(this.queue, delivery, e.reason, e.message));
    }
    for (const message of messages) {
      await this.#settle(channel, message);
    }
  }

  async #settle(channel, message) {
    let reply;
    try {
      reply = await this.#untilItPasses(() => this.inbox.settle(message), ATTEMPTS);
    } catch (e) {
      if (this.#stopping.signal.aborted && !(e instanceof Unprocessable)) {
        throw e;
      }
      const reason = e instanceof Unprocessable ? e.reason : 'handling-failed';
      return this.#untilItPasses(() => this.inbox.park(this.queue, message, reason, e.message));
    }
    if (reply) {
      await this.#publish(channel, reply);
    }
  }

  /**
   * Publishes a reply and waits until the broker has it in a queue. The command is acknowledged only then, so no outbox
   * is needed: if this process dies, the command comes again and is answered again.
   */
  async #publish(channel, { to, content, properties }) {
    const key = `${to}.${this.service}`;
    while (!(await this.#isRouted(channel, key, content, properties))) {
      console.error('nobody reads', key);
      await this.#pause();
      this.#stopping.signal.throwIfAborted();
    }
  }

  /** Publishes it and waits for the broker's word, which comes after the message itself if that is returned. */
  async #isRouted(channel, key, content, properties) {
    await new Promise((resolve, reject) => {
      const tooLate = setTimeout(() => reject(new Error('a reply was not confirmed in time')), CONFIRM_WITHIN_MS);
      channel.publish('onceflow.replies', key, content, { ...properties, mandatory: true }, (e) => {
        clearTimeout(tooLate);
        e ? reject(e) : resolve();
      });
    });
    const returned = this.#returned.get(properties.messageId) ?? 0;
    if (returned > 1) {
      this.#returned.set(properties.messageId, returned - 1);
    } else {
      this.#returned.delete(properties.messageId);
    }
    return returned === 0;
  }

  /** Tries again: without end while the database is away, else so many times. */
  async #untilItPasses(work, attempts = Infinity) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (e) {
        const isOver = attempt >= attempts && !isPassing(e);
        if (e instanceof Unprocessable || this.#stopping.signal.aborted || isOver) {
          throw e;
        }
        console.error('tries again:', e.message);
        await this.#pause();
      }
    }
  }

  /** Or until it stops. */
  #pause() {
    return sleep(PAUSE_MS, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }
}

/** Whether it is the database that is away, and not the message or the code that is wrong. */
function isPassing({ code, message }) {
  return /^[0-9A-Z]{5}$/.test(code ?? '')
    ? PASSING.includes(code.slice(0, 2))
    : /^E[A-Z]+$/.test(code ?? '') || /connect/i.test(message);
}
