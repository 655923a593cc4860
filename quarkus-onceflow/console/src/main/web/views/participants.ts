import { css, html, nothing } from "lit";
import { customElement, query } from "lit/decorators.js";
import { api } from "../api";
import { age, count, duration, plural, rate } from "../format";
import { link } from "../router";
import { session } from "../session";
import type { Participant, Service } from "../types";
import { Loader, Poll, View } from "../view";
import type { OcAsk } from "../elements/ask";
import "../elements/ask";
import "../elements/live";
import "../elements/problem";
import "../elements/status";
import "../elements/time";
import "../elements/toolbar";

const EVERY_MS = 5000;

/** Every service: what waits for it, how it does, and whether it works or rests. */
@customElement("oc-participants")
export class ParticipantsView extends View {
  @query("oc-ask") private question!: OcAsk;
  private readonly services = new Loader<Service[]>(this, (signal) => api.get("sagas/services", {}, signal));
  private readonly poll = new Poll(this, this.services, EVERY_MS);

  override connectedCallback(): void {
    super.connectedCallback();
    this.services.load();
  }

  protected override render() {
    const found = this.services.value ?? [];
    return html`
      <div class="stack">
        <oc-toolbar>
          <h1 slot="title" tabindex="-1">Participants</h1>
          <span class="muted small">${this.services.value ? plural(found.length, "service") : ""}</span>
          <oc-live .state=${this.poll.state} @toggle=${() => this.poll.toggle()}></oc-live>
        </oc-toolbar>
        <oc-problem .problem=${this.services.problem} retry @retry=${() => this.services.load()}></oc-problem>
        <div class="services">${found.map((service) => this.renderService(service))}</div>
        <oc-ask @done=${() => this.services.load()}></oc-ask>
      </div>
    `;
  }

  private renderService(service: Service) {
    const p = service.participant;
    return html`
      <section class="panel stack tight" aria-label=${service.name}>
        <div class="row">
          <h2>${service.name}</h2>
          <oc-status .value=${stateOf(service)} .tone=${service.reachable && !p?.paused ? "good" : undefined}></oc-status>
          ${session.operator && p && p.handledPerSecond !== null ? html`<button class="push" @click=${() => this.ask(service, !p.paused)}>${p.paused ? "Resume" : "Pause"}</button>` : nothing}
        </div>
        ${service.reachable ? nothing : html`<p class="bad">${service.why ?? "It did not respond."}</p>`}
        ${service.url ? html`<p class="muted small break">${service.url}</p>` : nothing}
        ${p ? this.renderParticipant(service.name, p) : nothing}
      </section>
    `;
  }

  private renderParticipant(name: string, p: Participant) {
    return html`
      ${p.paused ? html`<p class="note">Paused by ${p.pausedBy ?? "an operator"} <oc-time .at=${p.pausedAt}></oc-time>${p.pausedReason ? `: ${p.pausedReason}` : ""}. Commands and sagas wait until it is resumed.</p>` : nothing}
      <dl class="figures">
        ${figure("Handled per second", rate(p.handledPerSecond))}
        ${figure("Failures", count(p.failures), (p.failures ?? 0) > 0)}
        ${figure("Outbox", age(p.outboxOldestAgeMs))}
        ${figure("p50", duration(p.p50Ms))}
        ${figure("p95", duration(p.p95Ms))}
        ${figure("p99", duration(p.p99Ms))}
        ${figure("Parked", p.parked > 0 ? html`<a href=${link("parked", { service: name })}>${count(p.parked)}</a>` : count(p.parked), p.parked > 0)}
      </dl>
      ${p.queues.length === 0 ? nothing : html`
        <table>
          <caption class="heard">Queues of ${name}</caption>
          <thead><tr><th scope="col">Queue</th><th scope="col" class="end">Waiting</th><th scope="col" class="end">Consumers</th></tr></thead>
          <tbody>${p.queues.map((q) => html`<tr>
            <th scope="row" class="break">${q.queue}${q.paused ? html` <oc-status value="paused"></oc-status>` : nothing}</th>
            <td class="end">${count(q.depth)}</td><td class="end">${count(q.consumers)}</td></tr>`)}
          </tbody>
        </table>`}
      ${p.queues.map((q) => q.warning ? html`<p class="note break">${q.queue}: ${q.warning}</p>` : nothing)}
      ${p.breakers.map((b) => html`<p class="row small"><span>Circuit breaker of ${b.target}</span><oc-status .value=${b.state}></oc-status></p>`)}
    `;
  }

  private ask({ name }: Service, pause: boolean): void {
    this.question.ask({
      heading: `${pause ? "Pause" : "Resume"} ${name}`,
      text: pause
        ? "All of its replicas finish their current commands and take no more until it is resumed, also after a restart. Sagas that need it wait."
        : "It takes commands again, those in the queue first.",
      verb: `${pause ? "Pause" : "Resume"} service`,
      danger: pause,
      act: (reason) => api.post(`sagas/services/${encodeURIComponent(name)}/${pause ? "pause" : "resume"}`, { reason }),
    });
  }

  static override styles = [
    ...View.styles,
    css`
      .services { display: grid; gap: var(--s4); grid-template-columns: repeat(auto-fill, minmax(min(21rem, 100%), 1fr)); align-items: start; }
      .figures { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: var(--s3); padding: var(--s2) 0; }
      .figures dt { font-size: 0.75rem; color: var(--muted); }
      .figures dd { font-weight: 620; font-size: 1rem; font-variant-numeric: tabular-nums; }
      .figures .raised { color: var(--warn); }
      .note { background: var(--warn-tint); padding: var(--s2) var(--s3); border-radius: var(--radius); }
      table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.8125rem; }
      th, td { text-align: start; font-weight: 400; padding: 0.25rem 0; border-top: 1px solid var(--line); }
      thead th { color: var(--muted); font-size: 0.75rem; border-top: 0; }
      .end { text-align: end; padding-inline-start: var(--s3); }
    `,
  ];
}

function stateOf(service: Service): string {
  if (!service.reachable) return "unreachable";
  return service.participant?.paused ? "paused" : "up";
}

function figure(name: string, value: unknown, raised = false) {
  return html`<div><dt>${name}</dt><dd class=${raised ? "raised" : ""}>${value}</dd></div>`;
}
