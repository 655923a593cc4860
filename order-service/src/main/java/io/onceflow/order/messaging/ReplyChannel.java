package io.onceflow.order.messaging;

import io.onceflow.inbox.RabbitChannel;
import jakarta.inject.Singleton;

/** The channel that replies come in by. */
@Singleton
class ReplyChannel extends RabbitChannel {}
