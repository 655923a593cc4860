package io.onceflow.payment.messaging;

import io.onceflow.inbox.RabbitChannel;
import jakarta.inject.Singleton;

/** The channel that commands come in by. */
@Singleton
class CommandChannel extends RabbitChannel {}
