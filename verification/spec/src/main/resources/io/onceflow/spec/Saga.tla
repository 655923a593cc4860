--------------------------------- MODULE Saga ---------------------------------
(***************************************************************************)
(* A saga and its participants: pay and ship can be undone; then comes the *)
(* pivot, which confirms the order in the orchestrator's own transaction;  *)
(* notify comes after it and is sent until it is done.                     *)
(*                                                                         *)
(* Messages are a set: what is in it is delivered at any time, in any      *)
(* order and any number of times, until the broker loses it. Timers fire   *)
(* at any time. A participant handles a message in one action; what        *)
(* happens within is specified in Participant.                             *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  MaxLosses,      \* messages that the broker loses
  MaxRefusals,    \* compensations, and steps after the pivot, that are refused for a while
  MaxAttempts,    \* keys that a step may be sent under, if it is not always the same
  Without,        \* the rules that are taken out
  Traced          \* whether each state says what has just happened

VARIABLES
  status,         \* of the saga
  step,           \* of each step: its status
  attempt,        \* of each step: under which key it was sent last
  net,            \* messages in transit
  handled,        \* of each step: what its participant has stored; without rule 5 under its first key
  keys,           \* of each step: the keys that its participant has carried out
  undone,         \* of each step: whether its compensation is stored as done
  effects,        \* of each step: how often it took effect
  undos,          \* of each step: how often it was undone
  answer,         \* to the customer who cancels
  confirmed,      \* whether the pivot was passed
  losses, refusals,
  last            \* what has just happened, if Traced

vars == <<status, step, attempt, net, handled, keys, undone, effects, undos, answer, confirmed, losses, refusals, last>>
View == <<status, step, attempt, net, handled, keys, undone, effects, undos, answer, confirmed, losses, refusals>>

Steps == {"pay", "ship", "notify"}
Forward == <<"pay", "ship", "notify">>
Compensable == {"pay", "ship"}

Keeps(rule) == rule \notin Without
Say(from, to, text) == last' = IF Traced THEN <<from, to, text>> ELSE <<>>

Do(s, key) == [kind |-> "do", step |-> s, key |-> key, outcome |-> "none"]
Undo(s) == [kind |-> "undo", step |-> s, key |-> 0, outcome |-> "none"]
Did(s, outcome) == [kind |-> "did", step |-> s, key |-> 0, outcome |-> outcome]
Undid(s, outcome) == [kind |-> "undid", step |-> s, key |-> 0, outcome |-> outcome]

Init ==
  /\ status = "RUNNING"
  /\ step = [s \in Steps |-> IF s = "pay" THEN "WAITING" ELSE "PENDING"]
  /\ attempt = [s \in Steps |-> 0]
  /\ net = {Do("pay", 0)}
  /\ handled = [s \in Steps |-> "none"]
  /\ keys = [s \in Steps |-> {}]
  /\ undone = [s \in Steps |-> FALSE]
  /\ effects = [s \in Steps |-> 0]
  /\ undos = [s \in Steps |-> 0]
  /\ answer = "none"
  /\ confirmed = FALSE
  /\ losses = 0 /\ refusals = 0
  /\ last = <<>>

HasEnded == status \in {"COMPLETED", "COMPENSATED"}

------------------------------------------------------------------------------
(* The orchestrator: each event is one transaction *)

(* Takes the steps ahead, up to the first that has to wait. *)
GoForward(steps) ==
  IF steps["ship"] = "PENDING"
  THEN /\ step' = [steps EXCEPT !["ship"] = "WAITING"]
       /\ net' = net \union {Do("ship", 0)}
       /\ UNCHANGED <<status, confirmed>>
  ELSE IF steps["notify"] = "PENDING"
  THEN /\ step' = [steps EXCEPT !["notify"] = "WAITING"]
       /\ net' = net \union {Do("notify", 0)}
       /\ confirmed' = TRUE
       /\ UNCHANGED status
  ELSE /\ step' = steps
       /\ status' = "COMPLETED"
       /\ UNCHANGED <<net, confirmed>>

IsToBeUndone(steps, s) == s \in Compensable /\ steps[s] \in {"SUCCEEDED", "GIVEN_UP"}
IsAwaited(steps, s) == steps[s] \in {"WAITING", "COMPENSATING"}

(* Undoes the last step that has to be; waits for each before it goes to the one before. *)
GoBack(steps) ==
  LET next == IF IsToBeUndone(steps, "ship") THEN {"ship"}
              ELSE IF IsAwaited(steps, "ship") /\ Keeps("reverse-order") THEN {}
              ELSE IF IsToBeUndone(steps, "pay") THEN {"pay"} ELSE {}
      sent == IF Keeps("reverse-order") THEN next ELSE {s \in Compensable : IsToBeUndone(steps, s)}
      after == [s \in Steps |-> IF s \in sent THEN "COMPENSATING" ELSE steps[s]] IN
  /\ step' = after
  /\ net' = net \union {Undo(s) : s \in sent}
  /\ status' = IF \A s \in Steps : ~IsAwaited(after, s) THEN "COMPENSATED" ELSE "COMPENSATING"
  /\ UNCHANGED confirmed

(* Without rule 7 a success is taken for news, whatever the saga is doing. *)
GoOn(steps) == IF status = "COMPENSATING" /\ Keeps("only-forward") THEN GoBack(steps) ELSE GoForward(steps)

(* Whether a reply to the step counts (rule 7). *)
Counts(s) == step[s] = "WAITING" \/ ~Keeps("only-forward")

Replied(s, outcome) ==
  /\ Did(s, outcome) \in net
  /\ Counts(s)
  /\ CASE outcome = "done" -> GoOn([step EXCEPT ![s] = "SUCCEEDED"])
       [] outcome # "done" /\ confirmed -> UNCHANGED <<status, step, net, confirmed>>   \* it is sent until it is done
       [] OTHER -> GoBack([step EXCEPT ![s] = "REFUSED"])
  /\ Say(s, "saga", outcome)
  /\ UNCHANGED <<attempt, handled, keys, undone, effects, undos, answer, losses, refusals>>

CompensationReplied(s, outcome) ==
  /\ Undid(s, outcome) \in net
  /\ step[s] = "COMPENSATING"
  /\ IF outcome = "done" \/ ~Keeps("retried-until-done")
     THEN GoBack([step EXCEPT ![s] = "COMPENSATED"])
     ELSE UNCHANGED <<status, step, net, confirmed>>
  /\ Say(s, "saga", "compensation: " \o outcome)
  /\ UNCHANGED <<attempt, handled, keys, undone, effects, undos, answer, losses, refusals>>

(* The timer of a step: its command is sent again, as it was, unless it is in transit still. *)
Resend(s) ==
  /\ ~HasEnded
  /\ \/ /\ step[s] = "WAITING"
        /\ LET key == IF Keeps("same-step-same-key") THEN 0 ELSE attempt[s] + 1 IN
           /\ key <= MaxAttempts
           /\ Do(s, key) \notin net
           /\ net' = net \union {Do(s, key)}
           /\ attempt' = [attempt EXCEPT ![s] = key]
           /\ Say("saga", s, "do, again" \o IF Keeps("same-step-same-key") THEN "" ELSE ", under another key")
     \/ /\ step[s] = "COMPENSATING"
        /\ Undo(s) \notin net
        /\ net' = net \union {Undo(s)}
        /\ Say("saga", s, "undo, again")
        /\ UNCHANGED attempt
  /\ UNCHANGED <<status, step, handled, keys, undone, effects, undos, answer, confirmed, losses, refusals>>

(* The attempts of a step are used up, or the saga's deadline passes: whether it was done is not known (rule 8). *)
TimeOut(s) ==
  /\ step[s] = "WAITING" /\ ~confirmed
  /\ GoBack([step EXCEPT ![s] = IF Keeps("timeout-means-unknown") THEN "GIVEN_UP" ELSE "REFUSED"])
  /\ Say("saga", "saga", s \o " times out")
  /\ UNCHANGED <<attempt, handled, keys, undone, effects, undos, answer, losses, refusals>>

(* Cancelling waits for the step that runs. *)
Cancel ==
  /\ answer = "none"
  /\ IF HasEnded \/ (confirmed /\ Keeps("past-the-pivot-only-forward"))
     THEN /\ answer' = IF status = "COMPENSATED" THEN "cancelled" ELSE "too-late"
          /\ UNCHANGED <<status, step, net, confirmed>>
     ELSE /\ answer' = "compensating"
          /\ IF status = "COMPENSATING" THEN UNCHANGED <<status, step, net, confirmed>> ELSE GoBack(step)
  /\ Say("customer", "saga", "cancel: " \o answer')
  /\ UNCHANGED <<attempt, handled, keys, undone, effects, undos, losses, refusals>>

------------------------------------------------------------------------------
(* The participants *)

(* A refusal of what is sent until it is done does not complete it. *)
MayRefuse(s) == IF s = "notify" THEN refusals < MaxRefusals ELSE TRUE

Handle(s, key) ==
  /\ Do(s, key) \in net
  /\ IF handled[s] = "none" \/ (~Keeps("same-step-same-key") /\ key \notin keys[s])
     THEN \E outcome \in IF MayRefuse(s) THEN {"done", "refused"} ELSE {"done"} :
            /\ handled' = IF s = "notify" /\ outcome = "refused" THEN handled
                          ELSE [handled EXCEPT ![s] = outcome]
            /\ refusals' = IF s = "notify" /\ outcome = "refused" THEN refusals + 1 ELSE refusals
            /\ keys' = IF Keeps("same-step-same-key") THEN keys ELSE [keys EXCEPT ![s] = @ \union {key}]
            /\ effects' = IF outcome = "done" THEN [effects EXCEPT ![s] = @ + 1] ELSE effects
            /\ net' = net \union {Did(s, outcome)}
            /\ Say("saga", s, "do: " \o outcome)
     ELSE /\ net' = IF Keeps("completed-answers-again") THEN net \union {Did(s, handled[s])} ELSE net
          /\ Say("saga", s, "do, repeated: " \o IF Keeps("completed-answers-again") THEN handled[s] ELSE "no answer")
          /\ UNCHANGED <<handled, refusals, keys, effects>>
  /\ UNCHANGED <<status, step, attempt, undone, undos, answer, confirmed, losses>>

(* A compensation that finds no action leaves a tombstone in its place. *)
Compensate(s) ==
  /\ Undo(s) \in net
  /\ \/ /\ undone[s]
        /\ net' = IF Keeps("completed-answers-again") THEN net \union {Undid(s, "done")} ELSE net
        /\ Say("saga", s, "undo, repeated: done")
        /\ UNCHANGED <<handled, undone, undos, refusals>>
     \/ /\ ~undone[s] /\ effects[s] > undos[s] /\ refusals < MaxRefusals
        /\ refusals' = refusals + 1
        /\ net' = net \union {Undid(s, "refused")}
        /\ Say("saga", s, "undo: refused for now")
        /\ UNCHANGED <<handled, undone, undos>>
     \/ /\ ~undone[s]
        /\ handled' = IF handled[s] = "none" THEN [handled EXCEPT ![s] = "cancelled"] ELSE handled
        /\ undone' = [undone EXCEPT ![s] = TRUE]
        /\ undos' = IF effects[s] > undos[s] THEN [undos EXCEPT ![s] = @ + 1] ELSE undos
        /\ net' = net \union {Undid(s, "done")}
        /\ Say("saga", s, "undo: done")
        /\ UNCHANGED refusals
  /\ UNCHANGED <<status, step, attempt, keys, effects, answer, confirmed, losses>>

Lose(message) ==
  /\ losses < MaxLosses
  /\ losses' = losses + 1
  /\ net' = net \ {message}
  /\ Say("broker", "broker", "loses " \o message.kind \o " " \o message.step)
  /\ UNCHANGED <<status, step, attempt, handled, keys, undone, effects, undos, answer, confirmed, refusals>>

Outcomes == {"done", "refused", "cancelled"}

Next ==
  \/ Cancel
  \/ \E s \in Steps :
       \/ Resend(s) \/ TimeOut(s)
       \/ \E outcome \in Outcomes : Replied(s, outcome) \/ CompensationReplied(s, outcome)
       \/ \E key \in 0..MaxAttempts : Handle(s, key)
       \/ s \in Compensable /\ Compensate(s)
  \/ \E message \in net : Lose(message)

(* A step does not have to time out, and nobody has to cancel; a participant does not refuse for ever. *)
Fair ==
  \A s \in Steps :
    /\ WF_vars(Resend(s))
    /\ \A outcome \in Outcomes : WF_vars(Replied(s, outcome)) /\ WF_vars(CompensationReplied(s, outcome))
    /\ \A key \in 0..MaxAttempts : WF_vars(Handle(s, key))
    /\ s \in Compensable => WF_vars(Compensate(s))

Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ Fair

------------------------------------------------------------------------------
(* The laws *)

Stands(s) == effects[s] > undos[s]

OneEffect == \A s \in Steps : effects[s] <= 1 /\ undos[s] <= 1

NothingConfirmedWithoutItsEffects == confirmed => Stands("pay") /\ Stands("ship")

NoEffectIsLeft == status = "COMPENSATED" => ~Stands("pay") /\ ~Stands("ship") /\ ~Stands("notify")

NothingShippedUnpaid == Stands("ship") => Stands("pay")

TheCancellationIsTrue ==
  /\ answer \in {"cancelled", "compensating"} => status # "COMPLETED"
  /\ answer = "too-late" => status # "COMPENSATED"

EverySagaEnds == <>HasEnded
===============================================================================
