import { css, html, LitElement } from "lit";
import { customElement, property } from "lit/decorators.js";
import { count, duration } from "../format";
import { link } from "../router";
import type { Mark } from "../marks";
import { base } from "../styles/base";
import type { Minutes, StepDurations, StepFunnel } from "../types";
import { timesOf, valuesAt } from "../over-time";
import type { Series } from "./chart";
import type { Column } from "./table";
import "./chart";
import "./share";
import "./table";

const DAY_HOURS = 24;
const TONES: Series["tone"][] = ["accent", "warn", "back"];

/** How many sagas entered each step and with which outcome, and how long the slowest took over time. */
@customElement("oc-step-flow")
export class OcStepFlow extends LitElement {
  @property({ attribute: false }) minutes!: Minutes;
  @property({ type: Number }) hours = 1;
  /** Null for all of them. */
  @property() definition: string | null = null;
  @property({ attribute: false }) marks: Mark[] = [];
  /** The one whose times are drawn; null for the slowest. */
  @property() step: string | null = null;

  protected override render() {
    const steps = this.minutes.steps.filter((s) => !this.definition || s.definition === this.definition);
    const chosen = steps.find((s) => s.definition === this.definition && s.step === this.step);
    const times = timesOf({ ...this.minutes, from: this.minutes.stepsFrom });
    const series = chosen ? percentilesOf(chosen, times, this.minutes) : slowest(steps).map((s, i) => ({ name: nameOf(s, this.definition), tone: TONES[i], values: at(times, s, this.minutes, (d) => d.p95Ms) }));
    return html`
      <h2>Steps${this.hours > DAY_HOURS ? ", last day" : ""}</h2>
      <oc-table caption="Sagas that entered each step, by outcome" empty="No step was reached" .columns=${this.columns(steps)} .rows=${steps}
        .rowKey=${(s: StepFunnel) => `${s.definition} ${s.step}`}></oc-table>
      <oc-chart .caption=${chosen ? `Duration of ${chosen.step}` : "Slowest steps, p95"} .times=${times} .series=${series} .marks=${this.marks} .text=${duration}></oc-chart>
    `;
  }

  private columns(steps: StepFunnel[]): Column<StepFunnel>[] {
    const whole = Math.max(0, ...steps.map((s) => s.entered));
    const number = (key: string, title: string, of: (s: StepFunnel) => number): Column<StepFunnel> => ({ key, title, end: true, cell: (s) => count(of(s)) });
    const time = (key: string, of: (s: StepFunnel) => number | null): Column<StepFunnel> => ({ key, title: key, end: true, cell: (s) => html`<span class="nowrap">${duration(of(s))}</span>` });
    return [
      { key: "step", title: "Step", cell: (s) => html`<a href=${link("time", { hours: this.hours, definition: s.definition, step: s.step })}>${s.step}</a>${this.definition ? "" : html` <span class="muted">of ${s.definition}</span>`}` },
      { key: "share", title: "Outcome", wide: true, cell: (s) => html`<oc-share .whole=${whole} .parts=${partsOf(s)}></oc-share>` },
      number("entered", "Entered", (s) => s.entered),
      number("done", "Done", (s) => s.done),
      number("refused", "Refused", (s) => s.refused),
      number("timed-out", "Timed out", (s) => s.givenUp),
      number("stuck", "Stuck", (s) => s.stuck),
      number("again", "Sent again", (s) => s.sentAgain),
      time("p50", (s) => s.p50Ms),
      time("p95", (s) => s.p95Ms),
      time("p99", (s) => s.p99Ms),
    ];
  }

  static override styles = [
    base,
    css`
      :host { display: grid; gap: var(--s3); grid-template-columns: minmax(0, 1fr); }
    `,
  ];
}

/** Those that are neither wait, or waited before the time that is counted. */
function partsOf(s: StepFunnel): { tone: Series["tone"]; value: number }[] {
  const waiting = Math.max(0, s.entered - s.done - s.refused - s.givenUp);
  return [{ tone: "good", value: s.done }, { tone: "bad", value: s.refused }, { tone: "warn", value: s.givenUp }, { tone: "accent", value: waiting }];
}

function slowest(steps: StepFunnel[]): StepFunnel[] {
  return steps.filter((s) => s.p95Ms).sort((a, b) => b.p95Ms! - a.p95Ms!).slice(0, TONES.length);
}

function nameOf(s: StepFunnel, definition: string | null): string {
  return definition ? s.step : `${s.step} of ${s.definition}`;
}

function at(times: number[], of: StepFunnel, { stepDurations }: Minutes, value: (d: StepDurations) => number | null): (number | null)[] {
  return valuesAt(times, stepDurations.filter((d) => d.definition === of.definition && d.step === of.step), value);
}

function percentilesOf(of: StepFunnel, times: number[], minutes: Minutes): Series[] {
  return [
    { name: "p50", tone: "accent", values: at(times, of, minutes, (d) => d.p50Ms) },
    { name: "p95", tone: "back", values: at(times, of, minutes, (d) => d.p95Ms) },
    { name: "p99", tone: "warn", values: at(times, of, minutes, (d) => d.p99Ms) },
  ];
}
