----------------------------- MODULE Participant -----------------------------
(***************************************************************************)
(* A participant: replicas with one inbox, which carry out a charge and    *)
(* its refund at a gateway. The saga is no more than its messages: it      *)
(* sends the charge until it is answered, may cancel at any moment, and    *)
(* then sends the refund until it is answered.                             *)
(*                                                                         *)
(* One row of the inbox per step. A transaction is one action, so what     *)
(* happens between two commits is what happens between two actions.        *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Replicas,     \* processes of the participant
  MaxCharges,   \* copies of the charge's command, in its queue and in the hands of replicas
  MaxRefunds,   \* copies of the refund's
  MaxCrashes,   \* of replicas
  MaxHangs,     \* leases that end while their owner still works
  MaxLosses,    \* messages that the broker loses
  MaxFaults,    \* messages whose handling fails
  Without,      \* the rules that are taken out
  Traced        \* whether each state says what has just happened

VARIABLES
  queue,        \* step -> copies of its command that wait
  work,         \* replica -> what it is doing
  row,          \* step -> its row in the inbox
  books,        \* the participant's own row about the payment
  parked,       \* steps of which a command is parked
  calls,        \* calls that the gateway has not carried out: step and key
  seen,         \* calls that it has carried out: step, key and result
  charges,      \* how often it has taken the money
  refunds,      \* how often it has given it back
  void,         \* whether a refund came before its charge: no charge is taken any more
  cancelled,    \* whether the saga wants the refund
  late,         \* whether x-expires-at of the charge has passed
  mail,         \* step -> replies in transit
  told,         \* steps whose reply the saga has
  said,         \* every reply that was ever committed: step and outcome
  ended,        \* step -> how often it was completed
  begunLate,    \* whether a charge was begun after it had expired
  sent, lost,   \* steps of which a command was sent, or a copy lost by the broker
  crashes, hangs, losses, faults,
  last          \* what has just happened, if Traced

vars == <<queue, work, row, books, parked, calls, seen, charges, refunds, void, cancelled, late, mail, told, said,
          ended, begunLate, sent, lost, crashes, hangs, losses, faults, last>>

(* Two traces that differ in what was said last are one to the checker. *)
View == <<queue, work, row, books, parked, calls, seen, charges, refunds, void, cancelled, late, mail, told, said,
          ended, begunLate, sent, lost, crashes, hangs, losses, faults>>

Symmetry == Permutations(Replicas)

Steps == {"charge", "refund"}

Keeps(rule) == rule \notin Without

Say(from, to, text) == last' = IF Traced THEN <<from, to, text>> ELSE <<>>

NoRow == [status |-> "none", token |-> 0, leased |-> FALSE, stored |-> FALSE, outcome |-> "none"]
Started(token, stored, leased) ==
  [status |-> "started", token |-> token, leased |-> leased, stored |-> stored, outcome |-> "none"]
Completed(token, outcome) ==
  [status |-> "completed", token |-> token, leased |-> FALSE, stored |-> FALSE, outcome |-> outcome]
Tombstone == [status |-> "tombstone", token |-> 1, leased |-> FALSE, stored |-> FALSE, outcome |-> "cancelled"]

Idle == [at |-> "idle", step |-> "none", token |-> 0, held |-> FALSE]
Works(at, step, token, held) == [at |-> at, step |-> step, token |-> token, held |-> held]

Init ==
  /\ queue = [s \in Steps |-> 0]
  /\ work = [r \in Replicas |-> Idle]
  /\ row = [s \in Steps |-> NoRow]
  /\ books = "none"
  /\ parked = {}
  /\ calls = {}
  /\ seen = {}
  /\ charges = 0 /\ refunds = 0 /\ void = FALSE
  /\ cancelled = FALSE /\ late = FALSE
  /\ mail = [s \in Steps |-> {}]
  /\ told = {} /\ said = {}
  /\ ended = [s \in Steps |-> 0]
  /\ begunLate = FALSE
  /\ sent = {} /\ lost = {}
  /\ crashes = 0 /\ hangs = 0 /\ losses = 0 /\ faults = 0
  /\ last = <<>>

------------------------------------------------------------------------------
(* The saga and the broker *)

Held(s) == Cardinality({r \in Replicas : work[r].step = s /\ work[r].held})
Copies(s) == queue[s] + Held(s)

HasRoom(s) == Copies(s) < IF s = "charge" THEN MaxCharges ELSE MaxRefunds

IsWanted(s) == IF s = "charge" THEN ~cancelled ELSE cancelled

Send(s) ==
  /\ IsWanted(s) /\ s \notin told /\ HasRoom(s)
  /\ queue' = [queue EXCEPT ![s] = @ + 1]
  /\ sent' = sent \union {s}
  /\ Say("saga", "broker", "sends the " \o s)
  /\ UNCHANGED <<work, row, books, parked, calls, seen, charges, refunds, void, cancelled, late, mail, told, said,
                 ended, begunLate, lost, crashes, hangs, losses, faults>>

Cancel ==
  /\ ~cancelled
  /\ cancelled' = TRUE
  /\ Say("saga", "saga", "is cancelled, and will compensate")
  /\ UNCHANGED <<queue, work, row, books, parked, calls, seen, charges, refunds, void, late, mail, told, said,
                 ended, begunLate, sent, lost, crashes, hangs, losses, faults>>

Expire ==
  /\ ~late
  /\ late' = TRUE
  /\ Say("saga", "saga", "x-expires-at of the charge passes")
  /\ UNCHANGED <<queue, work, row, books, parked, calls, seen, charges, refunds, void, cancelled, mail, told, said,
                 ended, begunLate, sent, lost, crashes, hangs, losses, faults>>

Receive(s) ==
  /\ mail[s] # {} /\ s \notin told
  /\ told' = told \union {s}
  /\ \E outcome \in mail[s] : Say("broker", "saga", "delivers the reply to the " \o s \o ": " \o outcome)
  /\ UNCHANGED <<queue, work, row, books, parked, calls, seen, charges, refunds, void, cancelled, late, mail, said,
                 ended, begunLate, sent, lost, crashes, hangs, losses, faults>>

LoseCommand(s) ==
  /\ losses < MaxLosses /\ queue[s] > 0
  /\ losses' = losses + 1
  /\ queue' = [queue EXCEPT ![s] = @ - 1]
  /\ lost' = lost \union {s}
  /\ Say("broker", "broker", "loses a " \o s)
  /\ UNCHANGED <<work, row, books, parked, calls, seen, charges, refunds, void, cancelled, late, mail, told, said,
                 ended, begunLate, sent, crashes, hangs, faults>>

LoseReply(s) ==
  /\ losses < MaxLosses /\ mail[s] # {} /\ s \notin told
  /\ losses' = losses + 1
  /\ mail' = [mail EXCEPT ![s] = {}]
  /\ Say("broker", "broker", "loses the reply to the " \o s)
  /\ UNCHANGED <<queue, work, row, books, parked, calls, seen, charges, refunds, void, cancelled, late, told, said,
                 ended, begunLate, sent, lost, crashes, hangs, faults>>

------------------------------------------------------------------------------
(* Transactions of a replica *)

(* The key under which the gateway is called; without rule 5 each attempt has another. *)
CallKey(token) == IF Keeps("same-step-same-key") THEN 0 ELSE token

Take(r, s) ==
  /\ work[r] = Idle /\ queue[s] > 0
  /\ queue' = [queue EXCEPT ![s] = @ - 1]
  /\ work' = [work EXCEPT ![r] = Works("look", s, 0, Keeps("ack-after-commit"))]
  /\ Say("broker", ToString(r), "delivers the " \o s
         \o IF Keeps("ack-after-commit") THEN "" ELSE ", acknowledged at once")
  /\ UNCHANGED <<row, books, parked, calls, seen, charges, refunds, void, cancelled, late, mail, told, said,
                 ended, begunLate, sent, lost, crashes, hangs, losses, faults>>

(* Writes rows, and the reply if there is one, in one commit. *)
Commit(rows, s, outcome) ==
  /\ row' = rows
  /\ IF outcome = "none"
     THEN UNCHANGED <<mail, said>>
     ELSE /\ mail' = [mail EXCEPT ![s] = @ \union {outcome}]
          /\ said' = said \union {<<s, outcome>>}

Counted(s) == ended' = [ended EXCEPT ![s] = IF @ < 2 THEN @ + 1 ELSE @]

Goes(r, at, s, token, held) == work' = [work EXCEPT ![r] = Works(at, s, token, held)]

(* An action that is started, is not stored and has no owner any more: the broker may have lost its message. *)
IsAbandoned(s) == row[s].status = "started" /\ ~row[s].leased /\ ~row[s].stored

(* A compensation waits for an action that runs (rule 6). *)
MustWait ==
  /\ Keeps("compensation-waits")
  /\ row["charge"].status = "started" /\ ~IsAbandoned("charge")

(* The charge was made, or may have been. *)
MayHaveBeenDone ==
  \/ row["charge"].status = "completed" /\ row["charge"].outcome \in {"done", "unavailable"}
  \/ row["charge"].status = "started" /\ Keeps("compensation-waits")

BeginCharge(r, token, held) ==
  IF late /\ (Keeps("commands-expire") \/ token > 1)
  THEN LET outcome == IF token > 1 THEN "unavailable" ELSE "expired" IN
       /\ Commit([row EXCEPT !["charge"] = Completed(token, outcome)], "charge", outcome)
       /\ Counted("charge")
       /\ Goes(r, "ack", "charge", token, held)
       /\ Say(ToString(r), "inbox", "charge: " \o outcome)
       /\ UNCHANGED begunLate
  ELSE /\ Commit([row EXCEPT !["charge"] = Started(token, ~held, TRUE)], "charge", "none")
       /\ Goes(r, "call", "charge", token, held)
       /\ begunLate' = (begunLate \/ late)
       /\ Say(ToString(r), "inbox", "charge: started, token " \o ToString(token))
       /\ UNCHANGED ended

BeginRefund(r, token, held) ==
  IF MustWait
  THEN /\ Commit([row EXCEPT !["refund"] = Started(token, TRUE, FALSE)], "refund", "none")
       /\ Goes(r, "ack", "refund", token, held)
       /\ Say(ToString(r), "inbox", "refund: waits for the charge")
       /\ UNCHANGED ended
  ELSE IF MayHaveBeenDone
  THEN /\ Commit([row EXCEPT !["refund"] = Started(token, ~held, TRUE),
                             !["charge"] = IF IsAbandoned("charge") THEN Completed(@.token, "unavailable") ELSE @],
                 "refund", "none")
       /\ IF IsAbandoned("charge") THEN Counted("charge") ELSE UNCHANGED ended
       /\ Goes(r, "call", "refund", token, held)
       /\ Say(ToString(r), "inbox", "refund: started, token " \o ToString(token))
  ELSE /\ Commit([row EXCEPT !["refund"] = Completed(token, "done"),
                             !["charge"] = IF row["charge"].status = "none" /\ Keeps("tombstone")
                                           THEN Tombstone ELSE @],
                 "refund", "done")
       /\ Counted("refund")
       /\ Goes(r, "ack", "refund", token, held)
       /\ Say(ToString(r), "inbox", "refund: done, nothing to undo"
              \o IF row["charge"].status = "none" /\ Keeps("tombstone") THEN "; a tombstone for the charge" ELSE "")

Repeated(r, s) ==
  LET held == work[r].held IN
  CASE row[s].status = "started" ->
         /\ Commit([row EXCEPT ![s].stored = TRUE], s, "none")
         /\ Goes(r, "ack", s, 0, held)
         /\ Say(ToString(r), "inbox", s \o " runs already: its message is stored")
    [] row[s].status = "tombstone" ->
         /\ Commit(row, s, "cancelled")
         /\ Goes(r, "ack", s, 0, held)
         /\ Say(ToString(r), "broker", s \o ": cancelled")
    [] OTHER ->
         /\ Commit(row, s, IF Keeps("completed-answers-again") THEN row[s].outcome ELSE "none")
         /\ Goes(r, "ack", s, 0, held)
         /\ Say(ToString(r), "broker", s \o " again: " \o
                IF Keeps("completed-answers-again") THEN row[s].outcome ELSE "no answer")

Handle(r) ==
  /\ work[r].at = "look"
  /\ LET s == work[r].step IN
     IF row[s].status # "none"
     THEN Repeated(r, s) /\ UNCHANGED <<ended, begunLate>>
     ELSE IF s = "charge"
     THEN BeginCharge(r, 1, work[r].held)
     ELSE BeginRefund(r, 1, work[r].held) /\ UNCHANGED begunLate
  /\ UNCHANGED <<queue, books, parked, calls, seen, charges, refunds, void, cancelled, late, told, sent, lost,
                 crashes, hangs, losses, faults>>

(* A stored message whose lease is over, or whose wait is: a replica takes it over under the next token. *)
Recover(r, s) ==
  /\ work[r] = Idle
  /\ row[s].status = "started" /\ row[s].stored /\ ~row[s].leased
  /\ IF s = "charge"
     THEN BeginCharge(r, row[s].token + 1, FALSE)
     ELSE ~MustWait /\ BeginRefund(r, row[s].token + 1, FALSE) /\ UNCHANGED begunLate
  /\ UNCHANGED <<queue, books, parked, calls, seen, charges, refunds, void, cancelled, late, told, sent, lost,
                 crashes, hangs, losses, faults>>

(* Something in the service fails: the message is parked, and retried from there. *)
Fail(r) ==
  /\ faults < MaxFaults /\ work[r].at = "look"
  /\ faults' = faults + 1
  /\ parked' = IF Keeps("nothing-is-dropped") THEN parked \union {work[r].step} ELSE parked
  /\ work' = [work EXCEPT ![r].at = "ack"]
  /\ Say(ToString(r), "inbox", work[r].step \o IF Keeps("nothing-is-dropped")
                                               THEN " cannot be handled, and is parked"
                                               ELSE " cannot be handled, and is dropped")
  /\ UNCHANGED <<queue, row, books, calls, seen, charges, refunds, void, cancelled, late, mail, told, said, ended,
                 begunLate, sent, lost, crashes, hangs, losses>>

Redrive(s) ==
  /\ s \in parked /\ HasRoom(s)
  /\ parked' = parked \ {s}
  /\ queue' = [queue EXCEPT ![s] = @ + 1]
  /\ Say("inbox", "broker", "the parked " \o s \o " is taken up again")
  /\ UNCHANGED <<work, row, books, calls, seen, charges, refunds, void, cancelled, late, mail, told, said, ended,
                 begunLate, sent, lost, crashes, hangs, losses, faults>>

Acknowledge(r) ==
  /\ work[r].at = "ack"
  /\ work' = [work EXCEPT ![r] = Idle]
  /\ Say(ToString(r), "broker", "acknowledges the " \o work[r].step)
  /\ UNCHANGED <<queue, row, books, parked, calls, seen, charges, refunds, void, cancelled, late, mail, told, said,
                 ended, begunLate, sent, lost, crashes, hangs, losses, faults>>

------------------------------------------------------------------------------
(* The gateway, which carries a call out once per key, at some time, also after its caller has died *)

Results(s, key) == {c \in seen : c[1] = s /\ c[2] = key}

Call(r) ==
  /\ work[r].at = "call"
  /\ LET s == work[r].step
         key == CallKey(work[r].token) IN
     /\ Results(s, key) = {} /\ <<s, key>> \notin calls
     /\ calls' = calls \union {<<s, key>>}
     /\ Say(ToString(r), "gateway", s \o IF Keeps("same-step-same-key") THEN "" ELSE ", key " \o ToString(key))
  /\ UNCHANGED <<queue, work, row, books, parked, seen, charges, refunds, void, cancelled, late, mail, told, said,
                 ended, begunLate, sent, lost, crashes, hangs, losses, faults>>

CarryOut(call) ==
  /\ calls' = calls \ {call}
  /\ IF call[1] = "charge"
     THEN \E isTaken \in IF void THEN {FALSE} ELSE BOOLEAN :
            /\ charges' = IF isTaken THEN charges + 1 ELSE charges
            /\ seen' = seen \union {<<"charge", call[2], IF isTaken THEN "done" ELSE "refused">>}
            /\ Say("gateway", "gateway", IF isTaken THEN "takes the money" ELSE "declines")
            /\ UNCHANGED <<refunds, void>>
     ELSE /\ refunds' = IF charges > refunds THEN refunds + 1 ELSE refunds
          /\ void' = TRUE
          /\ seen' = seen \union {<<"refund", call[2], "done">>}
          /\ Say("gateway", "gateway", IF charges > refunds THEN "gives the money back" ELSE "blocks the charge")
          /\ UNCHANGED charges
  /\ UNCHANGED <<queue, work, row, books, parked, cancelled, late, mail, told, said, ended, begunLate, sent, lost,
                 crashes, hangs, losses, faults>>

(* The answer arrives and is committed under the token. An answer that is lost is asked for again: it stays here. *)
Conclude(r) ==
  /\ work[r].at = "call"
  /\ LET s == work[r].step
         token == work[r].token IN
     \E result \in Results(s, CallKey(token)) :
       LET isOwner == row[s].status = "started" /\ row[s].token = token
           rows == [row EXCEPT ![s] = Completed(token, result[3])]
           paid == IF s = "refund" THEN "repaid" ELSE IF result[3] = "done" THEN "paid" ELSE books IN
       IF isOwner \/ ~Keeps("fenced-completion")
       THEN /\ Counted(s)
            /\ IF Keeps("one-transaction")
               THEN /\ Commit(rows, s, result[3])
                    /\ books' = paid
                    /\ Goes(r, "ack", s, token, work[r].held)
                    /\ Say(ToString(r), "inbox", s \o ": " \o result[3] \o ", under token " \o ToString(token))
               ELSE /\ Commit(rows, s, "none")
                    /\ Goes(r, "half", s, token, work[r].held)
                    /\ Say(ToString(r), "inbox", s \o ": " \o result[3] \o ", in a transaction of its own")
                    /\ UNCHANGED books
       ELSE /\ Goes(r, "ack", s, token, work[r].held)
            /\ Say(ToString(r), "inbox", "token " \o ToString(token) \o " of the " \o s \o " is not its owner's")
            /\ UNCHANGED <<row, mail, said, books, ended>>
  /\ UNCHANGED <<queue, parked, calls, seen, charges, refunds, void, cancelled, late, told, begunLate, sent, lost,
                 crashes, hangs, losses, faults>>

(* Only without rule 1: what belongs to the outcome follows in another transaction. *)
Follow(r) ==
  /\ work[r].at = "half"
  /\ LET s == work[r].step IN
     /\ Commit(row, s, row[s].outcome)
     /\ books' = IF s = "refund" THEN "repaid" ELSE IF row[s].outcome = "done" THEN "paid" ELSE books
     /\ Goes(r, "ack", s, work[r].token, work[r].held)
     /\ Say(ToString(r), "inbox", "writes the payment and the reply")
  /\ UNCHANGED <<queue, parked, calls, seen, charges, refunds, void, cancelled, late, told, ended, begunLate, sent,
                 lost, crashes, hangs, losses, faults>>

(* An action whose time is over is answered as of unknown result. *)
GiveUp(r) ==
  /\ work[r].at = "call" /\ work[r].step = "charge" /\ late
  /\ Results("charge", CallKey(work[r].token)) = {}
  /\ LET token == work[r].token IN
     IF row["charge"].status = "started" /\ row["charge"].token = token
     THEN /\ Commit([row EXCEPT !["charge"] = Completed(token, "unavailable")], "charge", "unavailable")
          /\ Counted("charge")
          /\ Say(ToString(r), "inbox", "charge: unavailable, under token " \o ToString(token))
     ELSE /\ UNCHANGED <<row, mail, said, ended>>
          /\ Say(ToString(r), "inbox", "token " \o ToString(token) \o " of the charge is not its owner's")
  /\ Goes(r, "ack", "charge", work[r].token, work[r].held)
  /\ UNCHANGED <<queue, books, parked, calls, seen, charges, refunds, void, cancelled, late, told, begunLate, sent,
                 lost, crashes, hangs, losses, faults>>

------------------------------------------------------------------------------
(* Faults *)

Crash(r) ==
  /\ crashes < MaxCrashes /\ work[r] # Idle
  /\ crashes' = crashes + 1
  /\ work' = [work EXCEPT ![r] = Idle]
  /\ queue' = IF work[r].held THEN [queue EXCEPT ![work[r].step] = @ + 1] ELSE queue
  /\ Say(ToString(r), ToString(r), "crashes")
  /\ UNCHANGED <<row, books, parked, calls, seen, charges, refunds, void, cancelled, late, mail, told, said, ended,
                 begunLate, sent, lost, hangs, losses, faults>>

HasOwner(s) == \E r \in Replicas : work[r].at = "call" /\ work[r].step = s /\ work[r].token = row[s].token

(* A lease ends when its owner has died, or while it hangs. *)
LeaseEnds(s) ==
  /\ row[s].status = "started" /\ row[s].leased
  /\ ~HasOwner(s) \/ hangs < MaxHangs
  /\ hangs' = IF HasOwner(s) THEN hangs + 1 ELSE hangs
  /\ row' = [row EXCEPT ![s].leased = FALSE]
  /\ Say("inbox", "inbox", "the lease of the " \o s \o " ends")
  /\ UNCHANGED <<queue, work, books, parked, calls, seen, charges, refunds, void, cancelled, late, mail, told, said,
                 ended, begunLate, sent, lost, crashes, losses, faults>>

(* With rule 14 no copy of a command arrives after its row was deleted, so to model that is to model nothing. *)
Forget(s) ==
  /\ ~Keeps("memory-outlives-repetition")
  /\ row[s].status \in {"completed", "tombstone"}
  /\ row' = [row EXCEPT ![s] = NoRow]
  /\ sent' = sent \ {s}
  /\ ended' = [ended EXCEPT ![s] = 0]
  /\ Say("inbox", "inbox", "the retention of the " \o s \o " ends")
  /\ UNCHANGED <<queue, work, books, parked, calls, seen, charges, refunds, void, cancelled, late, mail, told, said,
                 begunLate, lost, crashes, hangs, losses, faults>>

Next ==
  \/ Cancel \/ Expire
  \/ \E s \in Steps : Send(s) \/ Receive(s) \/ LoseCommand(s) \/ LoseReply(s) \/ Redrive(s) \/ LeaseEnds(s) \/ Forget(s)
  \/ \E r \in Replicas :
       \/ Handle(r) \/ Fail(r) \/ Acknowledge(r) \/ Call(r) \/ Conclude(r) \/ Follow(r) \/ GiveUp(r) \/ Crash(r)
       \/ \E s \in Steps : Take(r, s) \/ Recover(r, s)
  \/ \E call \in calls : CarryOut(call)

(* Whatever may happen by itself happens some day; no fault has to, and nobody has to cancel. *)
Fair ==
  /\ \A s \in Steps :
       /\ WF_vars(Send(s)) /\ WF_vars(Receive(s)) /\ WF_vars(Redrive(s))
       /\ WF_vars(LeaseEnds(s) /\ hangs' = hangs)
       /\ SF_vars(\E r \in Replicas : Recover(r, s))
       /\ SF_vars(\E r \in Replicas : Take(r, s))
  /\ \A r \in Replicas : WF_vars(Handle(r) \/ Acknowledge(r) \/ Call(r) \/ Conclude(r) \/ Follow(r))
  /\ WF_vars(\E call \in calls : CarryOut(call))

Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ Fair

------------------------------------------------------------------------------
(* The laws *)

OneEffect == charges <= 1 /\ refunds <= 1

NothingConfirmedWithoutItsEffect ==
  <<"charge", "done">> \in said => charges >= 1 /\ books # "none"

NoEffectIsLeft == <<"refund", "done">> \in said => charges = refunds

CompletedOnce == \A s \in Steps : ended[s] <= 1

OneAnswer == \A a, b \in said : a[1] = b[1] => a = b

NothingIsDropped ==
  \A s \in sent \ lost : queue[s] > 0 \/ s \in parked \/ row[s].status # "none"
                         \/ \E r \in Replicas : work[r].step = s

NothingIsBegunLate == ~begunLate

(* For the graph of the states: what the saga is told changes nothing at the participant. *)
NotTold == told = {}

EveryCommandIsAnswered ==
  /\ <>(cancelled \/ "charge" \in told)
  /\ cancelled ~> "refund" \in told
==============================================================================
