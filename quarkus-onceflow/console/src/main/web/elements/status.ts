import { css, html, LitElement } from "lit";
import { customElement, property } from "lit/decorators.js";
import { words } from "../format";
import { base } from "../styles/base";

export type Tone = "neutral" | "info" | "good" | "warn" | "bad" | "back";

const TONES: Record<string, Tone> = {
  RUNNING: "info", STARTED: "info", AWAITING: "info", WAITING: "info", SUCCEEDED: "good", REFUSED: "bad", GIVEN_UP: "bad", COMPLETED: "good", FINISHED: "good", repaired: "good", CLOSED: "good", done: "good",
  COMPENSATING: "back", COMPENSATED: "back", CANCELLED: "back", TOMBSTONE: "back",
  STUCK: "bad", FAILED: "bad", failed: "bad", QUARANTINED: "bad", OPEN: "bad", unreachable: "bad", refused: "warn",
  AWAITING_APPROVAL: "warn", ON_HOLD: "warn", PAUSED: "warn", paused: "warn", HALF_OPEN: "warn", overdue: "warn", STOPPED: "neutral",
};

/** How a state is to be felt about; what is not known is neutral. */
export function toneOf(value: string): Tone {
  return TONES[value] ?? "neutral";
}

/** A state as a badge: <oc-status value="STUCK">. Its colour never says more than its words. */
@customElement("oc-status")
export class OcStatus extends LitElement {
  @property() value = "";
  /** Says how to feel about it, where the value does not. */
  @property() tone?: Tone;

  protected override render() {
    return html`<span class="badge ${this.tone ?? toneOf(this.value)}"><i aria-hidden="true"></i>${words(this.value)}</span>`;
  }

  static override styles = [
    base,
    css`
      :host { display: inline-block; }
      .badge { display: inline-flex; align-items: center; gap: 0.375rem; padding: 0 0.5rem; border-radius: 1rem; font-size: 0.75rem; font-weight: 560; line-height: 1.375rem; white-space: nowrap; background: var(--sunken); color: var(--muted); }
      i { width: 0.4375rem; height: 0.4375rem; border-radius: 50%; background: currentColor; }
      .info { background: var(--accent-tint); color: var(--accent); }
      .good { background: var(--good-tint); color: var(--good); }
      .warn { background: var(--warn-tint); color: var(--warn); }
      .bad { background: var(--bad-tint); color: var(--bad); }
      .back { background: var(--back-tint); color: var(--back); }
    `,
  ];
}
