import { css, html, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { api, Problem } from "../api";
import { plural, timeOfDay } from "../format";
import { parkedPath, readParked, reasonWords, type ParkedPage } from "../parked";
import { link, router } from "../router";
import type { ParkedDetail, ParkedMessage } from "../sagas";
import { session } from "../session";
import type { Service } from "../types";
import { Loader, View } from "../view";
import type { OcAsk } from "../elements/ask";
import type { OcDialog } from "../elements/dialog";
import "../elements/ask";
import "../elements/deferred";
import "../elements/dialog";
import "../elements/json";
import "../elements/parked-causes";
import "../elements/problem";
import "../elements/time";
import "../elements/toolbar";

const PAGE = 50;

/** What a service could not handle: why, with its body, to be redriven, mended or deleted. */
@customElement("oc-parked")
export class ParkedView extends View {
  @state() private detail: ParkedDetail | null = null;
  @state() private failure: Problem | null = null;
  @state() private told = "";
  @query("oc-ask") private question!: OcAsk;
  @query("oc-dialog") private editor!: OcDialog;
  private asked: string | null = null;
  private shownService: string | null = null;
  /** The one that the editor was opened for. */
  private edited: ParkedDetail | null = null;
  private acting = false;
  /** What was attempted last. */
  private failed: (() => Promise<unknown>) | null = null;
  /** An application that knows of no other services answers 404: then its own messages are shown. */
  private readonly services = new Loader<Service[]>(this, (signal) =>
    api.get<Service[]>("sagas/services", {}, signal).catch((e) => (Problem.of(e).status === 404 ? [] : Promise.reject(e))));
  private readonly page = new Loader<ParkedPage>(this, (signal) =>
    readParked(this.service ? [this.service] : this.services.value!.map((s) => s.name), { limit: PAGE, cursor: this.query.get("cursor"), saga: this.query.get("saga"), group: this.query.get("group") }, signal));

  override connectedCallback(): void {
    super.connectedCallback();
    this.services.load().then(() => this.requestUpdate());
  }

  protected override willUpdate(): void {
    if (!this.services.value) return;
    const asked = this.query.toString();
    if (asked === this.asked) return;
    this.asked = asked;
    this.detail = null;
    // Those of one service are not to be seen under the name of another.
    if (this.shownService !== this.service) this.page.forget();
    this.shownService = this.service;
    this.page.ask();
  }

  /** Null for all of them. */
  private get service(): string | null {
    return this.query.get("service");
  }

  /** Which is the first of the services, and the only one that defers replies. */
  private isOfOrchestrator(): boolean {
    return this.services.value != null && (this.service ?? this.services.value[0]?.name) === this.services.value[0]?.name;
  }

  protected override render() {
    const { value, problem } = this.page;
    const found = value?.messages ?? [];
    return html`
      <div class="stack">
        <oc-toolbar>
          <h1 slot="title" tabindex="-1">Parked messages</h1>
          <span class="muted small" role="status">${this.told || (value ? plural(found.length, "message") + (found.length === PAGE ? " on this page" : "") : "")}</span>
          <button @click=${() => this.page.load()}>Refresh</button>
        </oc-toolbar>
        ${this.renderServices()}
        <oc-problem .problem=${this.failure ?? this.services.problem ?? problem} retry @retry=${() => this.again()}></oc-problem>
        ${this.services.value && !this.query.has("saga") ? html`<oc-parked-causes .names=${this.service ? [this.service] : this.services.value.map((s) => s.name)} .chosen=${this.query.get("group")} @redriven=${() => this.page.load()}></oc-parked-causes>` : nothing}
        ${this.query.has("saga") ? html`<p>Only those of saga <a class="mono" href=${link(`sagas/${this.query.get("saga")}`)}>${this.query.get("saga")}</a>. <a href=${link("parked", { service: this.service })}>Remove this filter</a></p>` : nothing}
        ${value?.failed.map((f) => html`<oc-problem .problem=${new Problem(0, `${f.service} is not in this list`, f.problem.message)} retry @retry=${() => this.page.load()}></oc-problem>`)}
        <section class="panel flush" aria-label="Messages" aria-busy=${this.page.loading}>
          <ol>${found.map((m) => this.renderMessage(m))}</ol>
          ${found.length === 0 && value ? html`<p class="empty">No parked messages</p>` : nothing}
        </section>
        ${found.length === PAGE ? html`<div><a class="button" href=${link("parked", { service: this.service, saga: this.query.get("saga"), group: this.query.get("group"), cursor: found[PAGE - 1].id })}>Older</a></div>` : nothing}
        ${session.operator && this.isOfOrchestrator() ? html`<oc-deferred></oc-deferred>` : nothing}
        <oc-ask @done=${() => this.page.load()}></oc-ask>
        ${this.renderEditor()}
      </div>
    `;
  }

  private renderServices() {
    const found = this.services.value ?? [];
    if (found.length === 0) return nothing;
    return html`<label class="service">Service<select @change=${(e: Event) => router.setQuery({ service: (e.target as HTMLSelectElement).value, group: null, cursor: null }, true)}>
      <option value="" .selected=${live(this.service === null)}>all</option>
      ${found.map((s) => html`<option value=${s.name} .selected=${live(s.name === this.service)}>${s.name}${s.reachable ? "" : " (unreachable)"}</option>`)}
    </select></label>`;
  }

  private renderMessage(m: ParkedMessage) {
    const open = this.detail?.id === m.id;
    return html`
      <li>
        <button class="quiet line" aria-expanded=${open} @click=${() => this.open(m)}>
          <oc-time .at=${m.parkedAt}></oc-time><span><strong>${m.type ?? "no type"}</strong>${m.service && !this.service ? html` <span class="muted">at ${m.service}</span>` : nothing}</span>
          <span class="reason">${reasonWords(m.reason)}</span><span class="muted detail">${m.detail}</span>
        </button>
        ${open ? this.renderDetail(this.detail!) : nothing}
      </li>
    `;
  }

  private renderDetail(m: ParkedDetail) {
    return html`
      <div class="more">
        <dl class="facts small">
          <dt>Queue</dt><dd>${m.queue}</dd>
          <dt>Message</dt><dd class="mono">${m.messageId ?? "–"}</dd>
          <dt>Saga</dt><dd class="mono">${m.correlationId ? html`<a href=${link(`sagas/${m.correlationId}`)}>${m.correlationId}</a>` : "–"}</dd>
          <dt>Reason</dt><dd>${m.detail}</dd>
          <dt>Attempts</dt><dd>${m.attempts} automatic, ${m.redrives} manual</dd>
          ${m.redrives > 0 ? html`<dt>Redrives</dt><dd>failed again after redrive: ${plural(m.redrives, "time")}</dd>` : nothing}
          ${m.editedBy ? html`<dt>Edited</dt><dd>by ${m.editedBy} <oc-time .at=${m.editedAt}></oc-time></dd>` : nothing}
        </dl>
        ${m.headers ? html`<oc-json label="Headers" .value=${m.headers}></oc-json>` : nothing}
        ${m.payload != null ? html`<oc-json label="Body" .value=${m.payload}></oc-json>` : html`<p class="muted small">Its body is for operators.</p>`}
        ${m.originalPayload != null ? html`<oc-json label="Body as it came" .value=${m.originalPayload}></oc-json>` : nothing}
        ${session.operator ? html`
          <div class="row">
            <button class="primary" @click=${() => this.act(() => this.redrive(m))}>Redrive</button>
            <button @click=${() => this.openEditor(m)}>Edit and redrive</button>
            <button class="danger" @click=${() => this.delete(m)}>Delete</button>
          </div>` : nothing}
      </div>
    `;
  }

  private renderEditor() {
    return html`
      <oc-dialog heading="Edit and redrive">
        <p>The original is kept, and the audit log records who changed it.</p>
        <form id="edit" @submit=${this.edit}>
          <label>Body<textarea name="payload" rows="12" spellcheck="false" required></textarea></label>
          <label>Reason, for the audit<input name="reason" required maxlength="200" autocomplete="off"></label>
        </form>
        <oc-problem .problem=${this.failure}></oc-problem>
        <button slot="actions" @click=${() => this.editor.close()}>Cancel</button>
        <button slot="actions" class="primary" form="edit">Save and redrive</button>
      </oc-dialog>
    `;
  }

  private async open(m: ParkedMessage): Promise<void> {
    if (this.detail?.id === m.id) {
      this.detail = null;
      return;
    }
    await this.attempt(async () => (this.detail = await this.fetch(m)));
  }

  private async fetch({ service, id }: ParkedMessage): Promise<ParkedDetail> {
    return { ...(await api.get<ParkedDetail>(parkedPath(service, id))), service };
  }

  private async redrive(m: ParkedMessage): Promise<void> {
    await api.post(parkedPath(m.service, m.id) + "/redrive", undefined);
    this.told = `${m.type ?? "The message"} was handled.`;
    this.detail = null;
    await this.page.load();
  }

  /** With the message as it is kept: what was typed before, for this one or another, is gone. */
  private openEditor(m: ParkedDetail): void {
    this.failure = null;
    this.edited = m;
    const form = this.renderRoot.querySelector<HTMLFormElement>("#edit")!;
    form.reset();
    form.querySelector("textarea")!.value = m.payload ?? "";
    this.editor.show();
  }

  private delete(m: ParkedMessage): void {
    this.question.ask({
      heading: "Delete this message",
      text: "It is deleted permanently: its command is not handled, or its reply not received, unless it is sent again.",
      verb: "Delete message",
      danger: true,
      act: (reason) => api.del(parkedPath(m.service, m.id), { reason }),
    });
  }

  private async edit(e: SubmitEvent): Promise<void> {
    e.preventDefault();
    const form = new FormData(e.target as HTMLFormElement);
    const message = this.edited!;
    await this.act(async () => {
      await api.put(parkedPath(message.service, message.id) + "/edit", { payload: String(form.get("payload")), reason: String(form.get("reason")) });
      this.editor.close();
      // It stays so where its redrive fails.
      this.detail = await this.fetch(message);
      await this.redrive(message);
    });
  }

  /** What has failed: an act, or reading the list. */
  private async again(): Promise<void> {
    if (!this.failure || !this.failed) return this.services.problem ? this.services.load() : this.page.load();
    await this.act(this.failed);
    if (this.failure) this.told = `Tried again at ${timeOfDay(Date.now())}.`;
  }

  private async attempt(what: () => Promise<unknown>): Promise<void> {
    this.failed = what;
    this.failure = null;
    this.told = "";
    try {
      await what();
    } catch (e) {
      this.failure = Problem.of(e);
    }
  }

  /** Once, also where the button is pressed again meanwhile: the second request would find nothing and be told as a failure. */
  private async act(what: () => Promise<unknown>): Promise<void> {
    if (this.acting) return;
    this.acting = true;
    await this.attempt(what);
    this.acting = false;
  }

  static override styles = [
    ...View.styles,
    css`
      .service { width: min(20rem, 100%); }
      ol { list-style: none; margin: 0; padding: 0; }
      li + li { border-top: 1px solid var(--line); }
      .line { display: grid; grid-template-columns: 6rem minmax(8rem, 1fr) minmax(8rem, 1fr) 3fr; gap: var(--s3); width: 100%; text-align: start; justify-items: start; border-radius: 0; padding: 0.4375rem var(--s4); font-weight: 400; color: var(--text); }
      .line:focus-visible { outline-offset: -2px; }
      .line oc-time { color: var(--muted); }
      .reason { color: var(--warn); }
      .detail { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-width: 100%; }
      .more { display: grid; gap: var(--s3); padding: var(--s3) var(--s4) var(--s4); background: var(--sunken); }
      .more oc-json { --sunken: var(--surface); }
      form { display: grid; gap: var(--s3); }
      textarea { font-family: var(--mono); font-size: 0.8125rem; width: 100%; }
      @media (max-width: 52rem) { .line { grid-template-columns: minmax(0, 1fr); gap: 0; } .detail { white-space: normal; } }
    `,
  ];
}
