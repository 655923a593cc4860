--------------------------------- MODULE Guard ---------------------------------
(***************************************************************************)
(* The guard of POST requests. A client sends requests under its keys and  *)
(* repeats each until it is answered. Two replicas handle them.            *)
(*                                                                         *)
(* Shared mode: the claim, the order and the stored response are one       *)
(* transaction, which several requests may share.                          *)
(* Leased mode: the claim commits first, since the handler calls out; it   *)
(* has a lease and a token, and may be taken over.                         *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Replicas,
  Requests,       \* each is <<key, body>>
  Leased,         \* the keys in leased mode
  MaxInFlight,    \* requests at the replicas, sent or running
  MaxCrashes,     \* of replicas
  MaxHangs,       \* leases that end while their owner still works
  MaxFailures,    \* commits that fail
  Without,        \* the rules that are taken out
  Traced          \* whether each state says what has just happened

VARIABLES
  sent,           \* requests on their way to a replica
  batch,          \* replica -> the requests that its transaction shares
  work,           \* replica -> the claim that it owns in leased mode
  locks,          \* keys that a transaction has claimed, with its replica
  record,         \* key -> its row: status, body, token, order
  orders,         \* orders that are committed, each with its key
  calls,          \* keys under which the leased handler's call took effect, each as often as it did
  answers,        \* every answer that a client has: request and order
  crashes, hangs, failures,
  last

vars == <<sent, batch, work, locks, record, orders, calls, answers, crashes, hangs, failures, last>>
View == <<sent, batch, work, locks, record, orders, calls, answers, crashes, hangs, failures>>
Symmetry == Permutations(Replicas)

Keeps(rule) == rule \notin Without
Say(from, to, text) == last' = IF Traced THEN <<from, to, text>> ELSE <<>>

(* Keys with bodies, for configurations. *)
TwoKeys == {<<"a", "x">>, <<"b", "x">>}
TwoKeysAndAnotherBody == TwoKeys \union {<<"a", "y">>}
OneKeyAndAnotherBody == {<<"a", "x">>, <<"a", "y">>}

Keys == {q[1] : q \in Requests}
NoRecord == [status |-> "none", body |-> "none", token |-> 0, leased |-> FALSE, order |-> 0]
Claimed(body, token) == [status |-> "claimed", body |-> body, token |-> token, leased |-> TRUE, order |-> 0]
Stored(body, token, order) == [status |-> "stored", body |-> body, token |-> token, leased |-> FALSE, order |-> order]
Idle == [at |-> "idle", request |-> <<"none", "none">>, token |-> 0]

Init ==
  /\ sent = {}
  /\ batch = [r \in Replicas |-> {}]
  /\ work = [r \in Replicas |-> Idle]
  /\ locks = {}
  /\ record = [k \in Keys |-> NoRecord]
  /\ orders = {}
  /\ calls = [k \in Keys |-> 0]
  /\ answers = {}
  /\ crashes = 0 /\ hangs = 0 /\ failures = 0
  /\ last = <<>>

Name(q) == q[1] \o "/" \o q[2]
IsAnswered(q) == \E a \in answers : a[1] = q
Running == UNION {{<<q, r>> : q \in batch[r]} : r \in Replicas}
           \union {<<work[r].request, r>> : r \in {x \in Replicas : work[x] # Idle}}

------------------------------------------------------------------------------

(* A client repeats a request as long as it has no answer; a proxy may repeat it, too. *)
Send(q) ==
  /\ q \notin sent /\ ~IsAnswered(q)
  /\ Cardinality(sent) + Cardinality(Running) < MaxInFlight
  /\ sent' = sent \union {q}
  /\ Say("client", "replicas", "POST " \o Name(q))
  /\ UNCHANGED <<batch, work, locks, record, orders, calls, answers, crashes, hangs, failures>>

(* A key that is known: the stored answer, or a refusal of another body. *)
Replay(r, q) ==
  LET known == record[q[1]]
      isSame == known.body = q[2] \/ ~Keeps("fingerprint")
      order == IF known.status = "stored" /\ isSame THEN known.order ELSE 0 IN
  /\ q \in sent
  /\ known.status = "stored" \/ (known.status = "claimed" /\ known.body # q[2])
  /\ sent' = sent \ {q}
  /\ answers' = answers \union {<<q, order>>}
  /\ Say(ToString(r), "client", Name(q) \o ": " \o
         IF order = 0 THEN "422" ELSE "the stored answer, order " \o ToString(order))
  /\ UNCHANGED <<batch, work, locks, record, orders, calls, crashes, hangs, failures>>

(* Still running: 409, after which the client repeats it. *)
InProgress(r, q) ==
  /\ q \in sent
  /\ \/ q[1] \in {l[1] : l \in locks}
     \/ record[q[1]].status = "claimed" /\ record[q[1]].leased
  /\ sent' = sent \ {q}
  /\ Say(ToString(r), "client", Name(q) \o ": 409, it is running")
  /\ UNCHANGED <<batch, work, locks, record, orders, calls, answers, crashes, hangs, failures>>

------------------------------------------------------------------------------
(* Shared mode *)

IsFree(k) == record[k].status = "none" /\ (k \notin {l[1] : l \in locks} \/ ~Keeps("claim"))

Claim(r, q) ==
  /\ q \in sent /\ q[1] \notin Leased /\ IsFree(q[1])
  /\ \A other \in batch[r] : other[1] # q[1]
  /\ sent' = sent \ {q}
  /\ batch' = [batch EXCEPT ![r] = @ \union {q}]
  /\ locks' = locks \union {<<q[1], r>>}
  /\ Say(ToString(r), "database", "claims " \o q[1])
  /\ UNCHANGED <<work, record, orders, calls, answers, crashes, hangs, failures>>

(* The orders of a batch: the first of a key, unless something has gone wrong. *)
Made(r) == {<<q[1], Cardinality({o \in orders : o[1] = q[1]}) + 1>> : q \in batch[r]}

Recorded(r, number(_)) ==
  record' = IF Keeps("one-transaction")
            THEN [k \in Keys |-> IF \E q \in batch[r] : q[1] = k
                                 THEN LET q == CHOOSE x \in batch[r] : x[1] = k IN Stored(q[2], 1, number(q))
                                 ELSE record[k]]
            ELSE record

Commit(r) ==
  /\ batch[r] # {}
  /\ LET made == Made(r)
         number(q) == (CHOOSE o \in made : o[1] = q[1])[2] IN
     /\ orders' = orders \union made
     /\ Recorded(r, number)
     /\ answers' = answers \union {<<q, number(q)>> : q \in batch[r]}
  /\ batch' = [batch EXCEPT ![r] = {}]
  /\ locks' = {l \in locks : l[2] # r}
  /\ Say(ToString(r), "client", "commits " \o ToString(Cardinality(batch[r])) \o " together; 201"
         \o IF Keeps("one-transaction") THEN "" ELSE ", without the stored answer")
  /\ UNCHANGED <<sent, work, calls, crashes, hangs, failures>>

(* The commit took place, and its answer is lost: the client repeats its request. *)
CommitUnseen(r) ==
  /\ batch[r] # {} /\ crashes < MaxCrashes
  /\ crashes' = crashes + 1
  /\ LET made == Made(r)
         number(q) == (CHOOSE o \in made : o[1] = q[1])[2] IN
     /\ orders' = orders \union made
     /\ Recorded(r, number)
  /\ batch' = [batch EXCEPT ![r] = {}]
  /\ locks' = {l \in locks : l[2] # r}
  /\ Say(ToString(r), ToString(r), "commits, and crashes before it answers"
         \o IF Keeps("one-transaction") THEN "" ELSE " and stores the answer")
  /\ UNCHANGED <<sent, work, calls, answers, failures, hangs>>

(* The commit fails: all is rolled back, and each request is handled again by itself. *)
FailCommit(r) ==
  /\ batch[r] # {} /\ failures < MaxFailures
  /\ failures' = failures + 1
  /\ sent' = sent \union batch[r]
  /\ answers' = IF Keeps("answer-after-commit") THEN answers ELSE answers \union {<<q, 1>> : q \in batch[r]}
  /\ batch' = [batch EXCEPT ![r] = {}]
  /\ locks' = {l \in locks : l[2] # r}
  /\ Say(ToString(r), "database", "the commit fails" \o IF Keeps("answer-after-commit") THEN "" ELSE " after the answer, 201")
  /\ UNCHANGED <<work, record, orders, calls, crashes, hangs>>

------------------------------------------------------------------------------
(* Leased mode *)

(* Inserts the claim, or takes over one whose lease is over, under the next token. *)
Lease(r, q) ==
  /\ q \in sent /\ q[1] \in Leased /\ work[r] = Idle
  /\ LET old == record[q[1]] IN
     /\ \/ old.status = "none"
        \/ old.status = "claimed" /\ ~old.leased /\ old.body = q[2]
     /\ record' = [record EXCEPT ![q[1]] = Claimed(q[2], old.token + 1)]
     /\ work' = [work EXCEPT ![r] = [at |-> "run", request |-> q, token |-> old.token + 1]]
     /\ Say(ToString(r), "database", "claims " \o q[1] \o ", token " \o ToString(old.token + 1))
  /\ sent' = sent \ {q}
  /\ UNCHANGED <<batch, locks, orders, calls, answers, crashes, hangs, failures>>

(* The handler calls out, under the same key each time. *)
CallOut(r) ==
  /\ work[r].at = "run"
  /\ LET k == work[r].request[1] IN
     calls' = IF calls[k] = 0 \/ ~Keeps("same-call-same-key") THEN [calls EXCEPT ![k] = @ + 1] ELSE calls
  /\ work' = [work EXCEPT ![r].at = "called"]
  /\ Say(ToString(r), "gateway", "calls out for " \o work[r].request[1])
  /\ UNCHANGED <<sent, batch, locks, record, orders, answers, crashes, hangs, failures>>

(* Order and answer, in one transaction, under the token. *)
Complete(r) ==
  /\ work[r].at = "called"
  /\ LET q == work[r].request
         k == q[1]
         number == Cardinality({o \in orders : o[1] = k}) + 1 IN
     IF (record[k].status = "claimed" /\ record[k].token = work[r].token) \/ ~Keeps("fenced-completion")
     THEN /\ record' = [record EXCEPT ![k] = Stored(q[2], work[r].token, number)]
          /\ orders' = orders \union {<<k, number>>}
          /\ answers' = answers \union {<<q, number>>}
          /\ Say(ToString(r), "client", "commits under token " \o ToString(work[r].token) \o "; 201")
     ELSE /\ Say(ToString(r), "client", "token " \o ToString(work[r].token) \o " is not the owner's: 409")
          /\ UNCHANGED <<record, orders, answers>>
  /\ work' = [work EXCEPT ![r] = Idle]
  /\ UNCHANGED <<sent, batch, locks, calls, crashes, hangs, failures>>

HasOwner(k) == \E r \in Replicas : work[r] # Idle /\ work[r].request[1] = k /\ work[r].token = record[k].token

LeaseEnds(k) ==
  /\ record[k].status = "claimed" /\ record[k].leased
  /\ ~HasOwner(k) \/ hangs < MaxHangs
  /\ hangs' = IF HasOwner(k) THEN hangs + 1 ELSE hangs
  /\ record' = [record EXCEPT ![k].leased = FALSE]
  /\ Say("database", "database", "the lease of " \o k \o " ends")
  /\ UNCHANGED <<sent, batch, work, locks, orders, calls, answers, crashes, failures>>

------------------------------------------------------------------------------

(* Its connections end: open transactions roll back, advisory locks go. *)
Crash(r) ==
  /\ crashes < MaxCrashes /\ (batch[r] # {} \/ work[r] # Idle)
  /\ crashes' = crashes + 1
  /\ batch' = [batch EXCEPT ![r] = {}]
  /\ work' = [work EXCEPT ![r] = Idle]
  /\ locks' = {l \in locks : l[2] # r}
  /\ Say(ToString(r), ToString(r), "crashes")
  /\ UNCHANGED <<sent, record, orders, calls, answers, hangs, failures>>

Next ==
  \/ \E q \in Requests : Send(q)
  \/ \E k \in Keys : LeaseEnds(k)
  \/ \E r \in Replicas :
       \/ Commit(r) \/ CommitUnseen(r) \/ FailCommit(r) \/ CallOut(r) \/ Complete(r) \/ Crash(r)
       \/ \E q \in Requests : Replay(r, q) \/ InProgress(r, q) \/ Claim(r, q) \/ Lease(r, q)

Fair ==
  /\ \A q \in Requests :
       /\ SF_vars(Send(q))
       /\ SF_vars(\E r \in Replicas : Replay(r, q))
       /\ SF_vars(\E r \in Replicas : Claim(r, q) \/ Lease(r, q))
       /\ WF_vars(\E r \in Replicas : InProgress(r, q))
  /\ \A k \in Keys : WF_vars(LeaseEnds(k) /\ hangs' = hangs)
  /\ \A r \in Replicas : WF_vars(Commit(r) \/ CallOut(r) \/ Complete(r))

Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ Fair

------------------------------------------------------------------------------
(* The laws *)

OneOrderPerKey == \A a, b \in orders : a[1] = b[1] => a = b

OneCallPerKey == \A k \in Keys : calls[k] <= 1

(* 0 is the answer to a request with another body. *)
NothingAnsweredWithoutItsOrder ==
  \A a \in answers : a[2] # 0 => <<a[1][1], a[2]>> \in orders

AllAnswersNameOneOrder ==
  \A a, b \in answers : a[1][1] = b[1][1] /\ a[2] # 0 /\ b[2] # 0 => a = b

EveryRequestIsAnswered == \A q \in Requests : <>IsAnswered(q)
================================================================================
