import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { icons } from "../icons";
import { base } from "../styles/base";
import type { LiveState } from "../view";

const WORDS: Record<LiveState, string> = {
  connecting: "Connecting", live: "Live", paused: "Paused", waiting: "Reconnecting", closed: "Not live",
};

/** Whether what one sees is live, and the button that pauses it: <oc-live .state=${poll.state} @toggle=${() => poll.toggle()}>. */
@customElement("oc-live")
export class OcLive extends LitElement {
  @property() state: LiveState = "closed";

  protected override render() {
    const paused = this.state === "paused";
    return html`
      <span class="state ${this.state}" role="status"><i aria-hidden="true"></i>${WORDS[this.state]}</span>
      ${this.state === "closed" ? nothing : html`
        <button class="quiet" aria-label=${paused ? "Resume live updates" : "Pause live updates"} @click=${() => this.dispatchEvent(new Event("toggle"))}>
          ${paused ? icons.play : icons.pause}
        </button>`}
    `;
  }

  static override styles = [
    base,
    css`
      :host { display: inline-flex; align-items: center; gap: var(--s1); font-size: 0.8125rem; }
      .state { display: inline-flex; align-items: center; gap: var(--s2); color: var(--muted); }
      i { width: 0.5rem; height: 0.5rem; border-radius: 50%; background: var(--muted); }
      .live i { background: var(--good); box-shadow: 0 0 0 3px var(--good-tint); }
      .waiting i, .connecting i { background: var(--warn); }
      button { padding-inline: var(--s2); }
    `,
  ];
}
