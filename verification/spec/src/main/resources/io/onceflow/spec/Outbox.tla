-------------------------------- MODULE Outbox --------------------------------
(***************************************************************************)
(* The outbox: a process writes a business row and a message in one        *)
(* transaction, publishes after the commit, and deletes the row once the   *)
(* broker has confirmed it. The relay publishes what was left. A consumer  *)
(* has an inbox and acknowledges after its commit.                         *)
(*                                                                         *)
(* The broker keeps what it has confirmed. It may lose what it has not,    *)
(* and the confirm; it returns what it cannot route, before it confirms.   *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Messages,       \* each is written by one transaction
  Processes,      \* each commits, publishes, relays and consumes
  MaxCrashes,     \* of processes
  MaxLosses,      \* messages lost on their way to the broker, and confirms
  MaxRedeliveries,\* of the broker, of what is not acknowledged
  Without,        \* the rules that are taken out
  Traced          \* whether each state says what has just happened

VARIABLES
  business,       \* messages whose business row is committed
  row,            \* message -> its row in the outbox: none, stored, deleted
  work,           \* process -> what it publishes
  wire,           \* messages on their way to the broker, each with its publisher
  confirms,       \* answers on their way back
  isBound,        \* whether the exchange has a queue for the messages
  queue,          \* message -> copies in the queue
  hand,           \* process -> the delivery it has
  inbox,          \* messages whose effect the consumer has committed
  effects,        \* message -> how often it took effect
  crashes, losses, redeliveries,
  last

vars == <<business, row, work, wire, confirms, isBound, queue, hand, inbox, effects, crashes, losses, redeliveries, last>>
View == <<business, row, work, wire, confirms, isBound, queue, hand, inbox, effects, crashes, losses, redeliveries>>
Symmetry == Permutations(Processes)

Keeps(rule) == rule \notin Without
Say(from, to, text) == last' = IF Traced THEN <<from, to, text>> ELSE <<>>

Nothing == [at |-> "idle", message |-> "none"]
NoDelivery == [at |-> "idle", message |-> "none"]

Init ==
  /\ business = {}
  /\ row = [m \in Messages |-> "none"]
  /\ work = [p \in Processes |-> Nothing]
  /\ wire = {} /\ confirms = {}
  /\ isBound = FALSE
  /\ queue = [m \in Messages |-> 0]
  /\ hand = [p \in Processes |-> NoDelivery]
  /\ inbox = {}
  /\ effects = [m \in Messages |-> 0]
  /\ crashes = 0 /\ losses = 0 /\ redeliveries = 0
  /\ last = <<>>

Works(p, at, m) == work' = [work EXCEPT ![p] = [at |-> at, message |-> m]]

------------------------------------------------------------------------------
(* The process that commits, and then publishes itself *)

Begin(p, m) ==
  /\ work[p] = Nothing /\ m \notin business /\ row[m] = "none"
  /\ \A q \in Processes : work[q].message # m
  /\ Works(p, "open", m)
  /\ Say(ToString(p), "database", "begins a transaction")
  /\ UNCHANGED <<business, row, wire, confirms, isBound, queue, hand, inbox, effects, crashes, losses, redeliveries>>

Commit(p) ==
  /\ work[p].at = "open"
  /\ LET m == work[p].message IN
     /\ business' = business \union {m}
     /\ IF Keeps("one-transaction")
        THEN /\ row' = [row EXCEPT ![m] = "stored"]
             /\ Works(p, "publish", m)
             /\ Say(ToString(p), "database", "commits its row and the message")
        ELSE /\ UNCHANGED row
             /\ Works(p, "half", m)
             /\ Say(ToString(p), "database", "commits its row alone")
  /\ UNCHANGED <<wire, confirms, isBound, queue, hand, inbox, effects, crashes, losses, redeliveries>>

(* Only without rule 1. *)
StoreLater(p) ==
  /\ work[p].at = "half"
  /\ row' = [row EXCEPT ![work[p].message] = "stored"]
  /\ Works(p, "publish", work[p].message)
  /\ Say(ToString(p), "database", "commits the message")
  /\ UNCHANGED <<business, wire, confirms, isBound, queue, hand, inbox, effects, crashes, losses, redeliveries>>

(* After the commit; without that rule, also before it. *)
Publish(p) ==
  /\ \/ work[p].at = "publish"
     \/ work[p].at = "open" /\ ~Keeps("publish-after-commit")
  /\ LET m == work[p].message IN
     /\ <<p, m>> \notin wire
     /\ wire' = wire \union {<<p, m>>}
     /\ IF work[p].at = "open"
        THEN UNCHANGED <<work, row>>
        ELSE IF Keeps("delete-after-confirm")
        THEN Works(p, "await", m) /\ UNCHANGED row
        ELSE /\ work' = [work EXCEPT ![p] = Nothing]
             /\ row' = [row EXCEPT ![m] = "deleted"]
     /\ Say(ToString(p), "broker", "publishes" \o IF Keeps("delete-after-confirm") THEN "" ELSE ", and deletes the row")
  /\ UNCHANGED <<business, confirms, isBound, queue, hand, inbox, effects, crashes, losses, redeliveries>>

Confirmed(p) ==
  /\ work[p].at = "await"
  /\ \E c \in confirms :
       /\ c[1] = p /\ c[2] = work[p].message
       /\ confirms' = confirms \ {c}
       /\ row' = IF c[3] = "confirmed" \/ ~Keeps("a-return-is-no-confirm")
                 THEN [row EXCEPT ![c[2]] = "deleted"] ELSE row
       /\ work' = [work EXCEPT ![p] = Nothing]
       /\ Say("broker", ToString(p), c[3] \o IF c[3] = "confirmed" \/ ~Keeps("a-return-is-no-confirm")
                                             THEN "; the row is deleted" ELSE "; the row stays")
  /\ UNCHANGED <<business, wire, isBound, queue, hand, inbox, effects, crashes, losses, redeliveries>>

(* The deadline of a confirm: in doubt, so the row stays. *)
InDoubt(p) ==
  /\ work[p].at = "await"
  /\ ~\E c \in confirms : c[1] = p /\ c[2] = work[p].message
  /\ <<p, work[p].message>> \notin wire
  /\ work' = [work EXCEPT ![p] = Nothing]
  /\ Say(ToString(p), ToString(p), "the confirm's deadline passes; the row stays")
  /\ UNCHANGED <<business, row, wire, confirms, isBound, queue, hand, inbox, effects, crashes, losses, redeliveries>>

(* The relay: publishes a row that was left. That another process publishes it at this moment does no harm. *)
Relay(p, m) ==
  /\ work[p] = Nothing /\ row[m] = "stored"
  /\ Works(p, "publish", m)
  /\ Say(ToString(p), "database", "finds a row that is left")
  /\ UNCHANGED <<business, row, wire, confirms, isBound, queue, hand, inbox, effects, crashes, losses, redeliveries>>

------------------------------------------------------------------------------
(* The broker *)

Accept(c) ==
  /\ wire' = wire \ {c}
  /\ IF isBound
     THEN /\ queue' = [queue EXCEPT ![c[2]] = IF @ < 2 THEN @ + 1 ELSE @]
          /\ confirms' = confirms \union {<<c[1], c[2], "confirmed">>}
          /\ Say("broker", "broker", "stores the message")
     ELSE /\ confirms' = confirms \union {<<c[1], c[2], "returned">>}
          /\ Say("broker", "broker", "cannot route the message")
          /\ UNCHANGED queue
  /\ UNCHANGED <<business, row, work, isBound, hand, inbox, effects, crashes, losses, redeliveries>>

Bind ==
  /\ ~isBound
  /\ isBound' = TRUE
  /\ Say("consumer", "broker", "declares its queue")
  /\ UNCHANGED <<business, row, work, wire, confirms, queue, hand, inbox, effects, crashes, losses, redeliveries>>

LoseOnTheWire(c) ==
  /\ losses < MaxLosses
  /\ losses' = losses + 1
  /\ wire' = wire \ {c}
  /\ Say("broker", "broker", "the connection breaks, with the message in transit")
  /\ UNCHANGED <<business, row, work, confirms, isBound, queue, hand, inbox, effects, crashes, redeliveries>>

LoseConfirm(c) ==
  /\ losses < MaxLosses
  /\ losses' = losses + 1
  /\ confirms' = confirms \ {c}
  /\ Say("broker", "broker", "the connection breaks, with the confirm in transit")
  /\ UNCHANGED <<business, row, work, wire, isBound, queue, hand, inbox, effects, crashes, redeliveries>>

------------------------------------------------------------------------------
(* The consumer; a process consumes beside what it publishes *)

Deliver(p, m) ==
  /\ hand[p] = NoDelivery /\ queue[m] > 0
  /\ queue' = [queue EXCEPT ![m] = @ - 1]
  /\ hand' = [hand EXCEPT ![p] = [at |-> IF Keeps("ack-after-commit") THEN "held" ELSE "acknowledged", message |-> m]]
  /\ Say("broker", ToString(p), "delivers" \o IF Keeps("ack-after-commit") THEN "" ELSE ", acknowledged at once")
  /\ UNCHANGED <<business, row, work, wire, confirms, isBound, inbox, effects, crashes, losses, redeliveries>>

(* The inbox knows a message by its id, which is its row's. *)
Consume(p) ==
  /\ hand[p].at \in {"held", "acknowledged"}
  /\ LET m == hand[p].message
         isNew == m \notin inbox \/ ~Keeps("same-message-same-id") IN
     /\ inbox' = inbox \union {m}
     /\ effects' = IF isNew THEN [effects EXCEPT ![m] = @ + 1] ELSE effects
     /\ hand' = [hand EXCEPT ![p].at = "committed"]
     /\ Say(ToString(p), "inbox", IF isNew THEN "commits the effect" ELSE "knows the message")
  /\ UNCHANGED <<business, row, work, wire, confirms, isBound, queue, crashes, losses, redeliveries>>

Acknowledge(p) ==
  /\ hand[p].at = "committed"
  /\ hand' = [hand EXCEPT ![p] = NoDelivery]
  /\ Say(ToString(p), "broker", "acknowledges")
  /\ UNCHANGED <<business, row, work, wire, confirms, isBound, queue, inbox, effects, crashes, losses, redeliveries>>

(* The channel of a consumer breaks: what is not acknowledged is delivered again. *)
Redeliver(p) ==
  /\ hand[p].at \in {"held", "committed"} /\ redeliveries < MaxRedeliveries
  /\ Keeps("ack-after-commit")
  /\ redeliveries' = redeliveries + 1
  /\ queue' = [queue EXCEPT ![hand[p].message] = @ + 1]
  /\ hand' = [hand EXCEPT ![p] = NoDelivery]
  /\ Say("broker", "broker", "the channel of the consumer breaks")
  /\ UNCHANGED <<business, row, work, wire, confirms, isBound, inbox, effects, crashes, losses>>

------------------------------------------------------------------------------

Crash(p) ==
  /\ crashes < MaxCrashes /\ (work[p] # Nothing \/ hand[p] # NoDelivery)
  /\ crashes' = crashes + 1
  /\ work' = [work EXCEPT ![p] = Nothing]
  /\ hand' = [hand EXCEPT ![p] = NoDelivery]
  /\ queue' = IF hand[p] # NoDelivery /\ Keeps("ack-after-commit")
              THEN [queue EXCEPT ![hand[p].message] = @ + 1] ELSE queue
  /\ confirms' = {c \in confirms : c[1] # p}
  /\ Say(ToString(p), ToString(p), "crashes")
  /\ UNCHANGED <<business, row, wire, isBound, inbox, effects, losses, redeliveries>>

Next ==
  \/ Bind
  \/ \E p \in Processes :
       \/ Commit(p) \/ StoreLater(p) \/ Publish(p) \/ Confirmed(p) \/ InDoubt(p)
       \/ Consume(p) \/ Acknowledge(p) \/ Redeliver(p) \/ Crash(p)
       \/ \E m \in Messages : Begin(p, m) \/ Relay(p, m) \/ Deliver(p, m)
  \/ \E c \in wire : Accept(c) \/ LoseOnTheWire(c)
  \/ \E c \in confirms : LoseConfirm(c)

(* What is begun goes on; the queue is declared some day; no transaction has to begin, and no fault has to happen. *)
Fair ==
  /\ WF_vars(Bind)
  /\ \A p \in Processes :
       /\ WF_vars(Commit(p) \/ StoreLater(p) \/ Publish(p) \/ Confirmed(p) \/ InDoubt(p))
       /\ WF_vars(Consume(p) \/ Acknowledge(p))
  /\ \A m \in Messages :
       /\ SF_vars(\E p \in Processes : Relay(p, m))
       /\ SF_vars(\E p \in Processes : Deliver(p, m))
       /\ \A p \in Processes : WF_vars(<<p, m>> \in wire /\ Accept(<<p, m>>))

Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ Fair

------------------------------------------------------------------------------
(* The laws *)

OneEffect == \A m \in Messages : effects[m] <= 1

NothingIsToldThatIsNotCommitted == \A m \in Messages : effects[m] > 0 => m \in business

(* What is committed is in the outbox, on its way to the broker or there, with the consumer, or has taken effect. *)
NothingIsDropped ==
  \A m \in business :
    \/ row[m] = "stored" \/ queue[m] > 0 \/ m \in inbox
    \/ \E c \in wire : c[2] = m
    \/ \E p \in Processes : hand[p].message = m \/ (work[p].message = m /\ work[p].at = "half")

EveryMessageTakesEffect == \A m \in Messages : m \in business ~> m \in inbox
===============================================================================
