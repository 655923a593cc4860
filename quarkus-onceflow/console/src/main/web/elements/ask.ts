import { html, LitElement, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { Problem } from "../api";
import { session } from "../session";
import { base } from "../styles/base";
import "./dialog";
import type { OcDialog } from "./dialog";
import "./problem";

export interface Question {
  heading: string;
  /** Its effect. */
  text: string;
  /** On the button that does it. */
  verb: string;
  /** On the button that closes the dialog; "Cancel" where nothing else is clearer. */
  dismiss?: string;
  danger?: boolean;
  /** Asks for a moment at which it ends by itself, too: what the field is called. */
  until?: string;
  /** Asks for a number of a hundred, too: what the field is called. */
  share?: string;
  act: (reason: string, until: string | null, share: number) => Promise<unknown>;
}

/** Asks for the reason of an action, and does it: a failure is shown in the dialog. Dispatches "done" after it was done. */
@customElement("oc-ask")
export class OcAsk extends LitElement {
  @state() private question: Question | null = null;
  @state() private problem: Problem | null = null;
  @state() private busy = false;
  @query("oc-dialog") private dialog!: OcDialog;

  async ask(question: Question): Promise<void> {
    this.question = question;
    this.problem = null;
    await this.updateComplete;
    this.renderRoot.querySelector("form")?.reset();
    await this.dialog.show();
  }

  protected override render() {
    const q = this.question;
    return html`
      <oc-dialog .heading=${q?.heading ?? ""}>
        <p>${q?.text}</p>
        <form id="ask" @submit=${this.act}>
          <label>Reason, for the audit<input name="reason" value=${session.draft ?? ""} required maxlength="200" autocomplete="off"></label>
          ${q?.share ? html`<label>${q.share}<input name="share" type="number" min="1" max="100" value="10" required></label>` : nothing}
          ${q?.until ? html`<label>${q.until}<input name="until" type="datetime-local" step="1"></label>` : nothing}
        </form>
        <oc-problem .problem=${this.problem}></oc-problem>
        <button slot="actions" @click=${() => this.dialog.close()}>${q?.dismiss ?? "Cancel"}</button>
        <button slot="actions" class=${q?.danger ? "danger" : "primary"} form="ask" ?disabled=${this.busy}>${q?.verb ?? nothing}</button>
      </oc-dialog>
    `;
  }

  private async act(e: SubmitEvent): Promise<void> {
    e.preventDefault();
    const form = new FormData(e.target as HTMLFormElement);
    const until = String(form.get("until") ?? "");
    this.busy = true;
    try {
      await this.question!.act(String(form.get("reason")), until ? new Date(until).toISOString() : null, Number(form.get("share")));
      this.dialog.close();
      this.dispatchEvent(new Event("done"));
    } catch (problem) {
      this.problem = Problem.of(problem);
    }
    this.busy = false;
  }

  static override styles = [base];
}
