#!/bin/sh
# Starts Redis for idempotency keys, in Docker Compose and in Kubernetes. Its one user needs REDIS_PASSWORD, and may run what the
# guard runs, on the guard's keys and nothing else (docs/operations/security.md#redis). What stands in it is a copy, so it keeps nothing on
# disk, and when it is full it forgets what would expire first.
#
# With a certificate in REDIS_TLS_FOLDER (tls.crt, tls.key, and ca.crt of the authority) it listens by TLS alone.
set -eu
: "${REDIS_PASSWORD:?the password of the services}"

port=${REDIS_PORT:-6379}
tls=${REDIS_TLS_FOLDER:-/tls}
digest=$(printf %s "$REDIS_PASSWORD" | sha256sum | cut -d ' ' -f 1)
listen="port $port"
if [ -f "$tls/tls.crt" ]; then
  listen="port 0
tls-port $port
tls-cert-file $tls/tls.crt
tls-key-file $tls/tls.key
tls-ca-cert-file $tls/ca.crt
tls-auth-clients no
tls-protocols \"TLSv1.2 TLSv1.3\""
fi

# By standard input: arguments can be read by every process. Protected mode would refuse connections from other
# containers.
exec redis-server - <<SETTINGS
$listen
protected-mode no
save ""
appendonly no
maxmemory ${REDIS_MAX_MEMORY:-192mb}
maxmemory-policy volatile-ttl
user default on #$digest resetkeys ~onceflow:idempotency:* resetchannels -@all +auth +hello +info +ping +select +client|setinfo +client|setname +eval +evalsha +del +hdel +hget +hmget +hset +hsetnx +hstrlen +pexpire +pexpireat +time +zadd +zrange +zrem
SETTINGS
