/** JSON of the REST API, as the page uses it. Times are ISO-8601 text, durations milliseconds. */

import type { Hold } from "./sagas";

export interface Session {
  signedIn: boolean;
  name: string | null;
  roles: string[];
  csrf: string | null;
  method: "bearer" | "oidc" | null;
  signInUrl: string | null;
  signOutUrl: string | null;
}

export interface StepCount {
  definition: string;
  version: number;
  step: string;
  direction: "forward" | "backward";
  count: number;
  oldestAgeMs: number | null;
}

export interface Overview {
  at: string;
  open: number;
  running: number;
  compensating: number;
  stuck: number;
  quarantined: number;
  held: number;
  overdue: number;
  /** Of the oldest of each; of stuck ones when it started. Undefined at an older release. */
  since?: { stuck: string | null; quarantined: string | null; held: string | null; overdue: string | null };
  parked: number;
  outbox: { messages: number; oldestAgeMs: number | null };
  startedPerSecond: number;
  endedPerSecond: number;
  p50Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
  steps: StepCount[];
  /** The participants that have to answer; command is the first word of the routing keys that lead to one. */
  awaited: { participant: string; command: string; sagas: number }[];
}

export interface DefinitionStep {
  name: string;
  kind: "step" | "pivot" | "local" | "parallel" | "choice" | "items" | "wait" | "sleep" | "approval" | "saga" | "fallback";
  command: string | null;
  participant: string | null;
  compensation: string | null;
  parallelGroup: number | null;
  /** The step that it is part of, and on which of its ways it is. */
  partOf: string | null;
  way: string | null;
  /** Those that it has itself; some may have no steps. */
  ways: string[];
  /** What else holds for it, in words. */
  terms: string | null;
}

export interface DefinitionVersion {
  version: number;
  startVersion: boolean;
  /** Of a hundred new sagas, so many follow it. */
  share: number;
  /** How many of the living replicas know it. */
  knownBy: number;
  /** No saga follows it, and no new one will. */
  drained: boolean;
  open: number;
  ended: number | null;
  /** Attributes that its sagas are found by. */
  searchable: string[];
  steps: DefinitionStep[];
}

export interface Definition {
  name: string;
  replicas: number;
  hold: Hold | null;
  /** What operators have set; null where new sagas follow the configured version. */
  start: { version: number; share: number; by: string; reason: string | null; since: string } | null;
  versions: DefinitionVersion[];
}

export interface DefinitionDiff {
  from: number;
  to: number;
  lines: { change: "same" | "added" | "removed" | "changed"; step: string; detail: string | null }[];
}

export interface Replica {
  id: string;
  /** The one that answers. */
  self: boolean;
  /** Seen within the last 35 seconds. */
  living: boolean;
  /** Null where its release does not say so; likewise the host, the connections and the heap. */
  build: string | null;
  host: string | null;
  startedAt: string;
  seenAt: string;
  roles: string[];
  /** Versions, such as "place-order v1". */
  knows: string[];
  /** Those that other living replicas know. */
  lacks: string[];
  loops: { name: string; lastTurnAt: string }[];
  connections: { inUse: number; idle: number; waiting: number; most: number } | null;
  /** In bytes. */
  heap: { used: number; most: number } | null;
}

/** What the sagas of a definition did within a span of time; durations from start to end. */
export interface MinutesPoint {
  at: string;
  definition: string;
  started: number;
  completed: number;
  compensated: number;
  meanMs: number | null;
  p50Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
}

/** How many sagas entered a step, by outcome; durations since its command was sent first. */
export interface StepFunnel {
  definition: string;
  step: string;
  entered: number;
  done: number;
  refused: number;
  givenUp: number;
  stuck: number;
  sentAgain: number;
  p50Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
}

/** How long a step took that was answered within a span. */
export interface StepDurations {
  at: string;
  definition: string;
  step: string;
  p50Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
}

export interface Minutes {
  from: string;
  until: string;
  spanMinutes: number;
  /** None for a span without transitions; likewise the failures. */
  points: MinutesPoint[];
  failures: { at: string; definition: string; step: string; refused: number; givenUp: number; stuck: number; sentAgain: number }[];
  /** Since when the steps are counted: a day at most. */
  stepsFrom: string;
  /** In the order of their definition. */
  steps: StepFunnel[];
  stepDurations: StepDurations[];
  /** The most that waited. */
  backlog: { at: string; open: number | null; outboxMessages: number | null; outboxOldestMs: number | null }[];
}

export interface Participant {
  name: string;
  queues: { queue: string; depth: number | null; consumers: number | null; paused: boolean; warning: string | null }[];
  handledPerSecond: number | null;
  p50Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
  failures: number | null;
  breakers: { target: string; state: string }[];
  paused: boolean;
  pausedBy: string | null;
  pausedAt: string | null;
  /** Null for viewers. */
  pausedReason: string | null;
  parked: number;
  /** Not resolved; null or undefined where the service makes none, or its release does not say so. Likewise the next. */
  refundsFailed?: number | null;
  bookDifferences?: number | null;
  outboxOldestAgeMs: number | null;
}

export interface Service {
  name: string;
  url: string | null;
  reachable: boolean;
  why: string | null;
  participant: Participant | null;
}

export interface AuditEntry {
  seq: number;
  at: string;
  actor: string;
  action: string;
  subject: { kind: "saga" | "repair" | "definition" | "parked-message" | "parked-job" | "participant"; id: string };
  reason: string | null;
  detail: string | null;
  hash: string;
  previousHash: string;
  /** Reason and detail are kept from a viewer. */
  hidden: boolean;
}

export interface AuditPage {
  entries: AuditEntry[];
  next?: string;
}

export interface AuditVerification {
  intact: boolean;
  entries: number;
  brokenAt: number | null;
  lastHash: string;
}
