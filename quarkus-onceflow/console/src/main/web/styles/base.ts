import { css } from "lit";

/** What every element of the page shares; it takes the place of a global style sheet, which does not reach into shadow roots. */
export const base = css`
  :host { box-sizing: border-box; }
  :host([hidden]), [hidden] { display: none !important; }
  *, *::before, *::after { box-sizing: border-box; }
  h1, h2, h3, p, dl, dd, figure { margin: 0; }
  h1 { font-size: 1.375rem; font-weight: 650; letter-spacing: -0.015em; line-height: 1.2; outline: none; }
  h2 { font-size: 0.9375rem; font-weight: 620; line-height: 1.3; }
  h3 { font-size: 0.8125rem; font-weight: 620; }
  a { color: var(--accent); text-decoration: none; }
  a:hover, p > a, p span > a { text-decoration: underline; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
  code, .mono { font-family: var(--mono); font-size: 0.92em; }
  .number { font-variant-numeric: tabular-nums; }
  .muted { color: var(--muted); }
  .small { font-size: 0.8125rem; }
  .bad { color: var(--bad); }
  .nowrap { white-space: nowrap; }
  .break { overflow-wrap: anywhere; }
  .heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

  .stack { display: grid; gap: var(--s5); grid-template-columns: minmax(0, 1fr); }
  .stack.tight { gap: var(--s3); }
  .row { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2) var(--s3); }
  .row > .push { margin-inline-start: auto; }
  .panel { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: var(--s4); min-width: 0; }
  .panel.flush { padding: 0; overflow: clip; }
  .empty { padding: var(--s6) var(--s4); text-align: center; color: var(--muted); }

  button, .button {
    font: inherit; font-weight: 550; color: var(--text); background: var(--raised); border: 1px solid var(--line-strong);
    border-radius: var(--radius); padding: 0.3125rem 0.75rem; min-height: 2rem; cursor: pointer; display: inline-flex;
    align-items: center; justify-content: center; gap: var(--s2); text-decoration: none; transition: background var(--quick);
  }
  button:hover:not(:disabled), .button:hover { background: var(--hover); text-decoration: none; }
  button:disabled { cursor: not-allowed; color: var(--muted); border-color: var(--line); background: transparent; }
  button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
  button.primary:hover:not(:disabled) { background: color-mix(in srgb, var(--accent) 88%, var(--text)); }
  button.danger { color: var(--bad); border-color: var(--bad); }
  button.danger:hover:not(:disabled) { background: var(--bad-tint); }
  button.quiet { border-color: transparent; background: transparent; color: var(--muted); }
  button.quiet:hover:not(:disabled) { color: var(--text); background: var(--hover); }
  button.primary:disabled, button.danger:disabled { background: transparent; color: var(--muted); border-color: var(--line); }

  label { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s1); font-size: 0.8125rem; font-weight: 550; color: var(--muted); }
  label { min-width: 0; }
  label > input, label > select, label > textarea { width: 100%; }
  label.check { display: inline-flex; align-items: center; gap: var(--s2); font-weight: 450; color: var(--text); }
  input, select, textarea {
    font: inherit; font-weight: 400; color: var(--text); background: var(--surface); border: 1px solid var(--line-strong);
    border-radius: var(--radius); padding: 0.3125rem 0.5rem; min-height: 2rem; max-width: 100%;
  }
  textarea { min-height: 5rem; resize: vertical; }
  input[type="checkbox"], input[type="radio"] { min-height: 0; accent-color: var(--accent); width: 1rem; height: 1rem; margin: 0; }
  ::placeholder { color: var(--muted); opacity: 1; }
  progress { accent-color: var(--accent); width: 100%; }

  dl.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: var(--s1) var(--s4); }
  dl.facts dt { color: var(--muted); }
  dl.facts dd { overflow-wrap: anywhere; }
  @media (max-width: 40rem) {
    h1 { font-size: 1.25rem; }
    .panel:not(.flush) { padding: var(--s3); }
    button, .button, input, select { min-height: 2.5rem; }
    input[type="checkbox"], input[type="radio"] { min-height: 0; }
  }
`;
