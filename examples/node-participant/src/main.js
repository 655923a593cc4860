// Starts the participant, and stops it on SIGTERM. The settings are those of the samples.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import pg from 'pg';
import { Consumer } from './consumer.js';
import { Inbox } from './inbox.js';
import { HANDLERS } from './shipping.js';

const env = process.env;

const pool = new pg.Pool({
  connectionString: env.DATABASE_URL ?? 'postgresql://node_shipping:onceflow@localhost:5432/node_shipping',
  max: 10,
  connectionTimeoutMillis: 5000,
});
pool.on('error', (e) => console.error('database:', e.message));
await pool.query(`SELECT pg_advisory_lock(17); ${await readFile(new URL('../schema.sql', import.meta.url), 'utf8')};
  SELECT pg_advisory_unlock(17)`);

const consumer = new Consumer({
  service: 'shipping-service',
  broker: {
    hostname: env.RABBITMQ_HOST ?? 'localhost',
    port: Number(env.RABBITMQ_PORT ?? 5672),
    username: env.RABBITMQ_USERNAME ?? 'onceflow',
    password: env.RABBITMQ_PASSWORD ?? 'onceflow',
    vhost: env.RABBITMQ_VIRTUAL_HOST ?? '/',
  },
  declare: env.ONCEFLOW_BROKER_DECLARE === 'true',
  bindings: ['shipping.#'],
  inbox: new Inbox(pool, HANDLERS),
});

const health = createServer((request, response) => {
  response.statusCode = request.url === '/q/health/ready' ? (consumer.isReady ? 200 : 503) : 404;
  response.end();
});
health.listen(Number(env.QUARKUS_MANAGEMENT_PORT ?? 9002), env.QUARKUS_MANAGEMENT_HOST ?? '127.0.0.1');

// A saga repeats nothing for so long (onceflow.inbox.retention of the other participants).
const forget = () =>
  pool.query("DELETE FROM inbox WHERE settled_at < now() - interval '30 days'").catch((e) => console.error('inbox:', e.message));
setInterval(forget, 3_600_000).unref();

for (const signal of ['SIGTERM', 'SIGINT']) {
  process.once(signal, async () => {
    await consumer.stop();
    await pool.end();
    process.exit(0);
  });
}

await consumer.run();
