/** JSON of sagas and repairs, and what can be said of them without asking again. Pure. */

export interface Quarantine {
  since: string;
  failures: number;
  reason: string;
}

/** An operator's hold: nothing is sent until it is resumed. */
export interface Hold {
  since: string;
  by: string;
  reason: string | null;
  until: string | null;
  /** All sagas of the definition are held, and resumed together. */
  definition: boolean;
}

export interface SagaLine {
  id: string;
  definition: string;
  version: number;
  subjectId: string;
  status: string;
  reason: string | null;
  startedAt: string;
  nextActionAt: string | null;
  endedAt: string | null;
  quarantine: Quarantine | null;
  hold: Hold | null;
  /** Those that it waits for now. */
  steps: string[];
  attempts: number;
  customer: string | null;
  /** What its definition declares as searchable; null for viewers. */
  attributes: Record<string, string> | null;
}

export interface SagaPage {
  sagas: SagaLine[];
  next?: string;
}

export interface StepView {
  name: string;
  status: string;
  attempts: number;
  idempotencyKey: string | null;
  sentAt: string | null;
  repliedAt: string | null;
  expiresAt: string | null;
  /** The branch that a choice has taken, or the keys of a step's items. */
  outcome: string | null;
  compensation: { name: string; attempts: number; idempotencyKey: string | null; sentAt: string | null; repliedAt: string | null; skipped?: string | null } | null;
}

export interface HistoryLine {
  at: string;
  event: string;
  step: string | null;
  detail: string | null;
}

export interface SagaView {
  id: string;
  definition: string;
  version: number;
  /** The saga that started it; undefined at an older release. */
  parent?: string | null;
  status: string;
  reason: string | null;
  startedAt: string;
  nextActionAt: string | null;
  deadlineAt: string | null;
  endedAt: string | null;
  quarantine: Quarantine | null;
  hold: Hold | null;
  steps: StepView[];
  history: HistoryLine[];
}

export type ActionName = "retry" | "compensate" | "cancel" | "hold" | "resume" | "migrate";

/** An approval that a saga waits for; approvedBy is the first of two operators. */
export interface OpenApproval {
  name: string;
  role: string;
  approvers: number;
  approvedBy: string | null;
  until: string | null;
  allowed: boolean;
}

export interface SagaDetails {
  saga: SagaView;
  subjectId: string;
  customer: string | null;
  rootKey: string | null;
  attributes: Record<string, string> | null;
  hidden: boolean;
  origin: string;
  traceId: string | null;
  traceUrl: string | null;
  waiting: { step: string | null; participant: string | null; compensating: boolean; sentence: string } | null;
  /** Undefined at an older release. */
  approvals?: OpenApproval[];
  actions: { action: ActionName; allowed: boolean; why: string | null; comesTo: string | null }[];
}

export interface SagaMessage {
  service: string | null;
  direction: "command" | "reply" | "local";
  type: string | null;
  step: string;
  stepKey: string | null;
  at: string | null;
  attempts: number;
  body: string | null;
  hidden: boolean;
  note: string | null;
}

/** A step, or the undoing of one, as GET /sagas/{id}/timeline has it: sent, received and given up by the orchestrator's clock, the rest by its service's. */
export interface TimelineStep {
  step: string;
  name: string;
  compensation: boolean;
  local: boolean;
  service: string | null;
  sentAt: string[];
  arrivedAt: string | null;
  begunAt: string | null;
  answeredAt: string | null;
  receivedAt: string | null;
  givenUpAt: string | null;
  dueAt: string | null;
  progress: "started" | "answered" | "tombstone" | null;
  attempts: number | null;
  answer: string | null;
  outcome: string | null;
  /** What failed after it was answered, such as a refund that the bank has sent back; undefined at an older release. */
  laterFailure?: string | null;
}

export interface SagaTimeline {
  id: string;
  steps: TimelineStep[];
  services: { name: string; answered: boolean; why: string | null }[];
}

/** What a saga waits for within a step: the way to the service, its turn there, the work, the way back; or it is not known. */
export type PhaseKind = "sent" | "queued" | "works" | "answered" | "whole";

export interface Phase {
  kind: PhaseKind;
  from: number;
  /** Null while it goes on. */
  to: number | null;
}

/** One wait of a saga, from when a command was first sent to the answer that counts. */
export interface Bar {
  step: string;
  /** What was asked for: the step, or its compensation. */
  label: string;
  back: boolean;
  begin: number;
  /** Null while it goes on. */
  end: number | null;
  outcome: string | null;
  /** When it was sent again. */
  again: number[];
  /** What it is made of, without a gap. */
  phases: Phase[];
  /** Who has to answer; null where that is not known. */
  service: string | null;
  /** How often the service began it. */
  attempts: number | null;
  /** Whether times of the service do not fit between those of the orchestrator: their clocks differ. */
  skewed: boolean;
}

const ENDS: Record<string, boolean> = { succeeded: true, refused: true, "given-up": true, compensated: true };

/** A bar of which only the orchestrator's side is known. */
function plain(bar: Omit<Bar, "phases" | "service" | "attempts" | "skewed">): Bar {
  return { ...bar, service: null, attempts: null, skewed: false, phases: [{ kind: "whole", from: bar.begin, to: bar.end }] };
}

/** The waits that a history tells of, in the order in which they began. */
export function bars(history: HistoryLine[]): Bar[] {
  const all: Parameters<typeof plain>[0][] = [];
  const openBar = (step: string | null) => [...all].reverse().find((b) => b.step === step && b.end === null);
  for (const line of history) {
    const at = new Date(line.at).getTime();
    if (line.step === null) continue;
    if (line.event === "command-sent" || line.event === "compensation-sent") {
      const given = openBar(line.step);
      if (given) given.end = at;
      const back = line.event === "compensation-sent";
      all.push({ step: line.step, label: back ? line.detail ?? `undo ${line.step}` : line.step, back, begin: at, end: null, outcome: null, again: [] });
    } else if (line.event === "sent-again") {
      openBar(line.step)?.again.push(at);
    } else if (ENDS[line.event]) {
      const bar = openBar(line.step);
      if (bar) Object.assign(bar, { end: at, outcome: line.event });
      else if (line.event === "succeeded") all.push({ step: line.step, label: line.step, back: false, begin: at, end: at, outcome: line.event, again: [] });
    }
  }
  return all.map(plain);
}

const time = (at: string | null) => (at === null ? null : Date.parse(at));

/** The waits with what their services know of them. Times that do not fit, since clocks differ, are moved to the end of their bar that is nearest. */
export function waits(timeline: SagaTimeline): Bar[] {
  const told = new Set(timeline.services.filter((s) => s.answered).map((s) => s.name));
  return timeline.steps.map((s) => waitOf(s, s.service !== null && told.has(s.service)));
}

function waitOf(s: TimelineStep, told: boolean): Bar {
  const end = time(s.receivedAt) ?? time(s.givenUpAt);
  const [first, ...again] = s.sentAt.map((at) => Date.parse(at));
  const begin = first ?? end ?? 0;
  const bar = plain({ step: s.step, label: s.name, back: s.compensation, begin, end, outcome: s.outcome, again });
  bar.service = s.service;
  bar.attempts = s.attempts;
  if (s.local) bar.phases[0].kind = "works";
  if (s.local || s.progress === "tombstone") return bar;
  let from = begin;
  const phases: Phase[] = [];
  const add = (kind: PhaseKind, at: number | null) => {
    const to = at === null ? end : Math.max(from, end === null ? at : Math.min(at, end));
    // What a service did after it was given up on fits, though it is not drawn.
    if (at !== null && to !== at && (at < from || s.receivedAt !== null)) bar.skewed = true;
    if (to !== from) phases.push({ kind, from, to });
    from = to ?? from;
  };
  if (s.arrivedAt === null) {
    // Only a service that was asked can say that nothing has arrived.
    if (told && end === null) add("sent", null);
    else return bar;
  } else {
    add("sent", time(s.arrivedAt));
    if (s.begunAt !== null) add("queued", time(s.begunAt));
    if (s.answeredAt === null) add(s.begunAt !== null ? "works" : s.attempts === 0 ? "queued" : "whole", null);
    else {
      add(s.begunAt !== null ? "works" : "whole", time(s.answeredAt));
      add("answered", null);
    }
  }
  if (phases.length > 0) bar.phases = phases;
  return bar;
}

export interface RepairFilter {
  status?: string;
  open?: boolean;
  direction?: string;
  command?: string;
  failure?: string;
  definition?: string;
  olderThan?: string;
  quarantined?: boolean;
  held?: boolean;
  version?: number;
  step?: string;
  reason?: string;
  startedAfter?: string;
  startedBefore?: string;
  overdue?: boolean;
  customer?: string;
  attribute?: string;
}

export interface Repair {
  id: string;
  action: ActionName;
  filter: RepairFilter | null;
  reason: string | null;
  perSecond: number;
  status: "AWAITING_APPROVAL" | "RUNNING" | "PAUSED" | "STOPPED" | "FINISHED";
  startedBy: string;
  approvedBy: string | null;
  startedAt: string;
  finishedAt: string | null;
  total: number;
  done: { requested: number; repaired: number; failed: number; refused: number; pending: number };
  etaMs: number | null;
  failureReasons: { why: string; count: number }[];
  hidden: boolean;
}

/** That it has finished is good only where all of its sagas are repaired. */
export function toneOfRepair({ status, done, total }: Repair): "good" | "bad" | "warn" | undefined {
  if (status !== "FINISHED") return undefined;
  return done.repaired === total ? "good" : done.repaired === 0 ? "bad" : "warn";
}

export interface RepairPage {
  repairs: Repair[];
  next?: string;
}

export interface RepairForecast {
  count: number;
  exact: boolean;
  allowed: number;
  refused: number;
  samples: { saga: string; allowed: boolean; why: string | null; comesTo: string | null }[];
  /** Why sagas that allow it may not be repaired nevertheless. */
  warnings: string[];
}

export interface RepairedSaga {
  saga: string;
  outcome: string;
  why: string | null;
  at: string;
}

export interface RepairedPage {
  sagas: RepairedSaga[];
  next?: string;
}

/** Parked messages with one cause, as GET /parked-messages/groups has it. */
export interface ParkedGroup {
  /** Where they are parked; null for the service that the page is of. */
  service: string | null;
  fingerprint: string;
  queue: string;
  type: string | null;
  reason: string;
  cause: string | null;
  count: number;
  firstAt: string;
  lastAt: string;
  redrives: number;
  waiting: number;
}

/** A redrive or deletion of a group, as GET /parked-messages/jobs has it. */
export interface ParkedJob {
  service: string | null;
  id: string;
  action: "redrive" | "delete";
  group: string;
  type: string | null;
  parkedFor: string;
  reason: string | null;
  perSecond: number;
  status: "RUNNING" | "PAUSED" | "STOPPED" | "FINISHED";
  startedBy: string;
  startedAt: string;
  finishedAt: string | null;
  total: number;
  handled: number;
  failed: number;
  pending: number;
  /** How many stay parked, by why. */
  failures: Record<string, number>;
  etaMs: number | null;
}

/** What a job on a group would come to. */
export interface ParkedJobPreview {
  count: number;
  tooOld: number;
  waiting: number;
  samples: { message: string; outcome: string | null; why: string | null }[];
}

export interface ParkedMessage {
  /** Where it is parked; null for the service that the page is of. */
  service: string | null;
  id: string;
  queue: string;
  messageId: string | null;
  type: string | null;
  correlationId: string | null;
  reason: string;
  detail: string;
  parkedAt: string;
  /** How often it was tried again by itself, and by operators. */
  attempts: number;
  redrives: number;
  editedBy: string | null;
  editedAt: string | null;
}

export interface ParkedDetail extends ParkedMessage {
  headers: Record<string, unknown> | null;
  payload: string | null;
  /** As it came, where an operator has edited it. */
  originalPayload: string | null;
}

/** The state that is to be seen first: a hold and a quarantine say more than the status below. */
export function stateOf(saga: { status: string; hold: Hold | null; quarantine: Quarantine | null }): string {
  if (saga.hold) return "ON_HOLD";
  return saga.quarantine ? "QUARANTINED" : saga.status;
}
