import { api, Problem } from "./api";
import { parkedPath } from "./parked";
import type { ParkedGroup, ParkedMessage } from "./sagas";

const PAGE = 50;

/**
 * Redrives the messages of a group one after the other, each as by its own button: asked for by the operator, checked and
 * audited by its service. It goes from the newest to the oldest and takes none twice; it ends with the page.
 */
export class RedriveJob extends EventTarget {
  state: "running" | "paused" | "stopped" | "finished" = "running";
  handled = 0;
  /** How many stay parked, by why. */
  readonly failures = new Map<string, number>();
  problem: Problem | null = null;
  private resumed: () => void = () => {};

  constructor(readonly group: ParkedGroup, private readonly perSecond: number) {
    super();
  }

  get failed(): number {
    return [...this.failures.values()].reduce((sum, n) => sum + n, 0);
  }

  pause(): void {
    if (this.state === "running") this.change("paused");
  }

  resume(): void {
    if (this.state === "paused") this.change("running");
    this.resumed();
  }

  stop(): void {
    this.change("stopped");
    this.resumed();
  }

  async run(): Promise<void> {
    try {
      for (let cursor: string | null = null; ; ) {
        const found: ParkedMessage[] = await api.get(parkedPath(this.group.service), { group: this.group.fingerprint, limit: PAGE, cursor });
        for (const message of found) {
          if (!(await this.turn())) return;
          await Promise.all([this.redrive(message), new Promise((done) => setTimeout(done, 1000 / this.perSecond))]);
        }
        if (found.length < PAGE) break;
        cursor = found[found.length - 1].id;
      }
      this.change("finished");
    } catch (e) {
      this.problem = Problem.of(e);
      this.change("stopped");
    }
  }

  /** Waits while it is paused; false once it is stopped. */
  private async turn(): Promise<boolean> {
    while (this.state === "paused") await new Promise<void>((done) => (this.resumed = done));
    return this.state === "running";
  }

  /** A refusal is the message's own; a service that does not answer ends the job. */
  private async redrive({ id }: ParkedMessage): Promise<void> {
    try {
      await api.post(parkedPath(this.group.service, id) + "/redrive", undefined);
      this.handled++;
    } catch (e) {
      const problem = Problem.of(e);
      if (problem.status !== 409 && problem.status !== 404) throw problem;
      this.failures.set(problem.title, (this.failures.get(problem.title) ?? 0) + 1);
    }
    this.dispatchEvent(new Event("change"));
  }

  private change(state: RedriveJob["state"]): void {
    this.state = state;
    this.dispatchEvent(new Event("change"));
  }
}
