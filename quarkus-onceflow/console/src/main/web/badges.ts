import { api } from "./api";
import { causesOf } from "./causes";
import type { RepairPage } from "./sagas";
import type { Definition, Overview, Replica, Service } from "./types";

/** The places in the navigation that have a number. */
export type BadgeName = "attention" | "parked";

/** Each service is asked for it. */
const EVERY_MS = 15_000;

/** How much needs attention and is parked, as the navigation shows it. Dispatches "change". */
class Badges extends EventTarget {
  private numbers: Record<BadgeName, number | null> = { attention: null, parked: null };
  private timer = 0;

  /** Zero where it is not known. */
  number(name: BadgeName): number {
    return this.numbers[name] ?? 0;
  }

  show(attention: number, overview: Overview, services: Service[] | null): void {
    const own = services?.length ? services.reduce((sum, s) => sum + (s.participant?.parked ?? 0), 0) : overview.parked;
    if (attention === this.numbers.attention && own === this.numbers.parked) return;
    this.numbers = { attention, parked: own };
    this.dispatchEvent(new Event("change"));
  }

  /** Reads them now and then while that is wanted: a view that says what needs attention shows them itself. */
  read(wanted: () => boolean): void {
    clearInterval(this.timer);
    const look = () => {
      if (!document.hidden && wanted()) this.look().catch(() => {});
    };
    look();
    this.timer = window.setInterval(look, EVERY_MS);
  }

  private async look(): Promise<void> {
    const known = <T>(path: string) => api.get<T>(path).catch(() => null);
    const [overview, services, definitions, replicas, repairs] = await Promise.all([
      api.get<Overview>("sagas/overview"),
      known<Service[]>("sagas/services"),
      known<Definition[]>("sagas/definitions"),
      known<Replica[]>("sagas/replicas"),
      known<RepairPage>("sagas/repairs"),
    ]);
    const causes = causesOf({ overview, services, definitions, replicas, repairs: repairs?.repairs ?? null, parked: null });
    this.show(causes.length, overview, services);
  }
}

export const badges = new Badges();
