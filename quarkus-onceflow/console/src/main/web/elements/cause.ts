import { html, nothing } from "lit";
import type { Cause } from "../causes";

/** A cause as a sentence, each of its parts with the rows that it is about. */
export function renderCause({ parts, why }: Cause) {
  return html`${parts.map(({ text, href }, i) => html`${i > 0 ? "; " : ""}<a href=${href}>${text}</a>`)}${why ? html`<span class="muted break"> (${why})</span>` : nothing}`;
}
