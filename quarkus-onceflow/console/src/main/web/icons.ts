import { html, svg, type TemplateResult } from "lit";

/** Strokes on a field of 16 by 16, in the text's colour. */
const icon = (paths: string[]): TemplateResult =>
  html`<svg class="icon" viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.5"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths.map((d) => svg`<path d=${d}></path>`)}</svg>`;

export const icons = {
  brand: html`<svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true"><rect width="32" height="32" rx="9" fill="currentColor"></rect>
    <g fill="none" stroke="var(--surface)" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"><path d="M8 12h14l-4-4"></path><path d="M24 20H10l4 4"></path></g></svg>`,
  overview: icon(["M2.5 2.5h4v4h-4z", "M9.5 2.5h4v4h-4z", "M2.5 9.5h4v4h-4z", "M9.5 9.5h4v4h-4z"]),
  sagas: icon(["M2.5 4h11", "M2.5 8h11", "M2.5 12h7"]),
  failures: icon(["M2.5 8h4", "M9 5.5l5 5", "M14 5.5l-5 5"]),
  parked: icon(["M3 13.5v-11h5a3 3 0 0 1 0 6.5H3"]),
  repairs: icon(["M13.5 8a5.5 5.5 0 1 1-1.8-4.1", "M13.5 2.5v3h-3"]),
  definitions: icon(["M2 6h3.5v4H2z", "M10.5 2.5H14v4h-3.5z", "M10.5 9.5H14v4h-3.5z", "M5.5 8H8M8 4.5v7M8 4.5h2.5M8 11.5h2.5"]),
  time: icon(["M2.5 2.5v11h11", "M5 10.5l2.5-3 2 2L13 5"]),
  replicas: icon(["M2.5 5.5h8v8h-8z", "M5.5 5.5v-3h8v8h-3", "M5 9.5h3"]),
  participants: icon(["M3 2.5h10v4H3z", "M3 9.5h10v4H3z", "M5.5 4.5h.01", "M5.5 11.5h.01"]),
  audit: icon(["M8 1.8l5 2v4c0 3-2 5.2-5 6.4-3-1.2-5-3.4-5-6.4v-4z", "M5.8 8l1.6 1.6L10.4 6.4"]),
  system: icon(["M2 3h12v8H2z", "M5.5 13.5h5"]),
  light: icon(["M8 5.2a2.8 2.8 0 1 0 0 5.6a2.8 2.8 0 0 0 0-5.6z", "M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7"]),
  dark: icon(["M13.5 9.5A5.8 5.8 0 0 1 6.5 2.5a5.8 5.8 0 1 0 7 7z"]),
  menu: icon(["M2.5 4h11", "M2.5 8h11", "M2.5 12h11"]),
  close: icon(["M4 4l8 8", "M12 4l-8 8"]),
  pause: icon(["M5.5 3.5v9", "M10.5 3.5v9"]),
  play: icon(["M5 3.2v9.6l7.5-4.8z"]),
  copy: icon(["M5.5 5.5h8v8h-8z", "M10.5 5.5v-3h-8v8h3"]),
  download: icon(["M8 2.5v7", "M5 7l3 3 3-3", "M3 13.5h10"]),
  forward: icon(["M3 8h10", "M9.5 4.5L13 8l-3.5 3.5"]),
  backward: icon(["M13 8H3", "M6.5 4.5L3 8l3.5 3.5"]),
  out: icon(["M6 2.5H3v11h3", "M7 8h6.5", "M11 5.5L13.5 8 11 10.5"]),
  warning: icon(["M8 2.2l6.3 11H1.7z", "M8 6.5v3", "M8 11.4h.01"]),
};
