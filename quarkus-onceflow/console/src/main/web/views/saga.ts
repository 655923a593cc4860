import { css, html, nothing } from "lit";
import { customElement, query } from "lit/decorators.js";
import { api } from "../api";
import { duration, localTimes, plural, short, words } from "../format";
import { icons } from "../icons";
import { link } from "../router";
import { bars, stateOf, waits, type ActionName, type OpenApproval, type RepairPage, type SagaDetails, type SagaMessage, type SagaTimeline, type SagaView } from "../sagas";
import { session } from "../session";
import { readParked, serviceNames, type ParkedPage } from "../parked";
import type { AuditPage, Definition } from "../types";
import { Loader, Poll, View } from "../view";
import type { OcAsk } from "../elements/ask";
import "../elements/ask";
import "../elements/copy";
import "../elements/json";
import "../elements/live";
import "../elements/problem";
import "../elements/status";
import "../elements/time";
import "../elements/timeline";
import "../elements/toolbar";
import "../elements/way";

const VERBS: Record<ActionName, string> = { retry: "Retry", compensate: "Compensate", cancel: "Cancel", hold: "Hold", resume: "Resume", migrate: "Migrate" };
const UNDO: ActionName[] = ["compensate", "cancel"];

function effect(approved: boolean, { approvers, approvedBy, role }: OpenApproval): string {
  if (!approved) return "The saga takes the way that its definition has for a refusal, or is compensated.";
  if (approvers === 1) return "The saga continues.";
  return approvedBy ? `${approvedBy} has approved; the saga continues if you are another person.` : `The saga continues when a second operator with the role ${role} has approved.`;
}

/** One saga: what it waits for, what has happened, the possible actions and their effects. */
@customElement("oc-saga")
export class SagaPage extends View {
  @query("oc-ask") private question!: OcAsk;
  private shown: string | null = null;
  private readonly details = new Loader<SagaDetails>(this, (signal) => api.get(`sagas/${this.params.id}/details`, {}, signal));
  private readonly messages = new Loader<SagaMessage[]>(this, (signal) => api.get(`sagas/${this.params.id}/messages`, {}, signal));
  private readonly timeline = new Loader<SagaTimeline>(this, (signal) => api.get(`sagas/${this.params.id}/timeline`, {}, signal));
  private readonly audit = new Loader<AuditPage>(this, (signal) => api.get("operator-audit", { saga: this.params.id, limit: 50 }, signal));
  private readonly repairs = new Loader<RepairPage>(this, (signal) => api.get("sagas/repairs", { saga: this.params.id, limit: 50 }, signal));
  private readonly parked = new Loader<ParkedPage>(this, async (signal) => readParked(await serviceNames(signal), { saga: this.params.id, limit: 50 }, signal));
  private readonly definitions = new Loader<Definition[]>(this, (signal) => api.get("sagas/definitions", {}, signal));
  /** Cheaper to ask for than all the rest, which is loaded again when the saga has moved. */
  private readonly saga = new Loader<SagaView>(this, async (signal) => {
    const now = await api.get<SagaView>(`sagas/${this.params.id}`, {}, signal);
    const shown = this.details.value?.saga;
    if (shown && !this.details.loading && JSON.stringify(now) !== JSON.stringify(shown)) this.reload();
    return now;
  });
  private readonly poll = new Poll(this, this.saga);

  protected override willUpdate(): void {
    if (this.shown === this.params.id) return;
    this.shown = this.params.id;
    this.entitle(`Saga ${short(this.params.id)}`);
    [this.details, this.timeline, this.messages, this.audit, this.repairs, this.parked, this.saga].forEach((loader) => loader.forget());
    this.reload();
  }

  private reload(): void {
    this.details.load();
    this.timeline.load();
    this.messages.load();
    this.audit.load();
    this.repairs.load();
    this.parked.load();
    if (!this.definitions.value) this.definitions.load();
  }

  protected override render() {
    const details = this.details.value;
    return html`
      <div class="stack">
        <oc-toolbar>
          <div slot="title"><nav class="small" aria-label="Above"><a href=${link("sagas")}>Sagas</a></nav><oc-copy label="the saga's id" .value=${this.params.id}><h1 tabindex="-1" class="break">Saga <span class="mono">${this.params.id}</span></h1></oc-copy></div>
          ${details?.approvals?.filter((a) => a.allowed).map((a) => this.renderApproval(details, a))}
          ${details && session.operator ? this.renderActions(details) : nothing}
          <button @click=${() => this.reload()}>Refresh</button>
          <oc-live .state=${this.poll.state} @toggle=${() => this.poll.toggle()}></oc-live>
        </oc-toolbar>
        <oc-problem .problem=${this.details.problem} retry @retry=${() => this.reload()}></oc-problem>
        ${details ? this.renderSaga(details) : nothing}
        <oc-ask @done=${() => this.reload()}></oc-ask>
      </div>
    `;
  }

  private renderActions(details: SagaDetails) {
    // A saga is held or resumed: one of the two makes no sense.
    const senseless = details.saga.hold ? "hold" : "resume";
    return details.actions.filter((a) => a.action !== senseless).map((a) => html`
      <button class=${UNDO.includes(a.action) ? "danger" : ""} ?disabled=${!a.allowed} title=${localTimes(a.comesTo ?? a.why ?? "")} aria-describedby=${a.allowed ? nothing : `why-${a.action}`}
        @click=${() => this.question.ask({
          heading: `${VERBS[a.action]} this saga`,
          text: localTimes(a.comesTo ?? ""),
          verb: `${VERBS[a.action]} saga`,
          dismiss: a.action === "cancel" ? "Keep saga" : undefined,
          danger: UNDO.includes(a.action),
          until: a.action === "hold" ? "Resume by itself at (optional)" : undefined,
          act: (reason, until) => api.post(`sagas/${details.saga.id}/${a.action}`, a.action === "hold" ? { reason, until } : { reason }),
        })}>${VERBS[a.action]}</button>`);
  }

  /** A compensation that is not answered can be skipped, one by one: what its step did stays then. */
  private renderSkips(saga: SagaView) {
    if (!session.operator || saga.hold) return nothing;
    return saga.steps.filter((s) => s.status === "COMPENSATING").map((s) => html`
      <p><button class="danger" @click=${() => this.question.ask({
        heading: `Skip ${s.compensation?.name ?? `the compensation of ${s.name}`}`,
        text: `The saga continues as if ${s.name} were undone. What it did stays, unless you undo it by other means.`,
        verb: "Skip it", dismiss: "Keep waiting", danger: true,
        act: (reason) => api.post(`sagas/${saga.id}/steps/${encodeURIComponent(s.name)}/skip-compensation`, { reason }),
      })}>Skip ${s.compensation?.name ?? s.name}</button></p>`);
  }

  /** For those who have its role, which operators need not. */
  private renderApproval(details: SagaDetails, approval: OpenApproval) {
    const button = (approved: boolean, verb: string) => html`
      <button class=${approved ? "primary" : "danger"} @click=${() => this.question.ask({
        heading: `${verb} ${approval.name}`,
        text: effect(approved, approval),
        verb,
        danger: !approved,
        act: (reason) => api.post(`sagas/${details.saga.id}/approvals/${encodeURIComponent(approval.name)}`, { approved, reason }),
      })}>${verb} ${approval.name}</button>`;
    return html`${button(true, "Approve")}${button(false, "Refuse")}`;
  }

  private renderSaga(details: SagaDetails) {
    const saga = details.saga;
    return html`
      <section class="panel stack tight" aria-label="How it stands">
        <div class="row">
          <oc-status .value=${stateOf(saga)}></oc-status>
          ${saga.reason ? html`<strong>${saga.reason}</strong>` : nothing}
        </div>
        ${details.waiting ? html`<p class="waiting">${localTimes(details.waiting.sentence)}</p>${this.renderParked()}` : html`<p>It has ended${saga.endedAt ? html` after ${duration(Date.parse(saga.endedAt) - Date.parse(saga.startedAt))}` : nothing}.</p>`}
        ${session.operator ? details.actions.filter((a) => !a.allowed && a.action !== (saga.hold ? "hold" : "resume")).map((a) => html`<p class="small muted" id="why-${a.action}">${VERBS[a.action]} is not possible: ${a.why ?? "this replica does not know its version"}.</p>`) : nothing}
        ${saga.steps.filter((s) => s.compensation?.skipped).map((s) => html`<p><strong>${s.compensation!.name}</strong> was skipped ${s.compensation!.skipped}</p>`)}
        ${this.renderSkips(saga)}
        <dl class="facts">
          <dt>Definition</dt><dd><a href=${link(`definitions/${encodeURIComponent(saga.definition)}`, { version: saga.version })}>${saga.definition}</a> <span class="muted">version ${saga.version}</span></dd>
          ${saga.parent ? html`<dt>Started by</dt><dd class="mono"><a href=${link(`sagas/${saga.parent}`)}>${saga.parent}</a></dd>` : nothing}
          ${this.childrenOf(saga).map((step) => html`<dt>Started in ${step.name}</dt><dd class="mono"><a href=${link(`sagas/${step.outcome}`)}>${step.outcome}</a></dd>`)}
          <dt>Subject</dt><dd class="mono">${copied("the subject's id", details.subjectId)}</dd>
          <dt>Customer</dt><dd>${details.hidden ? html`<span class="muted">hidden</span>` : html`<a href=${link("sagas", { customer: details.customer })}>${details.customer}</a>`}</dd>
          ${details.hidden ? nothing : html`<dt>Idempotency key</dt><dd class="mono">${copied("the idempotency key", details.rootKey ?? "")}</dd>`}
          ${Object.entries(details.attributes ?? {}).map(([name, value]) => html`<dt>${name}</dt><dd><a href=${link("sagas", { attribute: `${name}:${value}` })}>${value}</a></dd>`)}
          <dt>Started</dt><dd><oc-time exact .at=${saga.startedAt}></oc-time></dd>
          ${saga.deadlineAt ? html`<dt>Deadline</dt><dd><oc-time exact .at=${saga.deadlineAt}></oc-time></dd>` : nothing}
          ${saga.endedAt ? html`<dt>Ended</dt><dd><oc-time exact .at=${saga.endedAt}></oc-time></dd>` : nothing}
          ${details.traceId ? html`<dt>Trace</dt><dd class="mono">${copied("the trace's id", details.traceId, details.traceUrl)}</dd>` : nothing}
        </dl>
      </section>
      ${this.renderWay(saga)}
      <section class="panel stack tight" aria-labelledby="timeline"><h2 id="timeline">Timeline</h2>
        ${this.renderTimeline(saga)}
      </section>
      <div class="columns">
        <section class="panel stack tight" aria-labelledby="history"><h2 id="history">History</h2>
          <ol>${saga.history.map((line) => html`<li><oc-time exact .at=${line.at}></oc-time><span><strong>${words(line.event.replaceAll("-", " "))}</strong>${line.step ? html` ${line.step}` : nothing}${line.detail ? html` <span class="muted">${line.detail}</span>` : nothing}</span></li>`)}</ol>
        </section>
        <div class="stack">
          <section class="panel stack tight" aria-labelledby="messages"><h2 id="messages">Messages</h2>${this.renderMessages()}</section>
          <section class="panel stack tight" aria-labelledby="audit"><h2 id="audit">Audit</h2>${this.renderAudit()}${this.renderRepairs()}</section>
        </div>
      </div>
    `;
  }

  /** None where this process does not know the version. */
  private stepsOf(saga: SagaView) {
    const definition = this.definitions.value?.find((d) => d.name === saga.definition);
    return definition?.versions.find((v) => v.version === saga.version)?.steps ?? [];
  }

  private childrenOf(saga: SagaView) {
    const starting = this.stepsOf(saga).filter((s) => s.kind === "saga").map((s) => s.name);
    return saga.steps.filter((s) => s.outcome && starting.includes(s.name));
  }

  private renderWay(saga: SagaView) {
    const steps = this.stepsOf(saga);
    return steps.length === 0 ? nothing : html`
      <section class="panel stack tight" aria-labelledby="steps"><h2 id="steps">Steps</h2>
        <oc-way .saga=${saga} .steps=${steps}></oc-way>
      </section>`;
  }

  /** By its history alone while the services are asked, and where they could not be. */
  private renderTimeline(saga: SagaView) {
    const { value, problem } = this.timeline;
    const told = !problem && value?.id === saga.id ? value : null;
    const silent = told?.services.filter((s) => !s.answered) ?? [];
    const failed = told?.steps.filter((s) => s.laterFailure) ?? [];
    return html`
      ${failed.map((s) => html`<p class="bad" role="alert"><strong>${s.name}</strong> failed after it was answered: ${s.laterFailure}</p>`)}
      <oc-timeline .bars=${told ? waits(told) : bars(saga.history)} .now=${Date.now()}></oc-timeline>
      ${problem ? html`<p class="small muted">Only the saga's history is drawn; what the services know could not be read: ${problem.message}</p>` : nothing}
      ${silent.map((s) => html`<p class="small muted"><strong>${s.name}</strong> did not respond. ${s.why}</p>`)}`;
  }

  private renderMessages() {
    const { value, problem } = this.messages;
    if (problem) return html`<oc-problem .problem=${problem}></oc-problem>`;
    if (!value?.length) return html`<p class="muted">No messages sent yet</p>`;
    return value.map((m) => html`
      <details>
        <summary>${m.type ?? m.step} <span class="muted">${sentTo(m)}</span></summary>
        ${m.stepKey ? html`<p class="small muted break">under ${copied(`the key of ${m.step}`, m.stepKey)}</p>` : nothing}
        ${m.body ? html`<oc-json label="Body of ${m.type}" .value=${m.body}></oc-json>` : html`<p class="muted small">${m.hidden ? "Its body is for operators." : m.note}</p>`}
      </details>`);
  }

  /** Messages about it that could not be handled, each with the reason in words. */
  private renderParked() {
    const { value, problem } = this.parked;
    if (problem) return html`<oc-problem .problem=${problem}></oc-problem>`;
    return html`
      ${value?.messages.map((m) => html`<p>${icons.parked} <a href=${link("parked", { service: m.service, saga: this.params.id })}>${m.type ?? "A message"} is parked${m.service ? ` at ${m.service}` : ""}</a>: ${m.detail ?? words(m.reason.replaceAll("-", " "))}</p>`)}
      ${value?.failed.map((f) => html`<p class="small muted">Whether a message is parked at ${f.service} is not known: ${f.problem.message}</p>`)}`;
  }

  /** Repairs that it is part of act on it, too. */
  private renderRepairs() {
    const { value, problem } = this.repairs;
    if (problem) return html`<oc-problem .problem=${problem}></oc-problem>`;
    if (!value?.repairs.length) return nothing;
    return html`<ol>${value.repairs.map((r) => html`<li><oc-time exact .at=${r.startedAt}></oc-time><span>${icons.repairs} <strong>${r.startedBy}</strong> ${r.action} <a href=${link(`repairs/${r.id}`)}>by a repair of ${plural(r.total, "saga")}</a>${r.reason ? html` <span class="muted">${r.reason}</span>` : nothing}</span></li>`)}</ol>`;
  }

  private renderAudit() {
    const { value, problem } = this.audit;
    if (problem) return html`<oc-problem .problem=${problem}></oc-problem>`;
    if (!value || !this.repairs.value) return nothing;
    if (!value.entries.length) return this.repairs.value.repairs.length > 0 ? nothing : html`<p class="muted">No operator has acted on it.</p>`;
    return html`
      <ol>${value.entries.map((e) => html`<li><oc-time exact .at=${e.at}></oc-time><span>${icons.audit} <strong>${e.actor}</strong> ${words(e.action.replaceAll("-", " "))}${e.reason ? html` <span class="muted">${e.reason}</span>` : nothing}</span></li>`)}</ol>
      <p class="small"><a href=${link("audit", { saga: this.params.id })}>In the audit</a></p>`;
  }

  static override styles = [
    ...View.styles,
    css`
      h1 .mono { font-size: 0.85em; font-weight: 500; }
      .waiting { font-size: 1rem; }
      .columns { display: grid; gap: var(--s5); grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); align-items: start; }
      ol { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.375rem; }
      li { display: grid; grid-template-columns: 12.5rem minmax(0, 1fr); gap: var(--s3); align-items: baseline; font-size: 0.8125rem; overflow-wrap: anywhere; }
      li oc-time { color: var(--muted); }
      li svg { width: 0.8rem; height: 0.8rem; }
      summary { cursor: pointer; padding: var(--s1) 0; }
      @media (max-width: 40rem) { li { grid-template-columns: minmax(0, 1fr); gap: 0; } }
    `,
  ];
}

/** An id or a key with the button that copies it; a link where it has an address. */
function copied(label: string, value: string, href: string | null = null) {
  return html`<oc-copy .label=${label} .value=${value}>${href ? html`<a href=${href} target="_blank" rel="noreferrer">${value}</a>` : html`<span>${value}</span>`}</oc-copy>`;
}

/** "to payment-service, sent once". */
function sentTo({ direction, service, attempts }: SagaMessage): string {
  if (direction === "local") return "run by this service";
  return `${service ? `to ${service}, ` : ""}sent ${attempts === 1 ? "once" : plural(attempts, "time")}`;
}
